import type { Tx } from '@/db/client'
import { award } from '@/modules/recognition/badges/award'
import { emit } from '@/outbox/emit'
import { findBadgeOf } from './queries'

/** What follows when a person has completed something: everyone may hear of it, and its badge is theirs. */
export async function celebrate(tx: Tx, key: string, userId: string): Promise<void> {
  const badge = await findBadgeOf(tx, key)
  await emit(tx, 'achievement.unlocked', { key, userId, badgeSlug: badge?.slug ?? null })
  // Whoever holds it already keeps it as it is.
  if (badge) await award(tx, badge, userId, 'achievement')
}
