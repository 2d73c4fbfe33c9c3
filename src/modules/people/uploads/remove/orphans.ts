import { db } from '@/db/client'
import { removeOrphans } from '@/outbound/storage/orphans'
import { findUploadsNaming } from '../doctor/queries'
import { objectsOf } from '../key'

/** Removes orphaned upload objects. */
export async function removeOrphanedUploads(only?: 'incoming/'): Promise<void> {
  for (const prefix of only ? [only] : (['incoming/', 'files/'] as const))
    await removeOrphans(prefix, async (ids) => (await findUploadsNaming(db, ids)).flatMap(objectsOf))
}
