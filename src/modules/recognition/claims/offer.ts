import { type AppError, conflict, gone, notFound } from '@/core/errors'
import type { Offer } from './queries'

export const noSuchLink = () => notFound('Claim link')

export const heldAlready = () => conflict('You hold this badge already')

export const usedUp = () => gone('This link is used up')

/** Order matters: a repeated attempt gets "already held" before other errors. */
export function objection({ link, awardId }: Offer, at: Date): AppError | undefined {
  if (awardId !== null) return heldAlready()
  if (link.expiresAt !== null && link.expiresAt <= at) return gone('This link has expired')
  if (link.maxUses !== null && link.currentUses >= link.maxUses) return usedUp()
  return undefined
}

export function demandOffer(offer: Offer | undefined, at: Date): Offer {
  if (!offer) throw noSuchLink()
  const refusal = objection(offer, at)
  if (refusal) throw refusal
  return offer
}
