import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { type After, descending } from '@/db/keyset'
import { follows } from '@/db/tables/people'
import { users } from '@/db/tables/users'
import { publicUsers } from '@/modules/people/users/queries'

export type FollowRow = {
  id: string
  username: string | null
  name: string
  avatarUrl: string | null
  at: Date
}

const entry = {
  id: users.id,
  username: users.username,
  name: users.name,
  avatarUrl: users.avatarUrl,
  at: follows.createdAt,
}

const newestFirst = (other: typeof follows.followerId | typeof follows.followeeId) =>
  descending<FollowRow>([follows.createdAt, (row) => row.at], [other, (row) => row.id])

export const FOLLOWERS_ORDER = newestFirst(follows.followerId)
export const FOLLOWING_ORDER = newestFirst(follows.followeeId)

export const listFollowers = (db: Db | Tx, userId: string, after: After) =>
  db
    .select(entry)
    .from(follows)
    .innerJoin(users, eq(users.id, follows.followerId))
    .where(and(eq(follows.followeeId, userId), publicUsers, after))

export const listFollowing = (db: Db | Tx, userId: string, after: After) =>
  db
    .select(entry)
    .from(follows)
    .innerJoin(users, eq(users.id, follows.followeeId))
    .where(and(eq(follows.followerId, userId), publicUsers, after))

export type Follow = typeof follows.$inferSelect

export const isFollowing = async (db: Db | Tx, followerId: string, followeeId: string): Promise<boolean> =>
  (await db.$count(follows, and(eq(follows.followerId, followerId), eq(follows.followeeId, followeeId)))) > 0

/** Returns undefined if the follow already exists. */
export async function insertFollow(
  tx: Tx,
  followerId: string,
  followeeId: string,
): Promise<Follow | undefined> {
  const [added] = await tx
    .insert(follows)
    .values({ followerId, followeeId })
    .onConflictDoNothing()
    .returning()
  return added
}

/** Returns undefined if no such follow exists. */
export async function deleteFollow(
  tx: Tx,
  followerId: string,
  followeeId: string,
): Promise<Follow | undefined> {
  const [ended] = await tx
    .delete(follows)
    .where(and(eq(follows.followerId, followerId), eq(follows.followeeId, followeeId)))
    .returning()
  return ended
}

export const addToFollowers = (tx: Tx, userId: string, change: number) =>
  tx
    .update(users)
    .set({ followerCount: sql`${users.followerCount} + ${change}` })
    .where(eq(users.id, userId))

export const addToFollowing = (tx: Tx, userId: string, change: number) =>
  tx
    .update(users)
    .set({ followingCount: sql`${users.followingCount} + ${change}` })
    .where(eq(users.id, userId))

/** Which of these people follow the user and are publicly visible, newest first. */
export const findFollowersAmong = (db: Db, userId: string, ids: string[]): Promise<FollowRow[]> =>
  db
    .select(entry)
    .from(follows)
    .innerJoin(users, eq(users.id, follows.followerId))
    .where(and(eq(follows.followeeId, userId), isOneOf(follows.followerId, ids), publicUsers))
    .orderBy(desc(follows.createdAt), follows.followerId)
