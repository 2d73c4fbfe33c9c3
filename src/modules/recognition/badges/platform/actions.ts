import { action } from '@/core/action'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { type CountedBadge, countBadges, IN_ORDER, listBadges, OF_PLATFORM } from '../catalog/queries'
import { changeBadge, createBadge, demandBadge, normalized, removeBadge } from '../change'
import { changing } from '../holders/settle'
import { presentManagedBadge } from '../present'
import { NewPlatformBadge, PlatformBadge, PlatformBadgeChange, PlatformBadgeInput } from './schema'

export const listPlatformBadges = action({
  name: 'listPlatformBadges',
  access: 'admin',
  reads: true,
  summary: 'List all badges of the platform, including hidden ones',
  input: PageInput,
  output: pageOf(PlatformBadge),
  run: async (_caller, input) =>
    keysetPage(
      {
        list: 'platform-badges',
        input,
        order: IN_ORDER,
        rows: (after) => listBadges(db, OF_PLATFORM, after),
        total: await countBadges(db, OF_PLATFORM),
      },
      present,
    ),
})

export const createPlatformBadge = action({
  name: 'createPlatformBadge',
  access: 'admin',
  summary: 'Create a badge of the platform',
  input: NewPlatformBadge,
  output: PlatformBadge,
  errors: ['conflict'],
  run: (caller, given) => {
    const fields = normalized(given)
    return transaction(async (tx) => {
      const made = await createBadge(tx, null, fields)
      const { id, slug, points, hidden } = made.badge
      await audit(tx, caller, {
        action: 'badge.create',
        targetType: 'badge',
        targetId: id,
        changes: { slug, points, hidden },
      })
      return present(made)
    })
  },
})

export const updatePlatformBadge = action({
  name: 'updatePlatformBadge',
  access: 'admin',
  summary: 'Change a badge of the platform',
  description: 'Omitted fields stay unchanged; the slug cannot change. Scores follow the points.',
  input: PlatformBadgeChange,
  output: PlatformBadge,
  errors: ['not_found'],
  run: (caller, { badgeId, ...given }) => {
    const change = normalized(given)
    return changing(badgeId, async (tx) => {
      const before = await demandBadge(tx, null, badgeId)
      const after = await changeBadge(tx, before, change)
      if (after !== before)
        await audit(tx, caller, {
          action: 'badge.update',
          targetType: 'badge',
          targetId: badgeId,
          changes: { fields: Object.keys(change), points: change.points, hidden: change.hidden },
        })
      return present(after)
    })
  },
})

export const deletePlatformBadge = action({
  name: 'deletePlatformBadge',
  access: 'admin',
  summary: 'Delete a badge of the platform',
  description: 'Removes it from all holders and deletes its claim links.',
  input: PlatformBadgeInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { badgeId }) =>
    changing(badgeId, async (tx) => {
      const { badge } = await demandBadge(tx, null, badgeId)
      await removeBadge(tx, badge)
      await audit(tx, caller, {
        action: 'badge.delete',
        targetType: 'badge',
        targetId: badgeId,
        changes: { slug: badge.slug },
      })
    }),
})

const present = (counted: CountedBadge): PlatformBadge => ({
  ...presentManagedBadge(counted),
  hidden: counted.badge.hidden,
})
