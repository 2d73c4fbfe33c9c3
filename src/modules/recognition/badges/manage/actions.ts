import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { invalidField, notFound } from '@/core/errors'
import { Nothing, pageOf, Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import { lockStaff } from '@/modules/community/groups/staff/queries'
import { mayBeAdded, mayBeNamed } from '@/modules/community/groups/staff/rules'
import { findPerson, type UserRow } from '@/modules/people/users/queries'
import { awardOrConflict, revoke } from '@/modules/recognition/badges/award'
import { countBadges, IN_ORDER, listBadges, ofGroup } from '../catalog/queries'
import { changeBadge, createBadge, demandBadge, normalized, removeBadge } from '../change'
import { changing } from '../holders/settle'
import { presentManagedBadge } from '../present'
import { ManagedBadge } from '../schema'
import { GroupAwardInput, GroupBadgeChange, GroupBadgeInput, GroupBadgesInput, NewGroupBadge } from './schema'

export const awardGroupBadge = action({
  name: 'awardGroupBadge',
  access: 'manage:badges',
  summary: 'Award a badge of a group',
  description: 'For managers and up. A private member is found by their exact username.',
  input: GroupAwardInput,
  output: Success,
  errors: ['not_found', 'forbidden', 'conflict'],
  run: (caller, { groupId, badgeId, userId: who }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      const { badge } = await demandBadge(tx, groupId, badgeId)
      const person = await findPerson(tx, who)
      if (!mayBeNamed(caller, person, who)) throw notFound('User')
      await awardOrConflict(tx, badge, person.id, 'group')
      return { success: true } as const
    }),
})

export const revokeGroupBadge = action({
  name: 'revokeGroupBadge',
  access: 'manage:badges',
  summary: 'Revoke a badge of a group',
  description: 'For managers and up.',
  input: GroupAwardInput,
  output: Nothing,
  errors: ['not_found', 'forbidden'],
  run: (caller, { groupId, badgeId, userId: who }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      const { badge } = await demandBadge(tx, groupId, badgeId)
      const person = await findPerson(tx, who)
      if (mayBeHolder(caller, person) && (await revoke(tx, badge, person.id))) return
      // A private person without the badge gets the same error as an unknown one.
      throw notFound(mayBeAdded(caller, person) ? 'Award' : 'User')
    }),
})

/** Groups may revoke badges of profiles that became private. */
const mayBeHolder = (caller: Caller, person: UserRow | undefined): person is UserRow =>
  person !== undefined && (person.suspendedAt === null || caller.scopes.has('admin'))

export const listGroupBadges = action({
  name: 'listGroupBadges',
  access: 'manage:badges',
  reads: true,
  summary: 'List the badges of a group',
  description: 'For volunteers and up.',
  input: GroupBadgesInput,
  output: pageOf(ManagedBadge),
  errors: ['not_found'],
  run: async (caller, { groupId, ...input }) => {
    await managedGroup(db, caller, groupId, 'volunteer')
    return keysetPage(
      {
        list: `group-badges:${groupId}`,
        input,
        order: IN_ORDER,
        rows: (after) => listBadges(db, ofGroup(groupId), after),
        total: await countBadges(db, ofGroup(groupId)),
      },
      presentManagedBadge,
    )
  },
})

export const createGroupBadge = action({
  name: 'createGroupBadge',
  access: 'manage:badges',
  summary: 'Create a badge of a group',
  description: 'For managers and up. The number of badges and their points are limited per group.',
  input: NewGroupBadge,
  output: ManagedBadge,
  errors: ['not_found', 'forbidden', 'conflict'],
  run: (caller, { groupId, ...given }) => {
    const fields = normalized(given)
    return transaction(async (tx) => {
      // The database locks the group to count its badges. Locking it first makes a concurrent deletion a 404.
      await lockStaff(tx, groupId)
      const { group } = await managedGroup(tx, caller, groupId, 'manager')
      demandPoints(fields, group)
      return presentManagedBadge(await createBadge(tx, groupId, fields))
    })
  },
})

export const updateGroupBadge = action({
  name: 'updateGroupBadge',
  access: 'manage:badges',
  summary: 'Change a badge of a group',
  description:
    'For managers and up. Omitted fields stay unchanged; the slug cannot change. Scores follow the points.',
  input: GroupBadgeChange,
  output: ManagedBadge,
  errors: ['not_found', 'forbidden'],
  run: (caller, { groupId, badgeId, ...given }) => {
    const change = normalized(given)
    // Only guards the group against deletion: a stronger lock would deadlock with an account deletion, which updates the group's
    // counts while it holds the user.
    return changing(badgeId, async (tx) => {
      const { group } = await managedGroup(tx, caller, groupId, 'manager')
      const badge = await demandBadge(tx, groupId, badgeId)
      demandPoints(change, group)
      return presentManagedBadge(await changeBadge(tx, badge, change))
    })
  },
})

export const deleteGroupBadge = action({
  name: 'deleteGroupBadge',
  access: 'manage:badges',
  summary: 'Delete a badge of a group',
  description: 'For owners. Removes it from all holders and deletes its claim links.',
  input: GroupBadgeInput,
  output: Nothing,
  errors: ['not_found', 'forbidden'],
  run: (caller, { groupId, badgeId }) =>
    changing(badgeId, async (tx) => {
      await managedGroup(tx, caller, groupId, 'owner')
      const { badge } = await demandBadge(tx, groupId, badgeId)
      await removeBadge(tx, badge)
    }),
})

function demandPoints({ points = 0 }: { points?: number }, { maxBadgePoints }: { maxBadgePoints: number }) {
  if (points > maxBadgePoints) throw invalidField('points', refusals.pointsMax(maxBadgePoints))
}
