import { soon } from '@/core/soon'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import {
  deleteAwards,
  findBadgeRow,
  isUnsettled,
  listUnsettled,
  lockBadge,
  lockUnsettled,
  markSettled,
  NOBODY,
  setWorth,
} from './queries'

/*
 * The awards of a badge with many holders follow its change by portions, each in a transaction of its own whose locks
 * come in the order of everyone: the group, the badge, its holders by id, their awards. At any moment scores are the sum
 * of the awards. A sweep continues what was interrupted.
 */

/** Runs a change of a badge and settles its awards. */
export async function changing<T>(badgeId: string, change: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await transaction(change)
  if (await isUnsettled(db, badgeId)) await soon('settling a badge', () => settle(badgeId))
  return result
}

/** Continues what was interrupted. */
export async function settleAll(): Promise<void> {
  for (const badgeId of await listUnsettled(db)) await settle(badgeId)
}

async function settle(badgeId: string): Promise<void> {
  for (let after: string | undefined = NOBODY; after !== undefined; ) {
    const from: string = after
    after = await transaction((tx) => settlePortion(tx, badgeId, from))
  }
}

/** Gives the last holder of the portion; undefined when all awards are as the badge is. */
async function settlePortion(tx: Tx, badgeId: string, after: string): Promise<string | undefined> {
  const known = await findBadgeRow(tx, badgeId)
  const badge = (known && (await lockBadge(tx, known, 'no key update'))) ?? null
  const last = await lockUnsettled(tx, badgeId, badge, after)
  if (last === undefined) {
    // An award that came while the badge changed again may be behind.
    if (after !== NOBODY) return NOBODY
    const groupId = await markSettled(tx, badgeId, badge === null)
    broadcast(tx, { type: 'badge.settled', data: { badgeId, groupId } })
    return undefined
  }
  await (badge ? setWorth(tx, badgeId, { after, last }, badge) : deleteAwards(tx, badgeId, { after, last }))
  return last
}
