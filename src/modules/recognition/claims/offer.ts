import { type AppError, conflict, gone, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Offer } from './queries'

export const noSuchLink = () => notFound('Claim link')

export const heldAlready = () => conflict(refusals.badgeYours)

export const usedUp = () => gone(refusals.claimLinkUsedUp)

/** Order matters: a repeated attempt gets "already held" before other errors. */
export function objection({ link, awardId }: Offer, at: Date): AppError | undefined {
  if (awardId !== null) return heldAlready()
  if (link.expiresAt !== null && link.expiresAt <= at) return gone(refusals.claimLinkExpired)
  if (link.maxUses !== null && link.currentUses >= link.maxUses) return usedUp()
  return undefined
}

export function demandOffer(offer: Offer | undefined, at: Date): Offer {
  if (!offer) throw noSuchLink()
  const refusal = objection(offer, at)
  if (refusal) throw refusal
  return offer
}
