import { soon } from '@/core/in-turns'
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

/**
 * Follower counts include only publicly visible people, so they change when a user is shown or hidden. That change marks the user;
 * afterwards the counts of related users are corrected in batches, each in its own transaction with ordered locks. A sweep resumes
 * interrupted corrections.
 */

/** Marks, within the change, that the counts around a locked user are outdated. */
export const outdate = markUncounted

/** Each row is written twice: about a hundred milliseconds. */
const PORTION = 250

/** Call after the commit. */
export const countAround = (userId: string): Promise<void> =>
  soon('counting followers', () => countOutdated(userId))

/** Resumes interrupted corrections. */
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

/** Returns false if more corrections are due, because of a new follow or another change. */
async function finish(tx: Tx, userId: string): Promise<boolean> {
  await lockUsers(tx, [userId])
  if ((await findOutdated(tx, userId)).length > 0) return false
  await unmarkUncounted(tx, userId)
  // Invalidates cached users around them.
  broadcast(tx, { type: 'followers.counted', data: { userId } })
  return true
}
