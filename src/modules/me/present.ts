import type { Caller } from '@/core/caller'
import { iso } from '@/core/shapes'
import type { UserRow } from './queries'
import type { UserBasic } from './schema'

/** The mail address is for its owner's session, or for a token with the scope. */
export const presentMe = (caller: Caller, user: UserRow): UserBasic => ({
  id: user.id,
  name: user.name,
  avatarUrl: user.avatarUrl,
  username: user.username,
  ...(user.email !== null && caller.scopes.has('user:email') && { email: user.email }),
  lastLoginAt: iso(user.lastLoginAt),
})
