import { type Static, Type } from '@sinclair/typebox'
import { handle, line, nullable, oneOf, optional, pattern, text, themeColor, webUrl } from '@/core/fields'
import { iso, orNull, wireId, wireTime } from '@/core/shapes'
import type { UserRow } from '@/modules/people/users/queries'

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

const email = Type.Optional(Type.String({ description: 'Only for a session, or with the scope user:email.' }))

export const UserBasic = Type.Object(
  {
    id: wireId(),
    name: Type.String(),
    avatarUrl: orNull(Type.String()),
    username: orNull(Type.String()),
    email,
    lastLoginAt: orNull(wireTime()),
  },
  { $id: 'UserBasic' },
)
export type UserBasic = Static<typeof UserBasic>

const Visibility = oneOf(['public', 'private'])

export const UserProfile = Type.Object(
  {
    id: wireId(),
    name: Type.String(),
    username: orNull(Type.String()),
    avatarUrl: orNull(Type.String()),
    heroImageUrl: orNull(Type.String()),
    themeColor: orNull(Type.String()),
    bio: orNull(Type.String()),
    location: orNull(Type.String()),
    socialLinks: orNull(Type.Array(Type.String())),
    role: Type.String({ description: '`user`, or `admin` for administrators.' }),
    profileVisibility: Visibility,
    showOnLeaderboard: orNull(Type.Boolean()),
    createdAt: wireTime(),
    email,
  },
  { $id: 'UserProfile' },
)
export type UserProfile = Static<typeof UserProfile>

export const UpdateProfileRequest = Type.Object(
  {
    name: optional(line(1, 100)),
    avatarUrl: optional(nullable(webUrl())),
    heroImageUrl: optional(nullable(webUrl())),
    themeColor: optional(nullable(themeColor())),
    username: optional(
      handle(
        pattern(
          '^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$',
          3,
          30,
          'must be 3 to 30 letters, digits or hyphens, with no hyphen at either end',
        ),
      ),
    ),
    bio: optional(nullable(text(0, 500))),
    location: optional(nullable(line(0, 100))),
    socialLinks: optional(nullable(Type.Array(webUrl(), { maxItems: 5 }))),
    showOnLeaderboard: optional(Type.Boolean()),
    profileVisibility: optional(Visibility),
  },
  { $id: 'UpdateProfileRequest' },
)

export const UsernameCheck = Type.Object(
  {
    available: Type.Boolean({ description: 'Whether the name is available.' }),
    reason: Type.Optional(Type.String({ description: 'Why it is not.' })),
  },
  { $id: 'UsernameCheck' },
)
