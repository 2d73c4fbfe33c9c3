import { action } from '@/core/action'
import { now } from '@/core/clock'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { presentFace } from '@/modules/recognition/badges/present'
import { claim } from './claim'
import { demandOffer, noSuchLink, objection } from './offer'
import { findOffer } from './queries'
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
