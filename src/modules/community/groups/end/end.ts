import { soon } from '@/core/in-turns'
import { db } from '@/db/client'
import { listEnded, PORTIONS, unmarkEnded } from './queries'

/**
 * A deleted group disappears at once, because all reads of its events and favorites join it. Its rows may be hundreds of thousands,
 * so they are deleted in batches. A sweep resumes interrupted deletions.
 */

/** Call after the commit. */
export const clearSoon = (groupId: string): Promise<void> =>
  soon('clearing a deleted group', () => clear(groupId))

export async function clearAll(): Promise<void> {
  for (const groupId of await listEnded(db)) await clear(groupId)
}

async function clear(groupId: string): Promise<void> {
  for (const deletePortion of PORTIONS) while (await deletePortion(db, groupId)) {}
  await unmarkEnded(db, groupId)
}
