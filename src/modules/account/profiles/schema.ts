import { type Static, Type } from '@sinclair/typebox'
import { line, oneOf, optional } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'
import { ConnectionEntry } from '@/modules/passes/connections/schema'
import { GroupBadgeGroup, ProfileBadge } from '@/modules/recognition/badges/schema'

const text = () => Type.String()
const textOrNull = () => orNull(Type.String())

const ProfileAchievement = Type.Object(
  {
    key: text(),
    name: text(),
    description: textOrNull(),
    icon: textOrNull(),
    color: textOrNull(),
    completedAt: wireTime(),
  },
  { $id: 'ProfileAchievement' },
)

export const PublicUserList = Type.Object(
  {
    username: text(),
    name: textOrNull(),
    bio: textOrNull(),
    location: textOrNull(),
    avatarUrl: textOrNull(),
    themeColor: textOrNull(),
    badges: Type.Array(
      Type.Object({ name: text(), slug: text(), icon: text(), color: text(), description: textOrNull() }),
    ),
    memberSince: orNull(wireTime()),
  },
  { $id: 'PublicUserList' },
)
export type PublicUserList = Static<typeof PublicUserList>

export const PublicUserProfile = Type.Object(
  {
    username: text(),
    name: textOrNull(),
    bio: textOrNull(),
    location: textOrNull(),
    avatarUrl: textOrNull(),
    heroImageUrl: textOrNull(),
    themeColor: textOrNull(),
    socialLinks: orNull(Type.Array(text())),
    githubUsername: textOrNull(),
    favoriteGroups: Type.Array(Type.Object({ slug: text(), name: text(), photoUrl: textOrNull() })),
    badges: Type.Array(ProfileBadge),
    groupBadges: Type.Array(GroupBadgeGroup),
    achievements: Type.Array(ProfileAchievement),
    portfolioItems: Type.Array(
      Type.Object({
        id: wireId(),
        title: text(),
        description: textOrNull(),
        url: textOrNull(),
        imageUrl: textOrNull(),
      }),
    ),
    xpScore: Type.Number(),
    followerCount: Type.Number(),
    followingCount: Type.Number(),
    recentConnections: Type.Array(ConnectionEntry),
    memberSince: orNull(wireTime()),
  },
  { $id: 'PublicUserProfile' },
)
export type PublicUserProfile = Static<typeof PublicUserProfile>

export const DirectoryInput = Type.Object({
  ...pageFields,
  search: optional(line(1, 100, { description: 'A part of a name or username.' })),
  badge: optional(
    line(1, 500, { description: 'Slugs of badges, separated by commas: people who hold all of them.' }),
  ),
  sort: optional(
    oneOf(['joined', 'xp', 'badges'], { description: 'Newest members, most points or most badges first.' }),
  ),
})
export type DirectoryInput = Static<typeof DirectoryInput>
