import { soon } from '@/core/soon'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { lockUsers } from '../queries'
import {
  countAmong,
  findOutdated,
  listUncounted,
  lockMany,
  markUncounted,
  removeAmong,
  unmarkUncounted,
} from './queries'

/*
 * Follower counts hold only people whom strangers may know of, so they change when somebody is shown or hidden. The
 * change itself marks the person; after it the counts of people around them are corrected, a portion at a time and each
 * in a transaction of its own, whose locks come in one order. A sweep continues what was interrupted.
 */

/** Marks, in the change itself, that people around a locked person count them as they were before. */
export const outdate = markUncounted

/** Each of them is written twice: a hundred milliseconds. */
const PORTION = 250

/** Corrects the counts of everyone around a person. Call after the commit. */
export const countAround = (userId: string): Promise<void> =>
  soon('counting followers', () => countOutdated(userId))

/** Continues the corrections that were interrupted. */
export async function countAroundAll(): Promise<void> {
  for (const userId of await listUncounted(db)) await countOutdated(userId)
}

async function countOutdated(userId: string): Promise<void> {
  for (;;) {
    const ids = (await findOutdated(db, userId)).toSorted()
    if (ids.length === 0 && (await transaction((tx) => finish(tx, userId)))) return
    for (let start = 0; start < ids.length; start += PORTION)
      await transaction((tx) => countPortion(tx, userId, ids.slice(start, start + PORTION)))
  }
}

async function countPortion(tx: Tx, userId: string, ids: string[]) {
  await lockMany(tx, [userId, ...ids])
  const [person] = await lockUsers(tx, [userId])
  await (person ? countAmong : removeAmong)(tx, userId, ids)
}

/** False when there are people to correct again: a new follow, or another change of the person, came meanwhile. */
async function finish(tx: Tx, userId: string): Promise<boolean> {
  await lockUsers(tx, [userId])
  if ((await findOutdated(tx, userId)).length > 0) return false
  await unmarkUncounted(tx, userId)
  // Cached people around them are out of date.
  broadcast(tx, { type: 'followers.counted', data: { userId } })
  return true
}
