import type { Tx } from '@/db/client'
import { addToCounts, closeCircle, findNeighbours, lockMany, lockUsers, type UserRow } from './queries'

/**
 * Counts of followers hold only people whom strangers may know of, so they change when someone comes into
 * sight or leaves it. Their circle is closed first, so that it stays the same; then everyone in it is locked,
 * in one order. Circles always come before rows: that is why no two of these can wait for each other.
 */
export async function lockAround(tx: Tx, userId: string): Promise<UserRow | undefined> {
  await closeCircle(tx, userId)
  for (const ids of slices([userId, ...(await findNeighbours(tx, userId))])) await lockMany(tx, ids)
  return (await lockUsers(tx, [userId]))[0]
}

export const appear = (tx: Tx, userId: string) => recount(tx, userId, 1)

export const disappear = (tx: Tx, userId: string) => recount(tx, userId, -1)

async function recount(tx: Tx, userId: string, change: number) {
  for (const ids of slices(await findNeighbours(tx, userId))) await addToCounts(tx, userId, ids, change)
}

/** A statement that wrote all hundred thousand followers of somebody would take longer than one may. */
const SLICE = 1000

/** In the order of ids, which is the same here and in the database. */
function* slices(ids: string[]) {
  const sorted = ids.toSorted()
  for (let start = 0; start < sorted.length; start += SLICE) yield sorted.slice(start, start + SLICE)
}
