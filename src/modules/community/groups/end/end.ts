import { soon } from '@/core/soon'
import { db } from '@/db/client'
import { listEnded, PORTIONS, unmarkEnded } from './queries'

/*
 * A deleted group is gone for everyone at once, because every read of its events and favorites joins the group. The
 * rows themselves may be hundreds of thousands: they are deleted by portions. A sweep continues what was interrupted.
 */

/** Deletes what a deleted group had. Call after the commit. */
export const clearSoon = (groupId: string): Promise<void> =>
  soon('clearing a deleted group', () => clear(groupId))

export async function clearAll(): Promise<void> {
  for (const groupId of await listEnded(db)) await clear(groupId)
}

async function clear(groupId: string): Promise<void> {
  for (const deletePortion of PORTIONS) while (await deletePortion(db, groupId)) {}
  await unmarkEnded(db, groupId)
}
