import { soon } from '@/core/soon'
import { db } from '@/db/client'
import { listEnded, PORTIONS, unmarkEnded } from './queries'

/*
 * A deleted group is gone for everyone at once, because every read of its events and favorites joins the group. The
 * rows themselves may be hundreds of thousands: they are deleted by portions. A sweep continues what was interrupted.
 */

/** Portions that the answer waits for: a group of ordinary size has no more. */
const AWAITED = 8

/** Deletes what a deleted group had. Call after the commit. */
export const clearSoon = (groupId: string): Promise<void> =>
  soon('clearing a deleted group', AWAITED, (tell) => clear(groupId, tell))

export async function clearAll(): Promise<void> {
  for (const groupId of await listEnded(db)) await clear(groupId)
}

async function clear(groupId: string, tell = () => {}): Promise<void> {
  for (const deletePortion of PORTIONS)
    for (let more = true; more; tell()) more = await deletePortion(db, groupId)
  await unmarkEnded(db, groupId)
}
