import { now } from '@/core/clock'
import { conflict } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Db, Tx } from '@/db/client'
import { findIdByAddress, isHeldAddress } from '@/modules/access/sign-in/queries'
import { type ChangeRow, findUndoableConfirmed } from './queries'

/** Whether the new address belongs to another person, or may still return to one. */
export async function isTaken(
  db: Db | Tx,
  { userId, newEmail }: Pick<ChangeRow, 'userId' | 'newEmail'>,
): Promise<boolean> {
  const holder = await findIdByAddress(db, newEmail)
  return (holder !== undefined && holder !== userId) || isHeldAddress(db, newEmail, now(), { userId })
}

/** A thief of the address must not delete the account before its owner can take it back. */
export async function demandSettledAddress(tx: Tx, userId: string): Promise<void> {
  const change = await findUndoableConfirmed(tx, userId, now())
  if (!change) return
  // Rounds up to the minute.
  const until = new Date(change.undoUntil.getTime() + 59_999).toISOString().slice(0, 16).replace('T', ' ')
  throw conflict(refusals.addressChangedLately(until))
}
