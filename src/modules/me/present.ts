import type { Caller } from '@/core/caller'
import { iso } from '@/core/shapes'
import type { UserRow } from '@/modules/users/queries'
import type { UserBasic, UserProfile } from './schema'

export const presentMe = (caller: Caller, user: UserRow): UserBasic => ({
  id: user.id,
  name: user.name,
  avatarUrl: user.avatarUrl,
  username: user.username,
  ...addressFor(caller, user),
  lastLoginAt: iso(user.lastLoginAt),
})

export const presentOwnProfile = (caller: Caller, user: UserRow): UserProfile => ({
  id: user.id,
  name: user.name,
  username: user.username,
  avatarUrl: user.avatarUrl,
  heroImageUrl: user.heroImageUrl,
  themeColor: user.themeColor,
  bio: user.bio,
  location: user.location,
  socialLinks: user.socialLinks,
  role: user.role,
  profileVisibility: user.profileVisibility,
  showOnLeaderboard: user.showOnLeaderboard,
  createdAt: iso(user.createdAt),
  ...addressFor(caller, user),
})

/** The mail address is for its owner's session, or for a token with the scope. */
const addressFor = (caller: Caller, { email }: UserRow) =>
  email !== null && caller.scopes.has('user:email') ? { email } : {}
