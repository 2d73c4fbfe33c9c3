import { iso } from '@/core/shapes'
import { emojiUrl } from '@/http/emoji'
import type { CountedBadge } from './catalog/queries'
import type { BadgeRow, HeldRow } from './queries'
import type {
  BadgeCatalog,
  BadgeDetail,
  GroupBadgeGroup,
  ManagedBadge,
  ProfileBadge,
  Rarity,
  UserBadge,
} from './schema'

const TIERS = [
  { below: 1, tier: 'legendary' },
  { below: 5, tier: 'epic' },
  { below: 15, tier: 'rare' },
  { below: 50, tier: 'uncommon' },
] as const

/** Rarity among publicly visible people. */
export function rarityOf(publicHolders: number, publicPeople: number): Rarity {
  const share = publicPeople === 0 ? 0 : Math.min(100, (publicHolders / publicPeople) * 100)
  return {
    // Uses the exact share: 14.96 rounds to 15 but is still rare.
    tier: TIERS.find(({ below }) => share < below)?.tier ?? 'common',
    percentage: Math.round(share * 10) / 10,
  }
}

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

/** Without rarity. */
export function presentManagedBadge(counted: CountedBadge): ManagedBadge {
  const { rarity: _, ...badge } = presentDetail(counted)
  return badge
}

export const presentHeld = ({ badge, awardedAt, publicHolders, publicPeople }: HeldRow): ProfileBadge => ({
  ...presentFace(badge),
  awardedAt: iso(awardedAt),
  rarity: rarityOf(publicHolders, publicPeople),
})

export const presentOwn = (row: HeldRow): UserBadge => ({ ...presentHeld(row), group: row.group })

/** Keeps the order of the rows. */
export const presentByGroup = (rows: HeldRow[]): GroupBadgeGroup[] =>
  [...Map.groupBy(rows, ({ group }) => group?.id).values()].flatMap((own) => {
    const group = own[0]?.group
    if (!group) return []
    const badges = own.map(presentHeld)
    return [{ group, badges, xpSubtotal: badges.reduce((sum, { points }) => sum + points, 0) }]
  })
