import type { Tx } from '@/db/client'
import type { BadgeRow } from '../queries'
import { deleteAwards, lockBadge, lockHolders, NOBODY, type Portion, setWorth, type Worth } from './queries'

/*
 * The database does all of this by itself when a badge changes, in one statement. A badge that everyone holds would
 * take longer than a statement may, so it is done ahead, by portions in the same transaction: nobody sees a part.
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

/** Nobody comes in behind: while the badge is locked, it cannot be given. */
async function byPortions(tx: Tx, badgeId: string, change: (portion: Portion) => Promise<unknown>) {
  for (let after = NOBODY; ; ) {
    const last = await lockHolders(tx, badgeId, after)
    if (last === undefined) return
    await change({ after, last })
    after = last
  }
}
