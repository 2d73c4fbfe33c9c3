import { hashSecret } from '@/auth/secrets'
import { gate } from '@/core/gate'
import { cache } from '@/outbox/cache'
import { findOwnerByHash } from './queries'
import { isFeedToken } from './secrets'

/** The owner of a feed. The token id changes with each rotation. */
export type FeedOwner = { userId: string; tokenId: string }

const HOUR_MS = 60 * 60 * 1000

/** Feeds have no rate limit, and anyone can invent tokens with a valid checksum: they must not exhaust the database. */
const pass = gate({ atOnce: 4, waitingMax: 500 })

/**
 * Owners by token. Calendars poll every 15 minutes, so entries live longer: a domain event invalidates them in every process,
 * even if its writer crashes.
 */
const owners = cache<FeedOwner | null>({
  max: 50_000,
  maxAgeMs: HOUR_MS,
  load: async (token) => {
    const found = await pass(() => findOwnerByHash(hashSecret(token)))
    return found?.suspendedAt === null ? { userId: found.userId, tokenId: found.tokenId } : null
  },
  drops: ({ type, data }, drop) => {
    if (type === 'feed_token.rotated' || type === 'user.suspended' || type === 'user.deleted')
      drop.where((owner) => owner?.userId === data.userId)
  },
})

/** The owner of a feed address; null if the token is unknown or revoked, or its owner suspended. */
export const ownerOfFeedToken = (token: string): FeedOwner | null | Promise<FeedOwner | null> =>
  isFeedToken(token) ? owners.get(token) : null
