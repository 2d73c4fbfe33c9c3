import { now } from '@/core/clock'
import type { Db, Tx } from '@/db/client'
import { findIdByAddress, isHeldAddress } from '@/modules/access/sign-in/queries'
import type { ChangeRow } from './queries'

/** Whether the new address belongs to another person, or may still return to one. */
export async function isTaken(
  db: Db | Tx,
  { userId, newEmail }: Pick<ChangeRow, 'userId' | 'newEmail'>,
): Promise<boolean> {
  const holder = await findIdByAddress(db, newEmail)
  return (holder !== undefined && holder !== userId) || isHeldAddress(db, newEmail, now(), { userId })
}
