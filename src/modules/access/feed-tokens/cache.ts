import { hashSecret } from '@/auth/hashing'
import { gate } from '@/core/gate'
import { cache } from '@/outbox/cache'
import { findOwnerByHash } from './queries'
import { isFeedToken } from './secrets'

/** A person whose feed it is. The id of the token is another one after each rotation. */
export type FeedOwner = { userId: string; tokenId: string }

const HOUR_MS = 60 * 60 * 1000

/** Nobody counts who asks for feeds, and anyone can invent tokens whose checksum is right: they must not take the database. */
const pass = gate({ atOnce: 4, waitingMax: 500 })

/**
 * Owners by token. Calendars look every quarter of an hour, so entries stay for longer than that: whatever ends an
 * address is a domain event, and those reach every process even when the one that wrote them dies.
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

/** The owner of the feeds at an address; null when its token is none, is not any more, or is of somebody suspended. */
export const ownerOfFeedToken = (token: string): FeedOwner | null | Promise<FeedOwner | null> =>
  isFeedToken(token) ? owners.get(token) : null
