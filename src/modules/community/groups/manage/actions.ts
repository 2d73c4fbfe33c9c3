import { config } from '@/config/config'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { badRequest, conflict, forbidden, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { db, type Tx } from '@/db/client'
import { explain } from '@/db/conflicts'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { hasUnsent } from '@/mail/queries'
import { consumeEntitlement } from '@/modules/community/entitlements/queries'
import { endPictures, usePictures } from '@/modules/people/uploads/use'
import { emit } from '@/outbox/emit'
import { hasPendingEvent } from '@/outbox/queries'
import { clearSoon } from '../end/end'
import { listCancelledIds, lockUpcoming, settleBadgesLater } from '../end/queries'
import { groupPictures } from '../pictures'
import { managedGroup } from '../staff/managed-group'
import { insertMember } from '../staff/queries'
import { demandLinks } from './links'
import { presentManaged, presentSettings } from './present'
import {
  BY_NAME,
  countGroupsOfStaff,
  deleteGroup as deleteRow,
  demandQuotaForGroup,
  insertGroup,
  listGroupsOfStaff,
  listPicturesOf,
  lockGroupRow,
  updateGroup as updateRow,
} from './queries'
import {
  GroupChange,
  GroupDeletion,
  GroupInput,
  GroupRequest,
  ManagedGroup,
  ManagedGroupSettings,
} from './schema'

/** Path segments used in the same position as a group name. */
const RESERVED = new Set(['claim', 'new', 'manage'])

function demandUnreserved(urlname: string | undefined) {
  if (urlname !== undefined && RESERVED.has(urlname.toLowerCase())) throw conflict(refusals.urlnameReserved)
}

const explainTakenUrlname = explain({
  groups_urlname_key: () => conflict(refusals.urlnameTaken),
})

/** Each new group consumes one, if the operator requires it. */
const ENTITLEMENT = 'group.create'

/** Consumes the entitlement if one is required. */
async function demandCreation(tx: Tx, { scopes, userId }: Caller) {
  if (config.groupCreation === 'open' || scopes.has('admin')) return
  if (config.groupCreation === 'admin') throw forbidden(refusals.groupsByAdministrators)
  if (!(await consumeEntitlement(tx, userId, ENTITLEMENT, now())))
    throw forbidden(refusals.groupsByEntitlement)
}

/** The letter of `gatherings/notices` about a cancelled event. It is composed from rows of the group when it is sent. */
const CANCELLATION = { name: 'event-cancelled', urgency: 'cancellation' } as const

export const listManagedGroups = action({
  name: 'listManagedGroups',
  access: 'manage:groups',
  reads: true,
  summary: 'List groups in which you have a role',
  input: PageInput,
  output: pageOf(ManagedGroup),
  run: async ({ userId }, input) =>
    keysetPage(
      {
        list: `managed-groups:${userId}`,
        input,
        order: BY_NAME,
        rows: (after) => listGroupsOfStaff(db, userId, after),
        total: await countGroupsOfStaff(db, userId),
      },
      presentManaged,
    ),
})

export const createGroup = action({
  name: 'createGroup',
  access: 'manage:groups',
  summary: 'Create a group and become its owner',
  input: GroupRequest,
  output: ManagedGroup,
  errors: ['forbidden', 'conflict'],
  run: (caller, fields) => {
    demandLinks(fields.socialLinks)
    return transaction(async (tx) => {
      const { userId } = caller
      await demandCreation(tx, caller)
      demandUnreserved(fields.urlname)
      await demandQuotaForGroup(tx, userId)
      const shown = await usePictures(tx, userId, groupPictures, fields)
      const group = await insertGroup(tx, { id: newId(), ...shown }).catch(explainTakenUrlname)
      await insertMember(tx, { id: newId(), groupId: group.id, userId, role: 'owner' })
      await emit(tx, 'group.created', { groupId: group.id, userId })
      return presentManaged({ group, role: 'owner' })
    })
  },
})

export const readManagedGroup = action({
  name: 'readManagedGroup',
  access: 'manage:groups',
  reads: true,
  summary: 'Read the settings of a group and your permissions',
  input: GroupInput,
  output: ManagedGroupSettings,
  errors: ['not_found'],
  run: async (caller, { groupId }) => presentSettings(await managedGroup(db, caller, groupId, 'volunteer')),
})

export const updateGroup = action({
  name: 'updateGroup',
  access: 'manage:groups',
  summary: 'Change the settings of a group',
  description: 'For managers. Omitted fields stay unchanged; null clears a field.',
  input: GroupChange,
  output: ManagedGroupSettings,
  errors: ['not_found', 'forbidden', 'conflict'],
  run: (caller, { groupId, ...change }) => {
    demandLinks(change.socialLinks)
    return transaction(async (tx) => {
      const { group: before, role } = await managedGroup(tx, caller, groupId, 'manager')
      demandUnreserved(change.urlname)
      const fields = Object.keys(change)
      if (fields.length === 0) return presentSettings({ group: before, role })
      await lockGroupRow(tx, groupId)
      const shown = await usePictures(tx, caller.userId, groupPictures, change, before)
      const group = await updateRow(tx, groupId, shown).catch(explainTakenUrlname)
      if (!group) throw notFound('Group')
      await emit(tx, 'group.updated', { groupId, fields })
      return presentSettings({ group, role })
    })
  },
})

export const deleteGroup = action({
  name: 'deleteGroup',
  access: 'manage:groups',
  summary: 'Delete a group with all its data',
  description:
    'For owners. Cancel upcoming events with guests first, and wait until the cancellation emails are sent: guests of a deleted group cannot be notified.',
  input: GroupDeletion,
  output: Nothing,
  errors: ['not_found', 'forbidden', 'conflict'],
  run: async (caller, { groupId, confirm }) => {
    await transaction(async (tx) => {
      const { group } = await managedGroup(tx, caller, groupId, 'owner')
      if (confirm.toLowerCase() !== group.urlname.toLowerCase()) throw badRequest(refusals.confirmWithUrlname)
      if (await lockUpcoming(tx, groupId)) throw conflict(refusals.cancelEventsFirst)
      if (
        (await hasPendingEvent(tx, 'event.cancelled', { groupId })) ||
        (await hasUnsent(tx, CANCELLATION, await listCancelledIds(tx, groupId)))
      )
        throw conflict(refusals.guestsBeingMailed)
      const pictures = await listPicturesOf(tx, groupId)
      await settleBadgesLater(tx)
      if (!(await deleteRow(tx, groupId))) throw notFound('Group')
      await endPictures(tx, pictures)
      await emit(tx, 'group.deleted', { groupId, userId: caller.userId })
    })
    await clearSoon(groupId)
  },
})
