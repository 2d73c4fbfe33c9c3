import type { Caller } from '@/core/caller'

type Knowable = { id: string; username: string | null; profileVisibility: string; suspendedAt: Date | null }

/** Whom strangers may know of. The same words are in SQL, in `queries.ts` and in the indexes of the table. */
export const isPublic = (user: Knowable) =>
  user.profileVisibility === 'public' && user.suspendedAt === null && user.username !== null

/** A private profile is there for its owner and for administrators; for everyone else it does not exist. */
export const mayKnow = (caller: Caller, user: Knowable) =>
  isPublic(user) || user.id === caller.userId || caller.scopes.has('admin')
