import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Role } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { type After, descending, type Rows } from '@/db/keyset'
import { containing } from '@/db/like'
import { filters } from '@/db/statement-names'
import { groupMembers } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import type { UserRow } from '@/modules/people/users/queries'

export type AccountRow = UserRow & { groupCount: number }

/** Ids sort by creation time, and unlike the other indexes theirs holds everyone. */
export const NEWEST_FIRST = descending<AccountRow>([users.id, (row) => row.id])

export const listAccounts = (
  db: Db | Tx,
  { search, role }: { search?: string; role?: Role },
  after: After,
): Rows<AccountRow> =>
  db
    .select({
      ...getTableColumns(users),
      groupCount: sql<number>`(select count(*)::int from ${groupMembers} where ${eq(groupMembers.userId, users.id)})`,
    })
    .from(users)
    .where(
      and(
        filters(
          role === undefined ? undefined : eq(users.role, role),
          containing(search, [users.name, users.username, users.email]),
        ),
        after,
      ),
    )
