import { conflict, invalidField, notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { explain } from '@/db/conflicts'
import { emit } from '@/outbox/emit'
import {
  type BadgeChange,
  type CountedBadge,
  deleteBadge,
  findBadgeOf,
  insertBadge,
  updateBadge,
} from './catalog/queries'
import { lockBadge, settleLater } from './holders/queries'
import type { BadgeRow } from './queries'

/** The schema only describes; `demandEmoji` checks, because no JSON Schema pattern can. */
export const icon = () => line(1, 32, { description: 'One emoji.' })

const ONE_EMOJI = /^\p{RGI_Emoji}$/v

/** Characters with text presentation by default, without a variation selector or skin tone. */
const MAYBE_TEXT = /(?!\p{Emoji_Presentation})\p{Emoji}(?![\uFE0F\p{Emoji_Modifier}])/gu

/** Adds the variation selector that keyboards and editors omit, so that ❤ renders as an emoji. */
export function demandEmoji(icon: string): string {
  const written = icon.replace(MAYBE_TEXT, '$&\uFE0F')
  if (!ONE_EMOJI.test(written)) throw invalidField('icon', refusals.oneEmoji)
  return written
}

const COLOR = '#64748b'

export type NewBadge = Pick<BadgeRow, 'name' | 'slug' | 'icon'> & Omit<BadgeChange, 'name' | 'icon'>

/** `groupId` is null for platform badges. */
export async function createBadge(tx: Tx, groupId: string | null, fields: NewBadge): Promise<CountedBadge> {
  const badge = await insertBadge(tx, { color: COLOR, ...fields, id: newId(), groupId }).catch(explainRefusal)
  await emit(tx, 'badge.created', about(badge))
  return { badge, holders: 0, publicHolders: 0, publicPeople: 0 }
}

/** Holders' scores follow points and visibility; one domain event covers all of them. */
export async function changeBadge(tx: Tx, before: CountedBadge, change: BadgeChange): Promise<CountedBadge> {
  const fields = Object.keys(change)
  if (fields.length === 0) return before
  if (change.points !== undefined || change.hidden !== undefined) await lockForChange(tx, before.badge)
  const badge = await updateBadge(tx, before.badge.id, change)
  if (!badge) throw notFound('Badge')
  await emit(tx, 'badge.updated', { ...about(badge), fields })
  return { ...before, badge }
}

export async function removeBadge(tx: Tx, badge: BadgeRow) {
  await lockForDeletion(tx, badge)
  if (!(await deleteBadge(tx, badge.id))) throw notFound('Badge')
  await emit(tx, 'badge.deleted', about(badge))
}

export async function demandBadge(tx: Tx, groupId: string | null, badgeId: string): Promise<CountedBadge> {
  const found = await findBadgeOf(tx, groupId, badgeId)
  if (!found) throw notFound('Badge')
  return found
}

export const normalized = <F extends { icon?: string }>(fields: F): F =>
  fields.icon === undefined ? fields : { ...fields, icon: demandEmoji(fields.icon) }

const about = ({ id, groupId, slug }: BadgeRow) => ({ badgeId: id, groupId, slug })

const explainRefusal = explain({
  badges_slug_key: () => conflict(refusals.slugTaken),
  badges_of_group_max: () => conflict(refusals.badgesFull),
})

/**
 * A trigger applies changes of points, visibility and deletion to holders in the same transaction. For badges with many holders it
 * only marks the badge, and `settle.ts` applies them in batches.
 */

/** The lock also blocks new awards. */
async function lockForChange(tx: Tx, badge: BadgeRow): Promise<void> {
  if (await lockBadge(tx, badge, 'no key update')) await settleLater(tx)
}

async function lockForDeletion(tx: Tx, badge: BadgeRow): Promise<void> {
  if (await lockBadge(tx, badge, 'update')) await settleLater(tx)
}
