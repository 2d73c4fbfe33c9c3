import { now } from '@/core/clock'
import { conflict } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { findUndoableConfirmed } from './queries'

/** A thief of the address must not delete the account before its owner can take it back. */
export async function demandSettledAddress(tx: Tx, userId: string): Promise<void> {
  const change = await findUndoableConfirmed(tx, userId, now())
  if (!change) return
  // Rounds up to the minute.
  const until = new Date(change.undoUntil.getTime() + 59_999).toISOString().slice(0, 16).replace('T', ' ')
  throw conflict(refusals.addressChangedLately(until))
}
