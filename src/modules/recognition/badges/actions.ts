import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { PageInput, pageOf } from '@/core/page'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { UsernameInput } from '@/modules/people/users/usernames'
import { visiblePerson } from '@/modules/people/users/visible'
import { badgeNamed, cataloguePage } from './catalog/cache'
import { presentByGroup, presentOwn } from './present'
import { countHeldBy, heldBy, listHeldBy, NEWEST_FIRST } from './queries'
import { BadgeCatalog, BadgeDetail, BadgeSlugInput, UserBadge, UserGroupBadges } from './schema'
import { mayKnowBadge } from './visible'

export const listBadges = action({
  name: 'listBadges',
  access: 'read:user',
  openOnSite: true,
  summary: 'Browse the badges of the platform',
  input: PageInput,
  output: pageOf(BadgeCatalog),
  stable: true,
  run: (_caller, input) => cataloguePage(input),
})

export const readBadge = action({
  name: 'readBadge',
  access: 'read:user',
  openOnSite: true,
  summary: 'Read a badge of the platform or of a group',
  input: BadgeSlugInput,
  output: BadgeDetail,
  errors: ['not_found'],
  stable: true,
  run: async (caller, { slug }) => {
    const found = await badgeNamed(slug)
    if (found === null || !(await mayKnowBadge(db, caller, found))) throw notFound('Badge')
    return found.detail
  },
})

export const listOwnBadges = action({
  name: 'listOwnBadges',
  access: 'read:user',
  summary: 'List the badges that you hold',
  input: PageInput,
  output: pageOf(UserBadge),
  run: async ({ userId }, input) =>
    keysetPage(
      {
        list: `own-badges:${userId}`,
        input,
        order: NEWEST_FIRST,
        rows: (after) => listHeldBy(db, userId, after),
        total: await countHeldBy(db, userId),
      },
      presentOwn,
    ),
})

export const readUserGroupBadges = action({
  name: 'readUserGroupBadges',
  access: 'read:user',
  openOnSite: true,
  summary: 'List group badges of a person',
  input: UsernameInput,
  output: UserGroupBadges,
  errors: ['not_found'],
  run: async (caller, { username }) => {
    const { id } = await visiblePerson(caller, username)
    return { groups: presentByGroup(await heldBy(db, id)) }
  },
})
