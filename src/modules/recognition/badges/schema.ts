import { type Static, Type } from '@sinclair/typebox'
import { line, oneOf } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'

const text = () => Type.String()
const textOrNull = () => orNull(Type.String())

export const Rarity = Type.Object(
  {
    tier: oneOf(['common', 'uncommon', 'rare', 'epic', 'legendary'], {
      description: 'How few people have it.',
    }),
    percentage: Type.Number({ description: 'Percentage of public people who hold it, with one decimal.' }),
  },
  { $id: 'Rarity' },
)
export type Rarity = Static<typeof Rarity>

const iconUrl = orNull(Type.String({ format: 'uri', description: 'A picture of the emoji.' }))

const face = { name: text(), slug: text(), description: textOrNull(), icon: text(), color: text() }

const listed = { id: wireId(), ...face, iconUrl, points: Type.Number(), sortOrder: Type.Number() }

export const BadgeCatalog = Type.Object(
  { ...listed, awardedCount: Type.Number(), rarity: Rarity },
  { $id: 'BadgeCatalog' },
)
export type BadgeCatalog = Static<typeof BadgeCatalog>

export const BadgeDetail = Type.Object(
  { ...BadgeCatalog.properties, createdAt: orNull(wireTime()) },
  { $id: 'BadgeDetail' },
)
export type BadgeDetail = Static<typeof BadgeDetail>

export const ManagedBadge = Type.Object(
  { ...listed, createdAt: orNull(wireTime()), awardedCount: Type.Number() },
  { $id: 'ManagedBadge' },
)
export type ManagedBadge = Static<typeof ManagedBadge>

const held = { ...face, points: Type.Number(), awardedAt: orNull(wireTime()), rarity: Rarity }

export const ProfileBadge = Type.Object({ ...held, iconUrl }, { $id: 'ProfileBadge' })
export type ProfileBadge = Static<typeof ProfileBadge>

export const UserBadge = Type.Object(
  {
    ...ProfileBadge.properties,
    group: orNull(
      Type.Object(
        { id: wireId(), name: text(), urlname: textOrNull(), photoUrl: textOrNull() },
        { description: 'The group that awards it; null for badges of the platform.' },
      ),
    ),
  },
  { $id: 'UserBadge' },
)
export type UserBadge = Static<typeof UserBadge>

export const GroupBadgeGroup = Type.Object(
  {
    group: Type.Object({ id: wireId(), name: text(), urlname: text(), photoUrl: textOrNull() }),
    badges: Type.Array(Type.Object(held)),
    xpSubtotal: Type.Number(),
  },
  { $id: 'GroupBadgeGroup' },
)
export type GroupBadgeGroup = Static<typeof GroupBadgeGroup>

export const UserGroupBadges = Type.Object(
  { groups: Type.Array(GroupBadgeGroup) },
  { $id: 'UserGroupBadges' },
)

/** Accepts any line, so that malformed slugs answer 404 instead of 400. */
export const BadgeSlugInput = Type.Object({ slug: line(1, 100) })
