import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, type Cut, descending, type Rows } from '@/db/keyset'
import { badgeAwards, badges, unsettledBadges } from '@/db/tables/badges'
import { groups } from '@/db/tables/groups'
import { badgeTally } from '@/db/tables/tallies'
import { users } from '@/db/tables/users'
import { publicUsers } from '@/modules/people/users/queries'
import type { BadgeRow } from '../queries'

/** Holders by id, after `after` up to `last`. */
export type Portion = { after: string; last: string }

/** A batch of a thousand exceeded the statement timeout on a machine with a load of five. */
const PORTION = 250

/** Locks the group first, as in group deletion. Returns undefined if the badge is gone. */
export async function lockBadge(
  tx: Tx,
  { id, groupId }: BadgeRow,
  strength: 'update' | 'no key update',
): Promise<BadgeRow | undefined> {
  if (groupId !== null)
    await tx.select({ id: groups.id }).from(groups).where(eq(groups.id, groupId)).for('key share')
  return (await tx.select().from(badges).where(eq(badges.id, id)).for(strength))[0]
}

/** Makes the trigger of this transaction only mark badges with more holders than one batch. */
export const settleLater = (tx: Tx) =>
  tx.execute(sql`select set_config('folkmoot.awards', ${String(PORTION)}, true)`)

export const isUnsettled = async (db: Db, badgeId: string): Promise<boolean> =>
  (await db.$count(unsettledBadges, eq(unsettledBadges.badgeId, badgeId))) > 0

export const listUnsettled = async (db: Db): Promise<string[]> =>
  (await db.select().from(unsettledBadges)).map(({ badgeId }) => badgeId)

export const countUnsettled = (db: Db) => db.$count(unsettledBadges)

/** Locks the next holders whose awards differ from the badge; null is a deleted badge. */
export async function lockUnsettled(
  tx: Tx,
  badgeId: string,
  worth: Worth | null,
  after: string,
): Promise<string | undefined> {
  const differs = worth
    ? sql`and (points, hidden) <> (${worth.points}::int, ${worth.hidden}::boolean)`
    : sql``
  const rows = await tx.execute<{ last: string }>(sql`
    with portion as materialized (
      select user_id from badge_awards where badge_id = ${badgeId} and user_id > ${after} ${differs}
      order by user_id limit ${PORTION}
    ), locked as materialized (
      select id from users where id = any(array(select user_id from portion)) order by id for no key update
    )
    select user_id as last, (select count(*) from locked) from portion order by user_id desc limit 1`)
  return rows[0]?.last
}

export async function markSettled(tx: Tx, badgeId: string, isGone: boolean): Promise<string | null> {
  const [mark] = await tx.delete(unsettledBadges).where(eq(unsettledBadges.badgeId, badgeId)).returning()
  if (isGone) await tx.delete(badgeTally).where(eq(badgeTally.badgeId, badgeId))
  return mark?.groupId ?? null
}

export const findBadgeRow = async (tx: Tx, id: string): Promise<BadgeRow | undefined> =>
  (await tx.select().from(badges).where(eq(badges.id, id)))[0]

/** Badge columns that awards copy for scores. */
export type Worth = Pick<BadgeRow, 'points' | 'hidden'>

/** A trigger updates the scores. */
export const setWorth = (tx: Tx, badgeId: string, portion: Portion, { points, hidden }: Worth) =>
  tx.update(badgeAwards).set({ points, hidden }).where(within(badgeId, portion))

export const deleteAwards = (tx: Tx, badgeId: string, portion: Portion) =>
  tx.delete(badgeAwards).where(within(badgeId, portion))

const within = (badgeId: string, { after, last }: Portion) =>
  and(eq(badgeAwards.badgeId, badgeId), gt(badgeAwards.userId, after), lte(badgeAwards.userId, last))

export type HolderRow = { id: string; username: string; name: string; avatarUrl: string | null }

/** User ids ascend with time. The index on awards has no other order, and a badge may have any number of holders. */
export const NEWEST_MEMBERS_FIRST = descending<HolderRow>([badgeAwards.userId, ({ id }) => id])

/**
 * Publicly visible holders. Starts from the awards: PostgreSQL would scan all users for a badge that only the oldest members hold.
 */
export const listHolders = (
  db: Db | Tx,
  badgeId: string,
  after: After,
  { order, rows }: Cut,
): Rows<HolderRow> => {
  const holders = sql`select ${badgeAwards.userId} from ${badgeAwards}
    where ${and(eq(badgeAwards.badgeId, badgeId), eq(badgeAwards.isPublic, sql`true`), after)}
    order by ${order} limit ${rows}::int`
  return db
    .select({
      id: users.id,
      username: sql<string>`${users.username}`,
      name: users.name,
      avatarUrl: users.avatarUrl,
    })
    .from(badgeAwards)
    .innerJoin(users, eq(users.id, badgeAwards.userId))
    .where(
      and(
        eq(badgeAwards.badgeId, badgeId),
        sql`${badgeAwards.userId} = any(array(${holders}))`,
        publicUsers,
        isNotNull(users.username),
      ),
    )
}
