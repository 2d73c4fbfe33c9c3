import { iso } from '@/core/shapes'
import { emojiUrl } from '@/http/emoji'
import type { CountedBadge } from './catalog/queries'
import type { BadgeRow, HeldRow } from './queries'
import { rarityOf } from './rarity'
import type {
  BadgeCatalog,
  BadgeDetail,
  GroupBadgeGroup,
  ManagedBadge,
  ProfileBadge,
  UserBadge,
} from './schema'

/** The fields that everyone who sees a badge sees. */
export const presentFace = (badge: BadgeRow) => ({
  name: badge.name,
  slug: badge.slug,
  description: badge.description,
  icon: badge.icon,
  iconUrl: emojiUrl(badge.icon),
  color: badge.color,
  points: badge.points,
})

export const presentBadge = ({
  badge,
  holders,
  publicHolders,
  publicPeople,
}: CountedBadge): BadgeCatalog => ({
  id: badge.id,
  ...presentFace(badge),
  sortOrder: badge.sortOrder,
  awardedCount: holders,
  rarity: rarityOf(publicHolders, publicPeople),
})

export const presentDetail = (counted: CountedBadge): BadgeDetail => ({
  ...presentBadge(counted),
  createdAt: iso(counted.badge.createdAt),
})

/** A badge as its managers see it, to whom its rarity says nothing. */
export function presentManagedBadge(counted: CountedBadge): ManagedBadge {
  const { rarity: _, ...badge } = presentDetail(counted)
  return badge
}

/** A badge on the profile of somebody who holds it. */
export const presentHeld = ({ badge, awardedAt, publicHolders, publicPeople }: HeldRow): ProfileBadge => ({
  ...presentFace(badge),
  awardedAt: iso(awardedAt),
  rarity: rarityOf(publicHolders, publicPeople),
})

export const presentOwn = (row: HeldRow): UserBadge => ({ ...presentHeld(row), group: row.group })

/** Held badges by group; the rows come in the order in which they are shown. */
export const presentByGroup = (rows: HeldRow[]): GroupBadgeGroup[] =>
  [...Map.groupBy(rows, ({ group }) => group?.id).values()].flatMap((own) => {
    const group = own[0]?.group
    if (!group) return []
    const badges = own.map(presentHeld)
    return [{ group, badges, xpSubtotal: badges.reduce((sum, { points }) => sum + points, 0) }]
  })
