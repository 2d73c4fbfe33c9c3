import type { Tx } from '@/db/client'
import type { BadgeRow } from '../queries'
import { lockBadge, settleLater } from './queries'

/*
 * A change of points or visibility, and the end of a badge, reach its holders by a trigger, in the same transaction.
 * Where they are many, the trigger marks the badge, and holders follow by portions (`settle.ts`).
 */

/** Before a badge is changed. While it is locked it cannot be given. */
export async function holdForChange(tx: Tx, badge: BadgeRow): Promise<void> {
  if (await lockBadge(tx, badge, 'no key update')) await settleLater(tx)
}

/** Before a badge is deleted. */
export async function holdForEnd(tx: Tx, badge: BadgeRow): Promise<void> {
  if (await lockBadge(tx, badge, 'update')) await settleLater(tx)
}
