import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, descending, type Rows } from '@/db/keyset'
import { badgeAwards, badges } from '@/db/tables/badges'
import { groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { publicUsers } from '@/modules/people/users/queries'
import type { BadgeRow } from '../queries'

/** Holders by their id, from behind `after` to `last`. */
export type Portion = { after: string; last: string }

export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** A few hundred milliseconds even where the machine is busy, a tenth of what a statement may take. */
const PORTION = 1000

/** Locks a badge. Its group is locked first, as by a deletion of the group. Undefined when the badge is gone. */
export async function lockBadge(
  tx: Tx,
  { id, groupId }: BadgeRow,
  strength: 'update' | 'no key update',
): Promise<BadgeRow | undefined> {
  if (groupId !== null)
    await tx.select({ id: groups.id }).from(groups).where(eq(groups.id, groupId)).for('key share')
  return (await tx.select().from(badges).where(eq(badges.id, id)).for(strength))[0]
}

/** Locks the next holders, in the order of everyone who locks many, and gives the last. Undefined behind the last. */
export async function lockHolders(tx: Tx, badgeId: string, after: string): Promise<string | undefined> {
  const rows = await tx.execute<{ last: string }>(sql`
    with portion as (
      select user_id from badge_awards where badge_id = ${badgeId} and user_id > ${after}
      order by user_id limit ${PORTION}
    ), locked as (
      select id from users where id in (select user_id from portion) order by id for no key update
    )
    select user_id as last, (select count(*) from locked) from portion order by user_id desc limit 1`)
  return rows[0]?.last
}

/** The columns of a badge that each award copies for the scores. */
export type Worth = Pick<BadgeRow, 'points' | 'hidden'>

/** Writes them to a portion of the awards; a trigger corrects the scores. */
export const setWorth = (tx: Tx, badgeId: string, portion: Portion, { points, hidden }: Worth) =>
  tx.update(badgeAwards).set({ points, hidden }).where(within(badgeId, portion))

export const deleteAwards = (tx: Tx, badgeId: string, portion: Portion) =>
  tx.delete(badgeAwards).where(within(badgeId, portion))

const within = (badgeId: string, { after, last }: Portion) =>
  and(eq(badgeAwards.badgeId, badgeId), gt(badgeAwards.userId, after), lte(badgeAwards.userId, last))

export type HolderRow = { id: string; username: string; name: string; avatarUrl: string | null }

/** By their ids, which rise with time: the index of awards has no other order, and a badge may be everyone's. */
export const NEWEST_MEMBERS_FIRST = descending<HolderRow>([badgeAwards.userId, ({ id }) => id])

/** Those who hold a badge, as far as strangers may know of them. */
export const listHolders = (db: Db | Tx, badgeId: string, after: After): Rows<HolderRow> =>
  db
    .select({
      id: users.id,
      username: sql<string>`${users.username}`,
      name: users.name,
      avatarUrl: users.avatarUrl,
    })
    .from(badgeAwards)
    .innerJoin(users, eq(users.id, badgeAwards.userId))
    .where(and(eq(badgeAwards.badgeId, badgeId), publicUsers, isNotNull(users.username), after))
