import { iso } from '@/core/shapes'
import type { UserRow } from '@/modules/people/users/queries'
import type { UserBasic, UserProfile } from './schema'

export const presentMe = (user: UserRow, withAddress: boolean): UserBasic => ({
  id: user.id,
  name: user.name,
  avatarUrl: user.avatarUrl,
  username: user.username,
  ...(withAddress && user.email !== null && { email: user.email }),
  lastLoginAt: iso(user.lastLoginAt),
})

export const presentOwnProfile = (user: UserRow, withAddress: boolean): UserProfile => ({
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
  ...(withAddress && user.email !== null && { email: user.email }),
})
