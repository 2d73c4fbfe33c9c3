import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { pageFields, pageOf } from '@/core/page'
import { orNull, wireId } from '@/core/shapes'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { badgeNamed } from '../catalog/cache'
import { holds } from '../queries'
import { BadgeSlugInput } from '../schema'
import { mayKnowBadge } from '../visible'
import { listHolders, NEWEST_MEMBERS_FIRST } from './queries'

const BadgeHolder = Type.Object({
  id: wireId(),
  username: Type.String(),
  name: Type.String(),
  avatarUrl: orNull(Type.String()),
})
export type BadgeHolder = Static<typeof BadgeHolder>

export const listBadgeHolders = action({
  name: 'listBadgeHolders',
  access: 'read:user',
  openOnSite: true,
  summary: 'List public holders of a badge',
  input: Type.Object({ ...BadgeSlugInput.properties, ...pageFields }),
  output: pageOf(BadgeHolder),
  errors: ['not_found'],
  run: async (caller, { slug, ...input }) => {
    const known = await badgeNamed(slug)
    if (known === null || !(await mayKnowBadge(db, caller, known))) throw notFound('Badge')
    const { badge } = known
    return keysetPage(
      {
        list: `badge-holders:${badge.id}`,
        input,
        order: NEWEST_MEMBERS_FIRST,
        rows: (after, cut) => listHolders(db, badge.id, after, cut),
      },
      (row) => row,
    )
  },
})

export async function holdsBadge({ userId }: Caller, slug: string): Promise<boolean> {
  const known = await badgeNamed(slug)
  return known !== null && holds(db, known.badge.id, userId)
}
