import type { Tx } from '@/db/client'
import { closeOwner, deleteQrPassOf, endTagsOf } from './queries'

/**
 * Ends the passes of a deleted account. The QR pass is deleted. Tags still exist physically, so they stay inactive forever instead
 * of blank, and a finder cannot claim one.
 */
export async function endPassesOf(tx: Tx, userId: string): Promise<void> {
  await closeOwner(tx, userId)
  await deleteQrPassOf(tx, userId)
  await endTagsOf(tx, userId)
}
