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
  summary: 'Read a claim link',
  description: 'A link that is expired or used up, or whose badge you hold, is returned as not claimable.',
  input: CodeInput,
  output: ClaimInfo,
  errors: ['not_found'],
  failureLimit: true,
  run: async (caller, { code }) => {
    // Whether the caller holds the badge is profile data, so it needs the read scope.
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
 * All claims of a link wait for its row, so the use is counted last, right before the commit. If none is left, badge and domain
 * events roll back.
 */
async function claim(tx: Tx, { link, badge }: Offer, userId: string, at: Date): Promise<void> {
  if (!(await award(tx, badge, userId, 'claim').catch(explainGone))) throw heldAlready()
  await emit(tx, 'badge.claimed', { ...about(badge, userId), linkId: link.id })
  if (await countUse(tx, link.id, at)) return
  // The link changed after it was read: check again to throw the precise refusal. The new award must not count against it.
  demandOffer(await findOffer(tx, link.code, null), at)
  throw usedUp()
}

/** Deleting a badge deletes its links. */
function explainGone(error: unknown): never {
  throw databaseError(error)?.code === '23503' ? noSuchLink() : error
}
