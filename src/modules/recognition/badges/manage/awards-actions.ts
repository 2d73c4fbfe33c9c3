import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { Nothing, Success } from '@/core/page'
import { transaction } from '@/db/transaction'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import { mayBeAdded, mayBeNamed } from '@/modules/community/groups/staff/rules'
import { findPerson, type UserRow } from '@/modules/people/users/queries'
import { awardOrConflict, revoke } from '@/modules/recognition/badges/award'
import { demandBadge } from '@/modules/recognition/badges/change'
import { GroupAwardInput } from './schema'

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
