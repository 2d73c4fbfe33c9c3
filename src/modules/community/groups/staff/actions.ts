import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { AppError, conflict, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { Nothing, pageOf, Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { findPerson } from '@/modules/people/users/queries'
import { mayKnow } from '@/modules/people/users/visible'
import { emit } from '@/outbox/emit'
import { GroupInput } from '../manage/schema'
import { managedGroup } from './managed-group'
import {
  countMembers,
  deleteMember,
  deleteMembership,
  demandQuotaForGift,
  findMember,
  insertMember,
  listMembers,
  lockStaff,
  type MemberRow,
  OLDEST_FIRST,
  updateRole,
} from './queries'
import type { StaffRole } from './role'
import { demandReach, explainLastOwner, mayBeNamed } from './rules'
import { MemberChange, MemberInput, NewMember, StaffInput, StaffMember } from './schema'

export const listStaff = action({
  name: 'listStaff',
  access: 'manage:groups',
  reads: true,
  summary: 'List the staff of a group',
  input: StaffInput,
  output: pageOf(StaffMember),
  errors: ['not_found'],
  run: async (caller, { groupId, ...input }) => {
    await managedGroup(db, caller, groupId, 'volunteer')
    return keysetPage(
      {
        list: `staff:${groupId}`,
        input,
        order: OLDEST_FIRST,
        rows: (after) => listMembers(db, groupId, after),
        total: await countMembers(db, groupId),
      },
      (member) => presentMember(caller, member),
    )
  },
})

export const addStaff = action({
  name: 'addStaff',
  access: 'manage:groups',
  summary: 'Add a person to the staff of a group',
  description: 'Managers add volunteers; owners add anyone.',
  input: NewMember,
  output: StaffMember,
  errors: ['not_found', 'forbidden', 'conflict'],
  run: (caller, { groupId, userId: named, role = 'volunteer' }) =>
    transaction(async (tx) => {
      const { role: own } = await lockAsManager(tx, caller, groupId)
      const user = await findPerson(tx, named)
      if (!mayBeNamed(caller, user, named)) throw new AppError('not_found', refusals.unknownUsernameAt)
      demandReach(own, role)
      const isGiven = isGift(caller, user.id, role)
      if (isGiven) await demandQuotaForGift(tx, user.id)
      const member = await insertMember(tx, { id: newId(), groupId, userId: user.id, role, isGiven })
      if (!member) throw conflict(refusals.roleHeld)
      await emit(tx, 'member.added', { groupId, memberId: member.id, userId: user.id, role })
      const { username, name, avatarUrl, isPublic } = user
      return presentMember(caller, { ...member, username, name, avatarUrl, isPublic })
    }),
})

export const changeStaffRole = action({
  name: 'changeStaffRole',
  access: 'manage:groups',
  summary: 'Change the role of a staff member',
  description: 'For owners. The last owner cannot be demoted.',
  input: MemberChange,
  output: StaffMember,
  errors: ['not_found', 'forbidden', 'conflict'],
  run: (caller, { groupId, memberId, role }) =>
    transaction(async (tx) => {
      const { role: own } = await lockAsManager(tx, caller, groupId)
      const member = await findMember(tx, groupId, memberId)
      if (!member) throw notFound('Member')
      demandReach(own, member.role, role)
      if (member.role === role) return presentMember(caller, member)
      const isGiven = isGift(caller, member.userId, role)
      if (isGiven) await demandQuotaForGift(tx, member.userId)
      await updateRole(tx, memberId, role, isGiven).catch(explainLastOwner)
      await emit(tx, 'member.role_changed', { groupId, memberId, userId: member.userId, role })
      return presentMember(caller, { ...member, role })
    }),
})

export const removeStaff = action({
  name: 'removeStaff',
  access: 'manage:groups',
  summary: 'Remove a person from the staff of a group',
  description: 'Managers remove volunteers; owners remove anyone but the last owner.',
  input: MemberInput,
  output: Nothing,
  errors: ['not_found', 'forbidden', 'conflict'],
  run: (caller, { groupId, memberId }) =>
    transaction(async (tx) => {
      const { role: own } = await lockAsManager(tx, caller, groupId)
      const member = await findMember(tx, groupId, memberId)
      if (!member) throw notFound('Member')
      demandReach(own, member.role)
      await deleteMember(tx, memberId).catch(explainLastOwner)
      const { userId, role } = member
      await emit(tx, 'member.removed', { groupId, memberId, userId, role })
    }),
})

export const leaveStaff = action({
  name: 'leaveStaff',
  access: 'manage:groups',
  summary: 'Leave the staff of a group',
  input: GroupInput,
  output: Success,
  errors: ['not_found', 'conflict'],
  run: ({ userId }, { groupId }) =>
    transaction(async (tx) => {
      await lockStaff(tx, groupId)
      const left = await deleteMembership(tx, groupId, userId).catch(explainLastOwner)
      if (!left) throw notFound('Group')
      await emit(tx, 'member.removed', { groupId, memberId: left.id, userId, role: left.role })
      return { success: true } as const
    }),
})

const isGift = (caller: Caller, userId: string, role: StaffRole) =>
  role === 'owner' && userId !== caller.userId

async function lockAsManager(tx: Tx, caller: Caller, groupId: string) {
  await lockStaff(tx, groupId)
  return managedGroup(tx, caller, groupId, 'manager')
}

/** Anyone can add a private member by a guessed username, so that must not reveal their name and picture. */
function presentMember(caller: Caller, row: MemberRow): StaffMember {
  const { id, userId, role, createdAt, username, isPublic } = row
  const isKnown = mayKnow(caller, { id: userId, isPublic }) || username === null
  return {
    id,
    userId,
    role,
    createdAt: iso(createdAt),
    user: {
      username,
      name: isKnown ? row.name : username,
      avatarUrl: isKnown ? row.avatarUrl : null,
      isPublic,
    },
  }
}
