import type { Tx } from '@/db/client'
import { award } from '@/modules/recognition/badges/award'
import { emit } from '@/outbox/emit'
import { findBadgeOf } from './queries'

/** The consequences of a completed achievement: a domain event, and its badge. */
export async function celebrate(tx: Tx, key: string, userId: string): Promise<void> {
  const badge = await findBadgeOf(tx, key)
  await emit(tx, 'achievement.unlocked', { key, userId, badgeSlug: badge?.slug ?? null })
  // A badge that the person holds already stays as it is.
  if (badge) await award(tx, badge, userId, 'achievement')
}
