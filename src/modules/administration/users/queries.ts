import { and, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import type { Role } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { type After, type Cut, descending, type Rows } from '@/db/keyset'
import { containing } from '@/db/rows'
import { hitsOf } from '@/db/search'
import { filters } from '@/db/statement-names'
import { groupMembers } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import type { UserRow } from '@/modules/people/users/queries'

export type AccountRow = UserRow & { groupCount: number }

/** Ids sort by creation time, and only their index includes everyone. */
export const NEWEST_FIRST = descending<AccountRow>([users.id, (row) => row.id])

export const listAccounts = (
  db: Db | Tx,
  { search, role }: { search?: string; role?: Role },
  after: After,
  cut: Cut,
): Rows<AccountRow> => {
  const withRole = role === undefined ? undefined : eq(users.role, role)
  const rows = db
    .select({
      ...getTableColumns(users),
      groupCount: sql<number>`(select count(*)::int from ${groupMembers} where ${eq(groupMembers.userId, users.id)})`,
    })
    .from(users)
  if (search === undefined) return rows.where(and(filters(withRole), after))
  const hits = hitsOf({
    table: users,
    id: users.id,
    match: and(matches(search), withRole),
    after,
    cut,
  })
  return rows.where(filters(sql`${users.id} = any(array(${hits}))`))
}

/** Spelled as in the trigram indexes, which are separate for private people. */
function matches(search: string): SQL | undefined {
  const name = containing(search, [users.name, users.username])
  return or(
    and(sql`${users.isPublic}`, name),
    and(sql`not ${users.isPublic}`, name),
    containing(search, [users.email]),
  )
}
