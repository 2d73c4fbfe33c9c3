import { now } from '@/core/clock'
import { conflict, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { explain } from '@/db/conflicts'
import { emit } from '@/outbox/emit'
import { type AwardRow, type BadgeRow, deleteAward, insertAward } from './queries'

type Badge = Pick<BadgeRow, 'id' | 'groupId' | 'slug'>

/** The only way to award a badge. Returns false if the person already holds it. */
export async function award(
  tx: Tx,
  badge: Badge,
  userId: string,
  source: AwardRow['source'],
): Promise<boolean> {
  const row = await insertAward(tx, {
    id: newId(),
    badgeId: badge.id,
    userId,
    source,
    awardedAt: now(),
  })
  if (!row) return false
  await emit(tx, 'badge.awarded', { ...about(badge, userId), points: row.points, source })
  await emitScore(tx, row, row.points)
  return true
}

/** Awards a badge, or throws 409 if the person already holds it. */
export async function awardOrConflict(tx: Tx, badge: BadgeRow, userId: string, source: AwardRow['source']) {
  if (!(await award(tx, badge, userId, source).catch(explainGone))) throw conflict(refusals.badgeHeld)
}

const explainGone = explain({ badge_awards_gone: () => notFound('Badge or person') })

/** The only way to revoke a badge. Returns false if the person does not hold it. */
export async function revoke(tx: Tx, badge: Badge, userId: string): Promise<boolean> {
  const row = await deleteAward(tx, badge.id, userId)
  if (!row) return false
  await emit(tx, 'badge.revoked', about(badge, userId))
  await emitScore(tx, row, -row.points)
  return true
}

export const about = ({ id, groupId, slug }: Badge, userId: string) => ({
  badgeId: id,
  groupId,
  userId,
  slug,
})

/** The database maintains the score; hidden badges do not count. */
async function emitScore(tx: Tx, { groupId, userId, hidden }: AwardRow, change: number) {
  if (change !== 0 && !hidden) await emit(tx, 'score.changed', { userId, groupId, change })
}
