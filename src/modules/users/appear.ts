import type { Tx } from '@/db/client'
import {
  addToFollowerCounts,
  addToFollowingCounts,
  closeCircle,
  lockNeighbours,
  lockUsers,
  type UserRow,
} from './queries'

/**
 * Counts of followers hold only people whom strangers may know of, so they change when someone comes into
 * sight or leaves it. Their circle is closed first, so that it stays the same; then everyone in it is locked,
 * in one order. Circles always come before rows: that is why no two of these can wait for each other.
 */
export async function lockAround(tx: Tx, userId: string): Promise<UserRow | undefined> {
  await closeCircle(tx, userId)
  await lockNeighbours(tx, userId)
  return (await lockUsers(tx, [userId]))[0]
}

export const appear = (tx: Tx, userId: string) => recount(tx, userId, 1)

export const disappear = (tx: Tx, userId: string) => recount(tx, userId, -1)

async function recount(tx: Tx, userId: string, change: number) {
  await addToFollowerCounts(tx, userId, change)
  await addToFollowingCounts(tx, userId, change)
}
