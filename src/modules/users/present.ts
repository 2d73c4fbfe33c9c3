import { iso } from '@/core/shapes'
import type { Known } from './memory'
import type { UserRow } from './queries'
import type { PublicUserList, PublicUserProfile } from './schema'

export const presentEntry = (user: UserRow): PublicUserList => ({
  // Whoever is listed has a username: the query asks for it.
  username: user.username as string,
  name: user.name,
  bio: user.bio,
  location: user.location,
  avatarUrl: user.avatarUrl,
  themeColor: user.themeColor,
  badges: [],
  memberSince: iso(user.createdAt),
})

export const presentProfile = ({ user, portfolio, favoriteGroups }: Known): PublicUserProfile => ({
  username: user.username as string,
  name: user.name,
  bio: user.bio,
  location: user.location,
  avatarUrl: user.avatarUrl,
  heroImageUrl: user.heroImageUrl,
  themeColor: user.themeColor,
  socialLinks: user.socialLinks,
  githubUsername: null,
  favoriteGroups,
  badges: [],
  groupBadges: [],
  achievements: [],
  portfolioItems: portfolio,
  xpScore: user.xp,
  followerCount: user.followerCount,
  followingCount: user.followingCount,
  recentConnections: [],
  memberSince: iso(user.createdAt),
})
