import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { type Page, type PageInput, pageFields, pageOf } from '@/core/page'
import { db } from '@/db/client'
import { type After, keysetPage } from '@/db/keyset'
import { cache } from '@/outbox/cache'
import { readPublic } from '@/outbox/replicas'
import { presentFan, presentGroup } from './present'
import { FANS_ORDER, groupsOrder, listFans, listListedGroups } from './queries'
import { GroupDetail, GroupListItem, GroupMember, GroupsInput, slug } from './schema'
import { visibleGroup } from './visible'

export const listGroups = action({
  name: 'listGroups',
  access: 'read:groups',
  openOnSite: true,
  summary: 'Browse and search groups',
  description: 'Most members first, unless `sort` is set.',
  input: GroupsInput,
  output: pageOf(GroupListItem),
  stable: true,
  run: (_caller, input) => directory.get(JSON.stringify(input)),
})

/** The directory is identical for all callers. */
const directory = cache<Page<GroupListItem>>({
  max: 500,
  load: (key) => readDirectory(JSON.parse(key) as GroupsInput),
  drops: (message, drop) => {
    // Counts are shown and sorted by, so favorites invalidate it too.
    if (message.type.startsWith('group.') || message.type === 'user.deleted') drop.all()
  },
})

function readDirectory(input: GroupsInput): Promise<Page<GroupListItem>> {
  const { search, tag, featured, sort = 'members' } = input
  return readPublic((db) =>
    keysetPage(
      {
        list: 'groups',
        filters: { search, tag, featured, sort },
        input,
        order: groupsOrder(sort),
        rows: (after) => listListedGroups(db, { search, tag, featured }, after),
      },
      presentGroup,
    ),
  )
}

const reading = {
  input: Type.Object({ slug: slug() }),
  output: GroupDetail,
  errors: ['not_found'],
  stable: true,
  // Async only if not cached, as `visibleGroup` is.
  run: (caller: Caller | null, input: { slug: string }) => {
    const found = visibleGroup(caller, input.slug)
    return found instanceof Promise ? found.then(({ detail }) => detail) : found.detail
  },
} as const

export const readGroup = action({
  ...reading,
  name: 'readGroup',
  access: 'read:groups',
  openOnSite: true,
  summary: 'Read a group and its next events',
})

/** The same action without a scope, under its own operation name. */
export const readPublicGroup = action({
  ...reading,
  name: 'readPublicGroup',
  access: 'none',
  reads: true,
  summary: 'Read a group without a credential',
})

export const listGroupMembers = action({
  name: 'listGroupMembers',
  access: 'read:groups',
  openOnSite: true,
  summary: 'List members of a group, who marked it as a favorite',
  input: Type.Object({ slug: slug(), ...pageFields }),
  output: pageOf(GroupMember),
  errors: ['not_found'],
  run: async (caller, { slug, ...input }) => {
    const { id } = (await visibleGroup(caller, slug)).group
    return (await fans.get(JSON.stringify([id, input]))).page
  },
})

type FansKey = [groupId: string, input: PageInput]

/** Identical for everyone who may see the group. */
const fans = cache<{ groupId: string; page: Page<Static<typeof GroupMember>> }>({
  max: 500,
  load: async (key) => {
    const [groupId, input] = JSON.parse(key) as FansKey
    const list = `group-members:${groupId}`
    const rows = (after: After) => listFans(db, groupId, after)
    return { groupId, page: await keysetPage({ list, input, order: FANS_ORDER, rows }, presentFan) }
  },
  drops: ({ type, data }, drop) => {
    // A changed, hidden or deleted user may be a member of any number of groups.
    if (type === 'user.updated' || type === 'user.suspended' || type === 'user.deleted') drop.all()
    else if (type.startsWith('group.') && 'groupId' in data)
      drop.where(({ groupId }) => groupId === data.groupId)
  },
})
