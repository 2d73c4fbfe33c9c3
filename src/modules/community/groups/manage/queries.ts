import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, ascending, type Rows } from '@/db/keyset'
import { demandQuota, lockParent } from '@/db/quotas'
import { complete, patched } from '@/db/rows'
import { uploadKey } from '@/db/tables/columns'
import { events } from '@/db/tables/events'
import { groupMembers, groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import type { GroupRow } from '../queries'
import type { Managed } from '../staff/managed-group'

export const BY_NAME = ascending<Managed>(
  [groups.name, ({ group }) => group.name],
  [groups.id, ({ group }) => group.id],
)

export const listGroupsOfStaff = (db: Db | Tx, userId: string, after: After): Rows<Managed> =>
  db
    .select({ group: groups, role: groupMembers.role })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(and(eq(groupMembers.userId, userId), after))

export const countGroupsOfStaff = (db: Db | Tx, userId: string) =>
  db.$count(groupMembers, eq(groupMembers.userId, userId))

export const demandQuotaForGroup = (tx: Tx, userId: string, { more = 1 } = {}) =>
  demandQuota(tx, 'groups', {
    parent: [users.id, userId],
    children: groupMembers,
    which: and(
      eq(groupMembers.userId, userId),
      is(groupMembers.role, 'owner'),
      eq(groupMembers.isGiven, sql`false`),
    ),
    more,
  })

export async function insertGroup(tx: Tx, row: typeof groups.$inferInsert): Promise<GroupRow> {
  const [inserted] = await tx.insert(groups).values(complete(groups, row)).returning()
  return inserted as GroupRow
}

const CHANGEABLE = [
  'urlname',
  'name',
  'description',
  'website',
  'tags',
  'socialLinks',
  'photoUrl',
  'heroImageUrl',
  'themeColor',
  'isFeatured',
  'isListed',
  'maxBadges',
  'maxBadgePoints',
] as const satisfies (keyof GroupRow)[]

export async function updateGroup(
  tx: Tx,
  id: string,
  change: Partial<Pick<GroupRow, (typeof CHANGEABLE)[number]>>,
): Promise<GroupRow | undefined> {
  const [changed] = await tx
    .update(groups)
    .set({ ...patched(groups, CHANGEABLE, change), updatedAt: sql`now()` })
    .where(eq(groups.id, id))
    .returning()
  return changed
}

/** Locks the group before its images, as in deletion. */
export const lockGroupRow = (tx: Tx, id: string) => lockParent(tx, [groups.id, id])

export const listPicturesOf = async (tx: Tx, id: string): Promise<string[]> =>
  (
    await tx.execute<{ url: string }>(sql`
      select unnest(array[${groups.photoUrl}, ${groups.heroImageUrl}]) as url from ${groups} where ${groups.id} = ${id}
      union select ${events.photoUrl} from ${events} where ${events.groupId} = ${id} and ${uploadKey(events.photoUrl)} is not null`)
  ).flatMap(({ url }) => url ?? [])

/** Cascades to events, staff and favorites. Returns false if it was already deleted. */
export async function deleteGroup(tx: Tx, id: string): Promise<boolean> {
  return (await tx.delete(groups).where(eq(groups.id, id)).returning({ id: groups.id })).length > 0
}
