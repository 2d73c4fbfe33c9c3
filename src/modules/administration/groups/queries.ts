import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, descending, type Rows } from '@/db/keyset'
import { containing } from '@/db/rows'
import { filters } from '@/db/statement-names'
import { groupMembers, groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import type { GroupRow } from '@/modules/community/groups/queries'

export type OwnedGroup = { group: GroupRow; ownerUsernames: string[] }

/** Ids sort by creation time, and only their index includes unlisted groups. */
export const NEWEST_FIRST = descending<OwnedGroup>([groups.id, ({ group }) => group.id])

const owners = sql`
  select ${users.username} from ${groupMembers} join ${users} on ${users.id} = ${groupMembers.userId}
  where ${groupMembers.groupId} = ${groups.id} and ${groupMembers.role} = 'owner' and ${users.username} is not null
  order by ${groupMembers.createdAt}, ${groupMembers.id}`

/** A separate expression: directly among selected columns drizzle omits the table names. */
const ownerUsernames = sql<string[]>`array(${owners})`

export const listAllGroups = (
  db: Db | Tx,
  { search, featured }: { search?: string; featured?: boolean },
  after: After,
): Rows<OwnedGroup> =>
  db
    .select({ group: groups, ownerUsernames })
    .from(groups)
    .where(
      and(
        filters(
          featured === undefined ? undefined : eq(groups.isFeatured, featured),
          containing(search, [groups.name, groups.urlname]),
        ),
        after,
      ),
    )

export async function lockGroup(tx: Tx, id: string): Promise<GroupRow | undefined> {
  const [found] = await tx.select().from(groups).where(eq(groups.id, id)).for('no key update')
  return found
}

export async function findOwnedGroup(tx: Tx, id: string): Promise<OwnedGroup> {
  const [found] = await tx.select({ group: groups, ownerUsernames }).from(groups).where(eq(groups.id, id))
  return found as OwnedGroup
}
