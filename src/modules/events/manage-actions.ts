import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now, nowMs } from '@/core/clock'
import { conflict, notFound } from '@/core/errors'
import { id, line, nullable, oneOf, optional, time } from '@/core/fields'
import { newId } from '@/core/ids'
import { Nothing, pageFields, pageOf, Success } from '@/core/page'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { emit } from '@/db/outbox'
import { transaction } from '@/db/transaction'
import { makeCheckinCode, presentCode } from '@/modules/checkins/codes'
import { CheckinCode } from '@/modules/checkins/schema'
import { managedGroup } from '@/modules/groups/staff'
import { findSummary } from '@/modules/rsvps/queries'
import { RsvpSummary } from '@/modules/rsvps/schema'
import { promoteWaiting } from '@/modules/rsvps/waitlist'
import { columnsOf, eventChangeFields, eventFields, moves } from './fields'
import { presentEvent, presentListItem } from './present'
import {
  deleteEvent,
  type EventRow,
  eventOrder,
  findGroupEvent,
  hasRsvps,
  insertEvents,
  listGroupEvents,
  lockEvent,
  type ManagedEventRow,
  raiseSequence,
  updateEvent,
} from './queries'
import { EventDetail, EventListItem } from './schema'

const inGroup = { groupId: id() }
const inEvent = { groupId: id(), eventId: id() }

const ManagedListItem = Type.Object(
  { ...EventListItem.properties, checkinCount: Type.Number() },
  { $id: 'ManagedEventListItem' },
)
const ManagedEvent = Type.Object(
  { ...EventDetail.properties, rsvpSummary: RsvpSummary, checkinCount: Type.Number() },
  { $id: 'ManagedEvent' },
)
const EventCreated = Type.Object(
  { ...EventDetail.properties, checkinCode: CheckinCode },
  { $id: 'EventCreated' },
)

export const listManagedEvents = action({
  name: 'listManagedEvents',
  access: 'manage:events',
  summary: 'List the events of a group that you help to run',
  input: Type.Object({
    ...inGroup,
    ...pageFields,
    status: optional(oneOf(['draft', 'published', 'cancelled'])),
  }),
  output: pageOf(ManagedListItem),
  errors: ['not_found'],
  run: async (caller, { groupId, status, ...input }) => {
    await managedGroup(db, caller, groupId, 'volunteer')
    return keysetPage(
      {
        list: `managed-events:${groupId}`,
        filters: { status },
        input,
        order: eventOrder('start', 'desc'),
        rows: async (slice) => listGroupEvents(db, groupId, status, slice),
      },
      (row) => ({
        ...presentListItem(row as ManagedEventRow),
        checkinCount: (row as ManagedEventRow).checkinCount,
      }),
    )
  },
})

export const readManagedEvent = action({
  name: 'readManagedEvent',
  access: 'manage:events',
  summary: 'Read an event of a group that you help to run',
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
  description: 'A draft unless `status` is `published`. A check-in code is made with it.',
  input: Type.Object({ ...inGroup, ...eventFields }),
  output: EventCreated,
  errors: ['not_found'],
  run: (caller, { groupId, ...fields }) =>
    transaction(async (tx) => {
      const { group } = await managedGroup(tx, caller, groupId, 'manager')
      const event = await insert(tx, groupId, columnsOf(fields))
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
      const before = await lockedEvent(tx, groupId, eventId)
      demandOwn(before)
      if (before.status === 'cancelled') throw conflict('This event was cancelled')
      if (change.status === 'draft' && before.status === 'published' && (await hasRsvps(tx, eventId)))
        throw conflict('People have answered: cancel the event instead of taking it back')
      const fields = Object.keys(change)
      if (fields.length > 0) await apply(tx, before, columnsOf(change, before), fields)
      return present(tx, groupId, eventId)
    }),
})

async function apply(tx: Tx, before: EventRow, columns: Partial<EventRow>, fields: string[]) {
  const publishes = columns.status === 'published' && before.status === 'draft'
  const after = await updateEvent(tx, before.id, {
    ...columns,
    ...(publishes && before.publishedAt === null && { publishedAt: now() }),
    ...(moves(fields) && { sequence: raiseSequence as unknown as number }),
  })
  const about = { eventId: before.id, groupId: before.groupId }
  if (publishes) await emit(tx, 'event.published', about)
  await emit(tx, 'event.updated', { ...about, fields })
  if (fields.includes('maxAttendees')) await promoteWaiting(tx, after)
}

export const cancelEvent = action({
  name: 'cancelEvent',
  access: 'manage:events',
  summary: 'Cancel an event',
  description:
    'It stays where people can see that it was cancelled. RSVPs are kept, and nobody is promoted any more.',
  input: Type.Object({ ...inEvent, reason: optional(nullable(line(0, 500))) }),
  output: Success,
  errors: ['not_found', 'conflict'],
  run: (caller, { groupId, eventId, reason }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      const event = await lockedEvent(tx, groupId, eventId)
      demandOwn(event)
      if (event.status === 'cancelled') throw conflict('This event was cancelled already')
      if (event.status === 'draft') throw conflict('This event is a draft: delete it instead')
      await updateEvent(tx, eventId, {
        status: 'cancelled',
        cancelReason: reason || null,
        sequence: raiseSequence as unknown as number,
      })
      await emit(tx, 'event.cancelled', { eventId, groupId })
      return { success: true } as const
    }),
})

export const deleteDraft = action({
  name: 'deleteDraft',
  access: 'manage:events',
  summary: 'Delete a draft',
  input: Type.Object(inEvent),
  output: Nothing,
  errors: ['not_found', 'conflict'],
  run: (caller, { groupId, eventId }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      const event = await lockedEvent(tx, groupId, eventId)
      if (event.status !== 'draft') throw conflict('Only drafts can be deleted: cancel the event instead')
      await deleteEvent(tx, eventId)
    }),
})

export const duplicateEvent = action({
  name: 'duplicateEvent',
  access: 'manage:events',
  summary: 'Copy an event to other times, as drafts',
  input: Type.Object({ ...inEvent, startTimes: Type.Array(time(), { minItems: 1, maxItems: 52 }) }),
  output: Type.Object({ events: Type.Array(EventDetail) }),
  errors: ['not_found'],
  run: (caller, { groupId, eventId, startTimes }) =>
    transaction(async (tx) => {
      const { group } = await managedGroup(tx, caller, groupId, 'manager')
      const original = await lockedEvent(tx, groupId, eventId)
      const copies: EventRow[] = []
      for (const startTime of startTimes) {
        copies.push(await insert(tx, groupId, copyAt(original, new Date(startTime))))
        await makeCheckinCode(tx, (copies.at(-1) as EventRow).id)
      }
      return { events: copies.map((event) => presentEvent({ event, group }, true)) }
    }),
})

function copyAt(original: EventRow, startTime: Date): Partial<EventRow> {
  const endTime =
    original.endTime &&
    new Date(startTime.getTime() + original.endTime.getTime() - original.startTime.getTime())
  const { title, description, timezone, eventType, onlineUrl, photoUrl, tags, maxAttendees } = original
  const {
    venueName,
    venueAddress,
    venueCity,
    venueState,
    venuePostalCode,
    venueCountry,
    venueLatitude,
    venueLongitude,
  } = original
  return {
    ...columnsOf({ startTime: startTime.toISOString(), endTime: endTime?.toISOString() ?? null }),
    ...{ title, description, timezone, eventType, onlineUrl, photoUrl, tags, maxAttendees },
    ...{
      venueName,
      venueAddress,
      venueCity,
      venueState,
      venuePostalCode,
      venueCountry,
      venueLatitude,
      venueLongitude,
    },
    status: 'draft',
  }
}

async function insert(tx: Tx, groupId: string, columns: Partial<EventRow>): Promise<EventRow> {
  const published = columns.status === 'published'
  // The schema of the input demands the columns that a row needs.
  const row = {
    ...columns,
    id: newId(),
    groupId,
    publishedAt: published ? new Date(nowMs()) : null,
  } as Parameters<typeof insertEvents>[1][number]
  const [event] = await insertEvents(tx, [row])
  const about = { eventId: (event as EventRow).id, groupId }
  await emit(tx, 'event.created', about)
  if (published) await emit(tx, 'event.published', about)
  return event as EventRow
}

async function lockedEvent(tx: Tx, groupId: string, eventId: string): Promise<EventRow> {
  const event = await lockEvent(tx, eventId)
  if (event?.groupId !== groupId) throw notFound('Event')
  return event
}

function demandOwn(event: EventRow) {
  if (event.source !== 'native') throw conflict('This event comes from another platform: change it there')
}

async function present(where: Parameters<typeof findGroupEvent>[0], groupId: string, eventId: string) {
  const found = await findGroupEvent(where, groupId, eventId)
  if (!found) throw notFound('Event')
  const rsvpSummary = await findSummary(where, found.event)
  return { ...presentEvent(found, true), rsvpSummary, checkinCount: found.checkinCount }
}
