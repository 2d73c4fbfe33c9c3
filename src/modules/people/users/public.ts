import type { Caller } from '@/core/caller'

/**
 * A private profile, and that of a suspended person, is visible to its owner and to administrators; for everyone else
 * it does not exist. Null is a stranger.
 */
export const mayKnow = (caller: Caller | null, user: { id: string; isPublic: boolean }) =>
  user.isPublic || (caller !== null && (user.id === caller.userId || caller.scopes.has('admin')))

/** The mail address is for its owner's session, or for a token with the scope. */
export const maySeeAddress = (caller: Caller) => caller.scopes.has('user:email')
