import { and, desc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is, isOneOf } from '@/db/comparisons'
import { type After, descending, type Rows } from '@/db/keyset'
import { badgeAwards, badges } from '@/db/tables/badges'
import { groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'

export type BadgeRow = typeof badges.$inferSelect
export type AwardRow = typeof badgeAwards.$inferSelect

/** A trigger fills in the other columns and updates the score. Returns undefined if the person already holds the badge. */
export async function insertAward(
  tx: Tx,
  row: Pick<AwardRow, 'id' | 'badgeId' | 'userId' | 'source' | 'awardedAt'>,
): Promise<AwardRow | undefined> {
  const [inserted] = await tx
    .insert(badgeAwards)
    .values(row)
    .onConflictDoNothing({ target: [badgeAwards.badgeId, badgeAwards.userId] })
    .returning()
  return inserted
}

/** Locks the holder first, as everywhere: account deletion cascades to awards. */
export async function deleteAward(tx: Tx, badgeId: string, userId: string): Promise<AwardRow | undefined> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const [deleted] = await tx
    .delete(badgeAwards)
    .where(and(eq(badgeAwards.badgeId, badgeId), eq(badgeAwards.userId, userId)))
    .returning()
  return deleted
}

export async function holds(db: Db | Tx, badgeId: string, userId: string): Promise<boolean> {
  return (
    (await db.$count(badgeAwards, and(eq(badgeAwards.badgeId, badgeId), eq(badgeAwards.userId, userId)))) > 0
  )
}

/** Fully qualified, because they are subqueries of statements on `badges`. */
export const publicHolders = sql<number>`(
  select coalesce(sum(public_holders), 0)::int from badge_tally where badge_id = badges.id)`
export const publicPeople = sql<number>`(select coalesce(sum(people), 0)::int from people_tally)`

const held = {
  id: badgeAwards.id,
  awardedAt: badgeAwards.awardedAt,
  badge: badges,
  group: { id: groups.id, name: groups.name, urlname: groups.urlname, photoUrl: groups.photoUrl },
  publicHolders,
  publicPeople,
}

const selectHeld = (db: Db | Tx) =>
  db
    .select(held)
    .from(badgeAwards)
    .innerJoin(badges, eq(badges.id, badgeAwards.badgeId))
    .leftJoin(groups, eq(groups.id, badges.groupId))

export type HeldRow = Awaited<ReturnType<typeof selectHeld>>[number]

/** Excludes hidden badges and those of unlisted groups. */
export const heldBy = (db: Db | Tx, userId: string): Promise<HeldRow[]> =>
  selectHeld(db)
    .where(
      and(
        eq(badgeAwards.userId, userId),
        is(badges.hidden, false),
        or(isNull(badges.groupId), is(groups.isListed, true)),
      ),
    )
    .orderBy(groups.name, groups.id, badges.sortOrder, badges.id)

/** Includes hidden badges; newest first. */
export const findHeldAmong = (db: Db, userId: string, badgeIds: string[]): Promise<HeldRow[]> =>
  selectHeld(db)
    .where(and(eq(badgeAwards.userId, userId), isOneOf(badgeAwards.badgeId, badgeIds)))
    .orderBy(desc(badgeAwards.awardedAt), badges.id)

export const NEWEST_FIRST = descending<HeldRow>(
  [badgeAwards.awardedAt, (row) => row.awardedAt],
  [badgeAwards.id, (row) => row.id],
)

/** All badges, for the holder. */
export const listHeldBy = (db: Db | Tx, userId: string, after: After): Rows<HeldRow> =>
  selectHeld(db).where(and(eq(badgeAwards.userId, userId), after))

export const countHeldBy = (db: Db | Tx, userId: string) =>
  db.$count(
    badgeAwards,
    and(eq(badgeAwards.userId, userId), sql`exists (select from badges where id = ${badgeAwards.badgeId})`),
  )

const FACES_MAX = 10

export type Face = Pick<BadgeRow, 'name' | 'slug' | 'icon' | 'color' | 'description'>

/** The ten visible platform badges with the most points, for many people at once. */
export const facesOf = (db: Db | Tx, userIds: string[]): Promise<Map<string, Face[]>> =>
  readFaces(db, userIds, and(isNull(badgeAwards.groupId), is(badges.hidden, false)))

export const groupFacesOf = (db: Db | Tx, groupId: string, userIds: string[]): Promise<Map<string, Face[]>> =>
  readFaces(db, userIds, eq(badgeAwards.groupId, groupId))

async function readFaces(
  db: Db | Tx,
  userIds: string[],
  which: SQL | undefined,
): Promise<Map<string, Face[]>> {
  if (userIds.length === 0) return new Map()
  const ranked = db
    .select({
      userId: badgeAwards.userId,
      name: badges.name,
      slug: badges.slug,
      icon: badges.icon,
      color: badges.color,
      description: badges.description,
      place: sql<number>`row_number() over (
        partition by ${badgeAwards.userId}
        order by ${badgeAwards.points} desc, ${badgeAwards.awardedAt}, ${badgeAwards.id})`.as('place'),
    })
    .from(badgeAwards)
    .innerJoin(badges, eq(badges.id, badgeAwards.badgeId))
    .where(and(isOneOf(badgeAwards.userId, userIds), which))
    .as('ranked')
  const rows = await db
    .select()
    .from(ranked)
    .where(lte(ranked.place, FACES_MAX))
    .orderBy(ranked.userId, ranked.place)
  const faces = new Map<string, Face[]>()
  for (const { userId, place: _, ...face } of rows) {
    const own = faces.get(userId)
    if (own) own.push(face)
    else faces.set(userId, [face])
  }
  return faces
}
