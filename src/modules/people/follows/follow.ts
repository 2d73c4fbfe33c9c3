import type { Caller } from '@/core/caller'
import { badRequest, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { lockUsers, type UserRow } from '@/modules/people/users/queries'
import { mayKnow } from '@/modules/people/users/visible'
import { emit } from '@/outbox/emit'
import { addToFollowers, addToFollowing, type Follow, insertFollow } from './queries'

export type Pair = { follower: UserRow; followee: UserRow }

/** Locks both users, so that counts and visibility stay stable until the commit. */
export async function lockPair(tx: Tx, caller: Caller, id: string): Promise<Pair> {
  if (id === caller.userId) throw badRequest(refusals.followSelf)
  const locked = await lockUsers(tx, [caller.userId, id])
  const follower = locked.find((user) => user.id === caller.userId)
  const followee = locked.find((user) => user.id === id)
  if (!follower || !followee || !mayKnow(caller, followee)) throw notFound('User')
  return { follower, followee }
}

/** Counts include only publicly visible people; the follow row records for which side that holds. */
export async function countPair(tx: Tx, follow: Follow, change: 1 | -1) {
  if (follow.followerCounts) await addToFollowers(tx, follow.followeeId, change)
  if (follow.followeeCounts) await addToFollowing(tx, follow.followerId, change)
}

/** Returns false if the follow already exists. */
export async function follow(
  tx: Tx,
  caller: Parameters<typeof lockPair>[1],
  followeeId: string,
): Promise<boolean> {
  const { follower, followee } = await lockPair(tx, caller, followeeId)
  const added = await insertFollow(tx, follower.id, followee.id)
  if (!added) return false
  await countPair(tx, added, 1)
  await emit(tx, 'user.followed', { followerId: follower.id, followeeId: followee.id })
  return true
}
