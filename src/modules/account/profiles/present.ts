import { iso } from '@/core/shapes'
import { presentEntry as presentConnectionEntry } from '@/modules/passes/connections/present'
import type { ConnectionRow } from '@/modules/passes/connections/queries'
import type { UserRow } from '@/modules/people/users/queries'
import type { completedBy } from '@/modules/recognition/achievements/queries'
import { presentByGroup, presentHeld } from '@/modules/recognition/badges/present'
import type { Face, HeldRow } from '@/modules/recognition/badges/queries'
import type { findFavoriteGroups, findPortfolio } from './queries'
import type { PublicUserList, PublicUserProfile } from './schema'

export type Known = {
  user: UserRow
  portfolio: Awaited<ReturnType<typeof findPortfolio>>
  favoriteGroups: Awaited<ReturnType<typeof findFavoriteGroups>>
  held: HeldRow[]
  achievements: Awaited<ReturnType<typeof completedBy>>
  githubUsername: string | null
  recentConnections: ConnectionRow[]
}

export const presentEntry = ({ user, badges }: { user: UserRow; badges: Face[] }): PublicUserList => ({
  // The query demands a username.
  username: user.username as string,
  name: user.name,
  bio: user.bio,
  location: user.location,
  avatarUrl: user.avatarUrl,
  themeColor: user.themeColor,
  badges,
  memberSince: iso(user.createdAt),
})

export const presentProfile = ({
  user,
  portfolio,
  favoriteGroups,
  held,
  achievements,
  githubUsername,
  recentConnections,
}: Known): PublicUserProfile => ({
  username: user.username as string,
  name: user.name,
  bio: user.bio,
  location: user.location,
  avatarUrl: user.avatarUrl,
  heroImageUrl: user.heroImageUrl,
  themeColor: user.themeColor,
  socialLinks: user.socialLinks,
  githubUsername,
  favoriteGroups,
  badges: held.filter(({ group }) => group === null).map(presentHeld),
  groupBadges: presentByGroup(held),
  achievements: achievements.map((row) => ({ ...row, completedAt: iso(row.completedAt) })),
  portfolioItems: portfolio,
  xpScore: user.xp,
  followerCount: user.followerCount,
  followingCount: user.followingCount,
  recentConnections: recentConnections.map(presentConnectionEntry),
  memberSince: iso(user.createdAt),
})
