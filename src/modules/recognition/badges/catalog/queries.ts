import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, ascending, type Rows } from '@/db/keyset'
import { complete, patched } from '@/db/rows'
import { badges } from '@/db/tables/badges'
import { groups } from '@/db/tables/groups'
import { type BadgeRow, publicHolders, publicPeople } from '../queries'

/** A badge with its holder count and the counts for its rarity. */
export type CountedBadge = {
  badge: BadgeRow
  holders: number
  publicHolders: number
  publicPeople: number
}

const counted = {
  badge: badges,
  holders: sql<number>`(select coalesce(sum(holders), 0)::int from badge_tally where badge_id = badges.id)`,
  publicHolders,
  publicPeople,
}

export const IN_ORDER = ascending<CountedBadge>(
  [badges.sortOrder, ({ badge }) => badge.sortOrder],
  [badges.id, ({ badge }) => badge.id],
)

export const VISIBLE = and(isNull(badges.groupId), is(badges.hidden, false))
export const OF_PLATFORM = isNull(badges.groupId)
export const ofGroup = (groupId: string) => eq(badges.groupId, groupId)

export const listBadges = (db: Db | Tx, which: SQL | undefined, after: After): Rows<CountedBadge> =>
  db.select(counted).from(badges).where(and(which, after))

export const countBadges = (db: Db | Tx, which: SQL | undefined) => db.$count(badges, which)

export async function findBadgeBySlug(db: Db | Tx, slug: string) {
  const [found] = await db
    .select({
      ...counted,
      group: { id: groups.id, isListed: groups.isListed, name: groups.name, urlname: groups.urlname },
    })
    .from(badges)
    .leftJoin(groups, eq(groups.id, badges.groupId))
    .where(eq(badges.slug, slug))
  return found
}

export const listNewestOfGroups = (db: Db | Tx, limit: number) =>
  db
    .select({ ...counted, group: { id: groups.id, name: groups.name, urlname: groups.urlname } })
    .from(badges)
    .innerJoin(groups, eq(groups.id, badges.groupId))
    .where(and(is(badges.hidden, false), is(groups.isListed, true)))
    .orderBy(desc(badges.id))
    .limit(limit)

/** `groupId` is null for platform badges. */
export async function findBadgeOf(
  db: Db | Tx,
  groupId: string | null,
  badgeId: string,
): Promise<CountedBadge | undefined> {
  const which = groupId === null ? OF_PLATFORM : ofGroup(groupId)
  return (
    await db
      .select(counted)
      .from(badges)
      .where(and(eq(badges.id, badgeId), which))
  )[0]
}

export async function insertBadge(tx: Tx, row: typeof badges.$inferInsert): Promise<BadgeRow> {
  const [inserted] = await tx.insert(badges).values(complete(badges, row)).returning()
  return inserted as BadgeRow
}

const CHANGEABLE = [
  'name',
  'description',
  'icon',
  'color',
  'points',
  'sortOrder',
  'hidden',
] as const satisfies (keyof BadgeRow)[]

export type BadgeChange = Partial<Pick<BadgeRow, (typeof CHANGEABLE)[number]>>

/** A trigger updates awards and scores of holders. Returns undefined if the badge is gone. */
export async function updateBadge(tx: Tx, id: string, change: BadgeChange): Promise<BadgeRow | undefined> {
  const [changed] = await tx
    .update(badges)
    .set(patched(badges, CHANGEABLE, change))
    .where(eq(badges.id, id))
    .returning()
  return changed
}

/** Cascades to awards and claim links. Returns false if it was already deleted. */
export async function deleteBadge(tx: Tx, id: string): Promise<boolean> {
  return (await tx.delete(badges).where(eq(badges.id, id)).returning({ id: badges.id })).length > 0
}
