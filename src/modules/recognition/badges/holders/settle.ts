import { FIRST_ID } from '@/core/ids'
import { soon } from '@/core/in-turns'
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
  setWorth,
} from './queries'

/**
 * Awards of a badge with many holders follow its change in batches, each in its own transaction, with the usual lock order: group,
 * badge, holders by id, awards. Scores always equal the sum of awards. A sweep resumes interrupted batches.
 */

export async function changing<T>(badgeId: string, change: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await transaction(change)
  if (await isUnsettled(db, badgeId)) await soon('settling a badge', () => settle(badgeId))
  return result
}

/** Resumes interrupted batches. */
export async function settleAll(): Promise<void> {
  for (const badgeId of await listUnsettled(db)) await settle(badgeId)
}

async function settle(badgeId: string): Promise<void> {
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const from: string = after
    after = await transaction((tx) => settlePortion(tx, badgeId, from))
  }
}

/** Returns the last holder of the batch; undefined when all awards match the badge. */
async function settlePortion(tx: Tx, badgeId: string, after: string): Promise<string | undefined> {
  const known = await findBadgeRow(tx, badgeId)
  const badge = (known && (await lockBadge(tx, known, 'no key update'))) ?? null
  const last = await lockUnsettled(tx, badgeId, badge, after)
  if (last === undefined) {
    // An award inserted during another change may be outdated: scan once more.
    if (after !== FIRST_ID) return FIRST_ID
    const groupId = await markSettled(tx, badgeId, badge === null)
    broadcast(tx, { type: 'badge.settled', data: { badgeId, groupId } })
    return undefined
  }
  await (badge ? setWorth(tx, badgeId, { after, last }, badge) : deleteAwards(tx, badgeId, { after, last }))
  return last
}
