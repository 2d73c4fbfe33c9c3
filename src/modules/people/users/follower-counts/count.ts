import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
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
 * Counts of followers hold only people whom strangers may know of, so they change when someone comes into sight or
 * leaves it. That it happened is written down with the change; then those around are counted, a portion at a time and
 * each in a change of its own, whose locks come in one order. Whoever is stopped half-way is followed by a sweep.
 */

/** Writes down, in the change itself, that those around a locked person count them as they stood before. */
export const outdate = markUncounted

/** A few hundred milliseconds even where the machine is busy. */
const PORTION = 1000

/** An answer waits for so many portions: of all but a few people, that is everyone around them. */
const AWAITED = 4

/** Lets everyone around a person count them as they stand. Call after the commit. */
export async function countAround(userId: string): Promise<void> {
  const enough = Promise.withResolvers<void>()
  let portions = 0
  const counted = countOutdated(userId, () => {
    portions += 1
    if (portions === AWAITED) enough.resolve()
  })
  await Promise.race([enough.promise, counted.catch(leaveToSweep)])
}

const leaveToSweep = (error: Error) => log.warn('counting followers is left to the sweep', reasonOf(error))

/** Ends what somebody began and could not end. */
export async function countAroundAll(): Promise<void> {
  for (const userId of await listUncounted(db)) await countOutdated(userId)
}

async function countOutdated(userId: string, tell = () => {}): Promise<void> {
  for (;;) {
    const ids = (await findOutdated(db, userId)).toSorted()
    if (ids.length === 0 && (await transaction((tx) => finish(tx, userId)))) return
    for (let start = 0; start < ids.length; start += PORTION) {
      await transaction((tx) => countPortion(tx, userId, ids.slice(start, start + PORTION)))
      tell()
    }
  }
}

async function countPortion(tx: Tx, userId: string, ids: string[]) {
  await lockMany(tx, [userId, ...ids])
  const [person] = await lockUsers(tx, [userId])
  await (person ? countAmong : removeAmong)(tx, userId, ids)
}

/** False when somebody has begun to follow them, or they have changed again, since nobody was left. */
async function finish(tx: Tx, userId: string): Promise<boolean> {
  await lockUsers(tx, [userId])
  if ((await findOutdated(tx, userId)).length > 0) return false
  await unmarkUncounted(tx, userId)
  // Whatever was remembered of those around them meanwhile is out of date.
  broadcast(tx, { type: 'followers.counted', data: { userId } })
  return true
}
