import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { uncounted } from '@/db/tables/people'
import { users } from '@/db/tables/users'

export const markUncounted = (tx: Tx, userId: string) =>
  tx.insert(uncounted).values({ userId }).onConflictDoNothing()

export const unmarkUncounted = (tx: Tx, userId: string) =>
  tx.delete(uncounted).where(eq(uncounted.userId, userId))

export const listUncounted = async (db: Db): Promise<string[]> =>
  (await db.select().from(uncounted)).map(({ userId }) => userId)

export const countUncounted = (db: Db) => db.$count(uncounted)

/** Large enough that correct follows are not skipped too often. */
const LOOK = 20_000

/** Users whose count of this user is wrong; for a deleted user, everyone with a remaining follow. */
export async function findOutdated(db: Db | Tx, userId: string): Promise<string[]> {
  const visibility = sql`(select is_public from users where id = ${userId})`
  const rows = await db.execute<{ id: string }>(sql`
    (select followee_id as id from follows where follower_id = ${userId} and follower_counts is distinct from ${visibility}
      order by created_at limit ${LOOK}::int)
    union all
    (select follower_id from follows where followee_id = ${userId} and followee_counts is distinct from ${visibility}
      order by created_at limit ${LOOK}::int)`)
  return [...new Set(rows.map(({ id }) => id))]
}

const isAmong = (ids: string[]) => sql`any(${sql.param(ids)}::uuid[])`

/** Locks in id order, like all bulk locks. */
export const lockMany = (tx: Tx, ids: string[]) =>
  tx
    .select({ locked: sql`1` })
    .from(users)
    .where(sql`${users.id} = ${isAmong(ids)}`)
    .orderBy(users.id)
    .for('no key update')

/** Writes each row once, even for mutual follows. */
export const countAmong = (tx: Tx, userId: string, ids: string[]) =>
  tx.execute(sql`
    with visibility as (select is_public from users where id = ${userId}), changed as (
      update follows set
        follower_counts = case when follower_id = ${userId} then is_public else follower_counts end,
        followee_counts = case when followee_id = ${userId} then is_public else followee_counts end
      from visibility where ${isBetween(userId, ids)}
      returning with (old as was, new as now) now.follower_id, now.followee_id,
        now.follower_counts::int - was.follower_counts::int as follower,
        now.followee_counts::int - was.followee_counts::int as followee
    ) ${addingUp(userId, ids)}`)

export const removeAmong = (tx: Tx, userId: string, ids: string[]) =>
  tx.execute(sql`
    with changed as (
      delete from follows where ${isBetween(userId, ids)}
      returning follower_id, followee_id, -follower_counts::int as follower, -followee_counts::int as followee
    ) ${addingUp(userId, ids)}`)

const isBetween = (userId: string, ids: string[]) => sql`(
  follower_id = ${userId} and followee_id = ${isAmong(ids)} or followee_id = ${userId} and follower_id = ${isAmong(ids)})`

const addingUp = (userId: string, ids: string[]) => sql`
  update users set follower_count = follower_count + followers, following_count = following_count + following
  from (
    select case when follower_id = ${userId} then followee_id else follower_id end as other,
      sum(case when follower_id = ${userId} then follower else 0 end) as followers,
      sum(case when followee_id = ${userId} then followee else 0 end) as following
    from changed group by 1
  ) sums
  where id = ${isAmong(ids)} and id = other and (followers <> 0 or following <> 0)`
