import { action } from '@/core/action'
import { now } from '@/core/clock'
import { db, type Tx } from '@/db/client'
import { databaseError } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { about, award } from '@/modules/recognition/badges/award'
import { presentFace } from '@/modules/recognition/badges/present'
import { emit } from '@/outbox/emit'
import { demandOffer, heldAlready, noSuchLink, objection, usedUp } from './offer'
import { countUse, findOffer, type Offer } from './queries'
import { ClaimBadgeResponse, ClaimInfo, CodeInput } from './schema'

export const readClaim = action({
  name: 'readClaim',
  access: 'public',
  reads: true,
  summary: 'See which badge a claim link gives',
  description:
    'A link that has expired or is used up is shown too, as not claimable; so is one whose badge you hold.',
  input: CodeInput,
  output: ClaimInfo,
  errors: ['not_found'],
  failureLimit: true,
  run: async (caller, { code }) => {
    // Whether the caller holds the badge is part of their profile, so it is told to credentials that may read it.
    const reader = caller?.scopes.has('read:user') ? caller.userId : null
    const offer = await findOffer(db, code.toLowerCase(), reader)
    if (!offer) throw noSuchLink()
    const reason = objection(offer, now())?.message
    return {
      badge: presentFace(offer.badge),
      group: offer.group,
      claimable: reason === undefined,
      ...(reason !== undefined && { reason }),
    }
  },
})

export const claimBadge = action({
  name: 'claimBadge',
  access: 'user',
  summary: 'Claim the badge of a link',
  input: CodeInput,
  output: ClaimBadgeResponse,
  errors: ['not_found', 'conflict', 'gone'],
  failureLimit: true,
  run: async ({ userId }, { code }) => {
    const at = now()
    const offer = demandOffer(await findOffer(db, code.toLowerCase(), userId), at)
    return transaction(async (tx) => {
      await claim(tx, offer, userId, at)
      return { badge: presentFace(offer.badge) }
    })
  },
})

/**
 * Claims the badge of a link. Everyone who opens the link waits for its row, so the use is counted last, right before
 * the commit; where there is none left, the badge and the domain events are rolled back.
 */
async function claim(tx: Tx, { link, badge }: Offer, userId: string, at: Date): Promise<void> {
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
