import { action } from '@/core/action'
import { now } from '@/core/clock'
import { invalidField, notFound } from '@/core/errors'
import { Nothing, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import { demandEntry, demandKnown, doorState, managedEvent, usedUp } from './availability'
import { checkInPerson } from './check-in'
import { makeCheckinCode, presentCode } from './codes'
import {
  countCodesOf,
  deleteCode,
  demandQuotaForCode,
  findEntry,
  insertWithCode,
  listCodesOf,
  OLDEST_CODE_FIRST,
} from './queries'
import {
  CheckinCode,
  CheckinInfo,
  CheckinInput,
  CheckinResult,
  CodeInput,
  CodeOfGroupInput,
  CodesInput,
  NewCodeInput,
} from './schema'

export const readCheckin = action({
  name: 'readCheckin',
  access: 'public',
  reads: true,
  summary: 'Read a check-in code',
  description: 'A code that is early, late, expired or used up is returned as not available.',
  input: CodeInput,
  output: CheckinInfo,
  errors: ['not_found'],
  failureLimit: true,
  run: async (_caller, { code }) => {
    const entry = demandKnown(await findEntry(db, code.toUpperCase(), null))
    const { id, title, startTime, endTime, timezone, eventType, photoUrl } = entry.event
    return {
      event: { id, title, startTime: iso(startTime), endTime: iso(endTime), timezone, eventType, photoUrl },
      group: entry.group,
      checkinAvailable: doorState(entry, now()) === 'open',
    }
  },
})

export const checkIn = action({
  name: 'checkIn',
  access: 'write:events',
  summary: 'Check in to an event',
  description: 'Needs no RSVP.',
  input: CheckinInput,
  output: CheckinResult,
  errors: ['not_found', 'conflict', 'gone'],
  failureLimit: true,
  run: async ({ userId }, { code, method = 'link' }) => {
    const at = now()
    const find = (reader: Parameters<typeof findEntry>[0]) => findEntry(reader, code.toUpperCase(), userId)
    const entry = demandEntry(await find(db), at)
    return transaction((tx) =>
      checkInPerson(tx, { event: entry.event, userId, method, at }, async (row) => {
        const inserted = await insertWithCode(tx, entry.code.id, row)
        if (inserted) return inserted
        // The code changed after it was read: check again to throw the precise refusal.
        demandEntry(await find(tx), at)
        throw usedUp()
      }),
    )
  },
})

export const listCheckinCodes = action({
  name: 'listCheckinCodes',
  access: 'manage:checkins',
  reads: true,
  summary: "List an event's check-in codes",
  description: 'For volunteers and up.',
  input: CodesInput,
  output: pageOf(CheckinCode),
  errors: ['not_found'],
  run: async (caller, { groupId, eventId, ...input }) => {
    await managedEvent(db, caller, { groupId, eventId }, 'volunteer')
    return keysetPage(
      {
        list: `checkin-codes:${eventId}`,
        input,
        order: OLDEST_CODE_FIRST,
        rows: (after) => listCodesOf(db, eventId, after),
        total: await countCodesOf(db, eventId),
      },
      presentCode,
    )
  },
})

export const createCheckinCode = action({
  name: 'createCheckinCode',
  access: 'manage:checkins',
  summary: 'Create a check-in code for an event',
  description: 'For volunteers and up.',
  input: NewCodeInput,
  output: CheckinCode,
  errors: ['not_found', 'conflict'],
  run: (caller, { label, maxUses, expiresAt: until, ...place }) => {
    const expiresAt = until ? new Date(until) : null
    if (expiresAt && expiresAt <= now()) throw invalidField('expiresAt', refusals.inFuture)
    return transaction(async (tx) => {
      const { id } = await managedEvent(tx, caller, place, 'volunteer')
      await demandQuotaForCode(tx, id)
      return presentCode(await makeCheckinCode(tx, id, { label: label || null, maxUses, expiresAt }))
    })
  },
})

export const deleteCheckinCode = action({
  name: 'deleteCheckinCode',
  access: 'manage:checkins',
  summary: 'Delete a check-in code',
  description: 'For managers and up. Check-ins with it stay.',
  input: CodeOfGroupInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { groupId, codeId }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      if (!(await deleteCode(tx, groupId, codeId))) throw notFound('Check-in code')
    }),
})
