import type { Tx } from '@/db/client'
import type { BadgeRow } from '../queries'
import { deleteAwards, lockBadge, lockHolders, NOBODY, type Portion, setWorth, type Worth } from './queries'

/*
 * Copies a change of points or visibility to all awards ahead of the trigger, which would do it in one statement. For a
 * badge that everyone holds that would exceed its timeout, so it is done by portions in the same transaction: nobody
 * sees a part.
 */

export async function spreadWorth(tx: Tx, badge: BadgeRow, change: Partial<Worth>): Promise<void> {
  const current = await lockBadge(tx, badge, 'no key update')
  if (!current) return
  const { points = current.points, hidden = current.hidden } = change
  if (current.points !== points || current.hidden !== hidden)
    await byPortions(tx, badge.id, (portion) => setWorth(tx, badge.id, portion, { points, hidden }))
}

export async function takeFromAll(tx: Tx, badge: BadgeRow): Promise<void> {
  if (await lockBadge(tx, badge, 'update'))
    await byPortions(tx, badge.id, (portion) => deleteAwards(tx, badge.id, portion))
}

/** No holder is missed: while the badge is locked, it cannot be given. */
async function byPortions(tx: Tx, badgeId: string, change: (portion: Portion) => Promise<unknown>) {
  for (let after = NOBODY; ; ) {
    const last = await lockHolders(tx, badgeId, after)
    if (last === undefined) return
    await change({ after, last })
    after = last
  }
}
