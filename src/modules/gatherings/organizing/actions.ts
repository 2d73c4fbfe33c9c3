import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, notFound } from '@/core/errors'
import { oneOf, optional } from '@/core/fields'
import { pageFields, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { type Db, db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import { makeCheckinCode, presentCode } from '@/modules/gatherings/checkins/codes'
import { eventOrder } from '@/modules/gatherings/events/list/queries'
import { eventPictures } from '@/modules/gatherings/events/pictures'
import { presentEvent, presentListItem } from '@/modules/gatherings/events/present'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { recordMove } from '@/modules/gatherings/notices/announced'
import { findSummary } from '@/modules/gatherings/rsvps/queries'
import { promoteWaiting } from '@/modules/gatherings/rsvps/waitlist'
import { usePictures } from '@/modules/people/uploads/use'
import { emit } from '@/outbox/emit'
import { changedFields, columnsOf, eventChangeFields, eventFields, moves } from './fields'
import { demandOwn, insertEvent, lockGroupEvent } from './insert'
import { demandQuotaForEvents, findGroupEvent, hasRsvps, listGroupEvents, updateEvent } from './queries'
import { EventCreated, inEvent, inGroup, ManagedEvent, ManagedListItem } from './schema'

export const listManagedEvents = action({
  name: 'listManagedEvents',
  access: 'manage:events',
  reads: true,
  summary: 'List the events of a group that you manage',
  description: 'Latest first; with `when=upcoming` the next one first.',
  input: Type.Object({
    ...inGroup,
    ...pageFields,
    status: optional(
      oneOf(['draft', 'published', 'cancelled'], { description: 'Only those with this status.' }),
    ),
    when: optional(oneOf(['upcoming', 'past'], { description: 'Only upcoming ones, or only past ones.' })),
  }),
  output: pageOf(ManagedListItem),
  errors: ['not_found'],
  run: async (caller, { groupId, status, when, ...input }) => {
    await managedGroup(db, caller, groupId, 'volunteer')
    return keysetPage(
      {
        list: `managed-events:${groupId}`,
        filters: { status, when },
        input,
        order: eventOrder('start', when === 'upcoming' ? 'asc' : 'desc'),
        rows: (after) => listGroupEvents(db, groupId, { status, when, at: now() }, after),
      },
      (row) => ({ ...presentListItem(row), checkinCount: row.checkinCount }),
    )
  },
})

export const readManagedEvent = action({
  name: 'readManagedEvent',
  access: 'manage:events',
  reads: true,
  summary: 'Read an event of a group that you manage',
  input: Type.Object(inEvent),
  output: ManagedEvent,
  errors: ['not_found'],
  run: async (caller, { groupId, eventId }) => {
    await managedGroup(db, caller, groupId, 'volunteer')
    return present(db, groupId, eventId)
  },
})

export const createEvent = action({
  name: 'createEvent',
  access: 'manage:events',
  summary: 'Create an event',
  description: 'A draft, unless `status` is `published`. Also creates a check-in code.',
  input: Type.Object({ ...inGroup, ...eventFields }),
  output: EventCreated,
  errors: ['not_found', 'conflict'],
  run: (caller, { groupId, ...fields }) =>
    transaction(async (tx) => {
      const { group } = await managedGroup(tx, caller, groupId, 'manager')
      await demandQuotaForEvents(tx, groupId, now())
      const columns = await usePictures(tx, caller.userId, eventPictures, columnsOf(fields))
      const event = await insertEvent(tx, { groupId, userId: caller.userId }, columns)
      const checkinCode = presentCode(await makeCheckinCode(tx, event.id))
      return { ...presentEvent({ event, group }, true), checkinCode }
    }),
})

export const changeEvent = action({
  name: 'changeEvent',
  access: 'manage:events',
  summary: 'Change an event, or publish it',
  input: Type.Object({ ...inEvent, ...eventChangeFields }),
  output: ManagedEvent,
  errors: ['not_found', 'conflict'],
  run: (caller, { groupId, eventId, ...change }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      const before = await lockGroupEvent(tx, groupId, eventId)
      demandOwn(before)
      if (before.status === 'cancelled') throw conflict(refusals.eventCancelled)
      if (change.status === 'draft' && before.status === 'published' && (await hasRsvps(tx, eventId)))
        throw conflict(refusals.cancelInstead)
      const columns = await usePictures(tx, caller.userId, eventPictures, columnsOf(change, before), before)
      const fields = changedFields(change, columns, before)
      if (!isOpen(before) && isOpen({ ...before, ...columns })) await demandQuotaForEvents(tx, groupId, now())
      if (fields.length > 0) await apply(tx, caller.userId, before, columns, fields)
      return present(tx, groupId, eventId)
    }),
})

/** Past events do not count towards the quota until they are rescheduled. */
const isOpen = ({ status, overAt }: EventRow) =>
  status === 'draft' || (status === 'published' && overAt > now())

async function apply(tx: Tx, userId: string, before: EventRow, columns: Partial<EventRow>, fields: string[]) {
  const publishes = columns.status === 'published' && before.status === 'draft'
  const publishedAt = publishes && before.publishedAt === null ? { publishedAt: now() } : {}
  const after = await updateEvent(tx, before.id, { ...columns, ...publishedAt }, moves(fields))
  await recordMove(tx, before, after)
  const about = { eventId: before.id, groupId: before.groupId }
  if (publishes) await emit(tx, 'event.published', { ...about, userId })
  await emit(tx, 'event.updated', { ...about, fields })
  // A later date can open seats, just as a higher capacity does.
  await promoteWaiting(tx, after)
}

async function present(reader: Db | Tx, groupId: string, eventId: string) {
  const found = await findGroupEvent(reader, groupId, eventId)
  if (!found) throw notFound('Event')
  const rsvpSummary = await findSummary(reader, found.event)
  const { venuePostalCode: postalCode, venueCountry: country } = found.event
  const { venue, ...event } = presentEvent(found, true)
  return {
    ...event,
    venue: venue && { ...venue, postalCode, country },
    rsvpSummary,
    checkinCount: found.checkinCount,
    walkInCount: found.walkInCount,
  }
}
