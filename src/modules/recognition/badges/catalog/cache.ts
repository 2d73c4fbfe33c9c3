import type { BusMessage } from '@/core/domain-events'
import type { Page, PageInput } from '@/core/page'
import { db } from '@/db/client'
import { type After, keysetPage } from '@/db/keyset'
import { cache } from '@/outbox/cache'
import { presentBadge, presentDetail } from '../present'
import type { BadgeRow } from '../queries'
import type { BadgeCatalog, BadgeDetail } from '../schema'
import { countBadges, findBadgeBySlug, IN_ORDER, listBadges, ofGroup, VISIBLE } from './queries'

/** Every new member changes rarity without a message, hence the short maximum age. */
const maxAgeMs = 1000

const catalogue = cache<Page<BadgeCatalog>>({
  max: 200,
  maxAgeMs,
  load: (key) => readCatalogue(JSON.parse(key) as PageInput),
  drops: (message, drop) => {
    if (changesBadges(message)) drop.all()
  },
})

export const cataloguePage = (input: PageInput) => catalogue.get(JSON.stringify(input))

const readCatalogue = async (input: PageInput): Promise<Page<BadgeCatalog>> =>
  keysetPage(
    {
      list: 'badges',
      input,
      order: IN_ORDER,
      rows: (after) => listBadges(db, VISIBLE, after),
      total: await countBadges(db, VISIBLE),
    },
    presentBadge,
  )

/** First badges of a group. Only platform badges can be hidden. */
const ofGroups = cache<BadgeCatalog[]>({
  max: 2000,
  maxAgeMs,
  load: async (groupId) => {
    const input = { limit: OF_GROUP_MAX, offset: 0 }
    const rows = (after: After) => listBadges(db, ofGroup(groupId), after)
    return (await keysetPage({ list: `badges:${groupId}`, input, order: IN_ORDER, rows }, presentBadge)).data
  },
  drops: (message, drop) => {
    if (changesBadges(message)) drop.all()
  },
})
const OF_GROUP_MAX = 30

/** The caller checks the visibility of the group. */
export const badgesOfGroup = (groupId: string) => ofGroups.get(groupId)

export type KnownBadge = {
  badge: BadgeRow
  group: { id: string; isListed: boolean; name: string; urlname: string } | null
  detail: BadgeDetail
}

const known = cache<KnownBadge | null>({
  max: 5000,
  maxAgeMs,
  load: async (slug) => {
    const found = await findBadgeBySlug(db, slug)
    return found ? { badge: found.badge, group: found.group, detail: presentDetail(found) } : null
  },
  drops: (message, drop) => {
    // Listing, unlisting or deleting a group affects its badges.
    if (changesBadges(message) || message.type === 'group.updated' || message.type === 'group.deleted')
      drop.all()
  },
})

export const badgeNamed = (slug: string) => known.get(slug)

/** Changes of badges, and of the visibility of holders. */
const changesBadges = ({ type }: BusMessage) =>
  type.startsWith('badge.') || type === 'user.updated' || type === 'user.deleted' || type === 'user.suspended'
