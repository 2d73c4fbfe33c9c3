import { action } from '@/core/action'
import { changesOf } from '@/core/changes'
import { notFound } from '@/core/errors'
import { pageOf } from '@/core/page'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { updateGroup } from '@/modules/community/groups/manage/queries'
import { presentGroup } from '@/modules/community/groups/present'
import type { GroupRow } from '@/modules/community/groups/queries'
import { emit } from '@/outbox/emit'
import {
  findOwnedGroup,
  listAllGroups as listRows,
  lockGroup,
  NEWEST_FIRST,
  type OwnedGroup,
} from './queries'
import { AdminGroup, AllGroupsInput, GroupStandingChange } from './schema'

export const listAllGroups = action({
  name: 'listAllGroups',
  access: 'admin',
  reads: true,
  summary: 'List all groups, including unlisted ones',
  description: 'The newest come first.',
  input: AllGroupsInput,
  output: pageOf(AdminGroup),
  run: (_caller, { search, featured, ...input }) =>
    keysetPage(
      {
        list: 'admin-groups',
        filters: { search, featured },
        input,
        order: NEWEST_FIRST,
        rows: (after) => listRows(db, { search, featured }, after),
      },
      presentOwned,
    ),
})

export const changeGroupStanding = action({
  name: 'changeGroupStanding',
  access: 'admin',
  summary: 'Feature, list or unlist a group, and set its badge limits',
  description: 'Omitted fields stay unchanged. Existing badges of a group stay, even beyond a lower limit.',
  input: GroupStandingChange,
  output: AdminGroup,
  errors: ['not_found'],
  run: (caller, { groupId, ...asked }) =>
    transaction(async (tx) => {
      const before = await lockGroup(tx, groupId)
      if (!before) throw notFound('Group')
      const changes = changesOf(settingsOf(before), asked)
      const fields = Object.keys(changes)
      if (fields.length > 0) {
        await updateGroup(tx, groupId, asked)
        await emit(tx, 'group.updated', { groupId, fields })
        await audit(tx, caller, { action: 'group.update', targetType: 'group', targetId: groupId, changes })
      }
      return presentOwned(await findOwnedGroup(tx, groupId))
    }),
})

const settingsOf = ({ isFeatured, isListed, maxBadges, maxBadgePoints }: GroupRow) => ({
  isFeatured,
  isListed,
  maxBadges,
  maxBadgePoints,
})

const presentOwned = ({ group, ownerUsernames }: OwnedGroup): AdminGroup => ({
  ...presentGroup(group),
  ...settingsOf(group),
  ownerUsernames,
})
