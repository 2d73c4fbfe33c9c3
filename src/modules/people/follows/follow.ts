import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { countPair, lockPair } from './pair'
import { insertFollow } from './queries'

/** Lets a person follow another; false when they do already. */
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
