import type { Tx } from '@/db/client'
import { closeOwner, deleteQrPassOf, endTagsOf } from './queries'

/**
 * Ends the passes of somebody who is being deleted. The QR pass goes, so that its address is unknown. Tags are still on
 * somebody's things: they are nobody's and inactive for ever, instead of blank for whoever finds one.
 */
export async function endPassesOf(tx: Tx, userId: string): Promise<void> {
  await closeOwner(tx, userId)
  await deleteQrPassOf(tx, userId)
  await endTagsOf(tx, userId)
}
