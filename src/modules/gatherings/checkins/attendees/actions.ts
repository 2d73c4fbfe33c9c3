import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { AppError, notFound } from '@/core/errors'
import { Nothing, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { addressOf, DownloadAddress } from '@/http/downloads/address'
import { mayKnow } from '@/modules/people/users/visible'
import { emit } from '@/outbox/emit'
import { demandManual, managedEvent } from '../availability'
import { checkInManually } from '../check-in'
import { giveBackUse } from '../queries'
import {
  Attendee,
  AttendeeInput,
  AttendeesInput,
  CheckinResult,
  EventInput,
  ManualCheckinInput,
} from '../schema'
import { deleteCheckin, findPersonAtEvent, listAttendees, OLDEST_ATTENDEE_FIRST } from './queries'
import { attendeeSheet, presentAttendees } from './sheet'

export const listEventAttendees = action({
  name: 'listEventAttendees',
  access: 'manage:checkins',
  reads: true,
  summary: 'List attendees of an event',
  description:
    'For volunteers and up. People who checked in without an RSVP have the status `walk_in`; guests without an account have a `guest` and no `userId`.',
  input: AttendeesInput,
  output: pageOf(Attendee),
  errors: ['not_found'],
  run: async (caller, { groupId, eventId, status, checkedIn, search, ...input }) => {
    await managedEvent(db, caller, { groupId, eventId }, 'volunteer')
    const filters = { status, checkedIn, search }
    const { data, pagination } = await keysetPage(
      {
        list: `attendees:${eventId}`,
        filters,
        input,
        order: OLDEST_ATTENDEE_FIRST,
        rows: (after, cut) => listAttendees(db, eventId, filters, after, cut),
      },
      (row) => row,
    )
    return { data: await presentAttendees(eventId, data), pagination }
  },
})

export const checkInAttendee = action({
  name: 'checkInAttendee',
  access: 'manage:checkins',
  summary: 'Check a person in',
  description: 'For volunteers and up, from 24 hours before the start. Needs no RSVP.',
  input: ManualCheckinInput,
  output: CheckinResult,
  errors: ['not_found', 'conflict', 'gone'],
  run: (caller, { userId: who, method = 'manual', ...place }) =>
    transaction(async (tx) => {
      const at = now()
      const event = await managedEvent(tx, caller, place, 'volunteer')
      const person = await personAtDoor(tx, caller, event.id, who)
      demandManual(event, at)
      return checkInManually(tx, { event, userId: person.id, method, at })
    }),
})

export const undoCheckin = action({
  name: 'undoCheckin',
  access: 'manage:checkins',
  summary: "Undo a person's check-in",
  description: 'For managers and up. The code used for it gets one use back.',
  input: AttendeeInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { userId: who, ...place }) =>
    transaction(async (tx) => {
      const { id: eventId, groupId } = await managedEvent(tx, caller, place, 'manager')
      const { id: userId, checkinId, codeId } = await personAtDoor(tx, caller, eventId, who)
      if (checkinId === null) throw notFound('Check-in')
      await emit(tx, 'checkin.undone', { checkinId, eventId, groupId, userId })
      // Lock order is code, then check-in, everywhere: the reverse deadlocks. If the check-in is gone by now, the throw rolls this
      // back.
      if (codeId !== null) await giveBackUse(tx, codeId)
      if (!(await deleteCheckin(tx, checkinId))) throw notFound('Check-in')
    }),
})

export const exportAttendees = action({
  name: 'exportAttendees',
  access: 'manage:checkins',
  summary: 'Export the attendees of an event as CSV',
  description:
    'For managers and up. The address serves a CSV file without a credential, for ten minutes, while you are a manager.',
  input: EventInput,
  output: DownloadAddress,
  errors: ['not_found'],
  secret: true,
  run: async (caller, place) => {
    const { id: eventId } = await managedEvent(db, caller, place, 'manager')
    return addressOf(caller, attendeeSheet, { eventId })
  },
})

/** A private member is found only through their RSVP or check-in at this event. */
async function personAtDoor(tx: Tx, caller: Caller, eventId: string, who: string) {
  const person = await findPersonAtEvent(tx, eventId, who)
  if (!person || !(person.rsvpId || person.checkinId || mayKnow(caller, person)))
    throw new AppError('not_found', refusals.unknownUsername)
  return person
}
