import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, invalidField } from '@/core/errors'
import { line, nullable, optional, time, whole } from '@/core/fields'
import { Nothing, Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { transaction } from '@/db/transaction'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import { makeCheckinCode } from '@/modules/gatherings/checkins/codes'
import { presentEvent } from '@/modules/gatherings/events/present'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { EventDetail } from '@/modules/gatherings/events/schema'
import { pictureForCopy } from '@/modules/people/uploads/use'
import { emit } from '@/outbox/emit'
import { copyAt, demandOwn, insertEvent, lockGroupEvent, weekly } from './insert'
import { deleteEvent, demandQuotaForEvents, updateEvent } from './queries'
import { inEvent } from './schema'

export const cancelEvent = action({
  name: 'cancelEvent',
  access: 'manage:events',
  summary: 'Cancel an event',
  description: 'It stays visible as cancelled. RSVPs stay, and the waitlist is no longer promoted.',
  input: Type.Object({ ...inEvent, reason: optional(nullable(line(0, 500))) }),
  output: Success,
  errors: ['not_found', 'conflict'],
  run: (caller, { groupId, eventId, reason }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      const event = await lockGroupEvent(tx, groupId, eventId)
      demandOwn(event)
      if (event.status === 'cancelled') throw conflict(refusals.cancelledAlready)
      if (event.status === 'draft') throw conflict(refusals.deleteDraft)
      await updateEvent(tx, eventId, { status: 'cancelled', cancelReason: reason || null }, true)
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
      const event = await lockGroupEvent(tx, groupId, eventId)
      if (event.status !== 'draft') throw conflict(refusals.draftsOnly)
      await deleteEvent(tx, eventId)
    }),
})

const COPIES_MAX = 52

export const duplicateEvent = action({
  name: 'duplicateEvent',
  access: 'manage:events',
  summary: 'Copy an event to other times, as drafts',
  description: `At most ${COPIES_MAX} copies at once. A copy ends at the same local time as the original.`,
  input: Type.Object({
    ...inEvent,
    startTimes: Type.Array(time(), {
      minItems: 1,
      maxItems: COPIES_MAX,
      description: 'When each copy starts.',
    }),
    weeks: optional(
      whole(1, COPIES_MAX, {
        description:
          'Repeats each start time weekly, this many times including the first, at the same local time.',
      }),
    ),
  }),
  output: Type.Object({ events: Type.Array(EventDetail) }),
  errors: ['not_found', 'conflict'],
  run: (caller, { groupId, eventId, startTimes, weeks = 1 }) =>
    transaction(async (tx) => {
      const count = startTimes.length * weeks
      if (count > COPIES_MAX) throw invalidField('weeks', refusals.copiesMax(COPIES_MAX))
      const { group } = await managedGroup(tx, caller, groupId, 'manager')
      // Lock order is group, then event, as in group deletion.
      await demandQuotaForEvents(tx, groupId, now(), count)
      const event = await lockGroupEvent(tx, groupId, eventId)
      const original = { ...event, photoUrl: await pictureForCopy(tx, event.photoUrl) }
      const copies: EventRow[] = []
      const place = { groupId, userId: caller.userId }
      const starts = startTimes.map((startTime) => new Date(startTime))
      for (const startTime of weekly(starts, weeks, event.timezone)) {
        const copy = await insertEvent(tx, place, copyAt(original, startTime))
        await makeCheckinCode(tx, copy.id)
        copies.push(copy)
      }
      return { events: copies.map((event) => presentEvent({ event, group }, true)) }
    }),
})
