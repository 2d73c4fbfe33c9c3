import type { Caller } from '@/core/caller'

/** A private profile is there for its owner and for administrators; for everyone else it does not exist. */
export const mayKnow = (caller: Caller, user: { id: string; isPublic: boolean }) =>
  user.isPublic || user.id === caller.userId || caller.scopes.has('admin')

/** The mail address is for its owner's session, or for a token with the scope. */
export const maySeeAddress = (caller: Caller) => caller.scopes.has('user:email')
