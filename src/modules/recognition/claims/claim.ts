import type { Tx } from '@/db/client'
import { databaseError } from '@/db/conflicts'
import { about, award } from '@/modules/recognition/badges/award'
import { emit } from '@/outbox/emit'
import { demandOffer, heldAlready, noSuchLink, usedUp } from './offer'
import { countUse, findOffer, type Offer } from './queries'

/**
 * Claims the badge of a link. Everyone who opens the link waits for its row, so the use is counted last, right before
 * the commit; where there is none left, the badge and the domain events are rolled back.
 */
export async function claim(tx: Tx, { link, badge }: Offer, userId: string, at: Date): Promise<void> {
  if (!(await award(tx, badge, userId, 'claim').catch(explainGone))) throw heldAlready()
  await emit(tx, 'badge.claimed', { ...about(badge, userId), linkId: link.id })
  if (await countUse(tx, link.id, at)) return
  // The link has changed since it was read; the same rules say how. The badge that was just given is no objection.
  demandOffer(await findOffer(tx, link.code, null), at)
  throw usedUp()
}

/** A badge that is deleted meanwhile takes its links along. */
function explainGone(error: unknown): never {
  throw databaseError(error)?.code === '23503' ? noSuchLink() : error
}
