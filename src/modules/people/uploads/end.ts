import type { Tx } from '@/db/client'
import { emitAll } from '@/outbox/emit'
import { markAllRemovedOf } from './queries'

/** Ends all that a person uploaded, or may still send, and tells of every file that others may have seen. */
export async function endUploadsOf(tx: Tx, userId: string): Promise<void> {
  const removed = await markAllRemovedOf(tx, userId)
  await emitAll(
    tx,
    'upload.deleted',
    removed.filter(({ file }) => file !== null).map(({ key }) => ({ userId, key })),
  )
}
