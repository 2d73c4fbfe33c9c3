import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, invalidField, notFound } from '@/core/errors'
import { id, line, nullable, optional } from '@/core/fields'
import { newId } from '@/core/ids'
import { Nothing } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso, orNull, wireId } from '@/core/shapes'
import { transaction } from '@/db/transaction'
import { mailAddress } from '@/modules/access/sign-in/addresses'
import { findPersonAtEvent } from '../attendees/queries'
import { demandManual, managedEvent } from '../availability'
import { checkInManually } from '../check-in'
import { insertCheckin } from '../queries'
import { CheckinResult } from '../schema'
import { deleteGuest, deleteGuestCheckin, demandQuotaForGuest, insertGuest } from './queries'

const inEvent = { groupId: id(), eventId: id() }

const NewGuest = Type.Object({
  ...inEvent,
  name: optional(nullable(line(1, 100))),
  email: optional(nullable(mailAddress())),
})

const GuestInput = Type.Object({ ...inEvent, guestId: id() })

const GuestCheckin = Type.Composite(
  [
    CheckinResult,
    Type.Object({
      guestId: orNull(wireId()),
      userId: orNull(
        Type.String({
          format: 'uuid',
          description: 'The member with that email address and an RSVP, instead of a guest.',
        }),
      ),
      name: Type.String({ description: 'The name on the list.' }),
    }),
  ],
  { $id: 'GuestCheckin' },
)

export const checkInGuest = action({
  name: 'checkInGuest',
  access: 'manage:checkins',
  summary: 'Check in a guest without an account',
  description:
    'For volunteers and up, from 24 hours before the start. A name, an email address, or both. They are erased 90 days after the event; the check-in still counts. The address of a member with an RSVP checks in that member.',
  input: NewGuest,
  output: GuestCheckin,
  errors: ['not_found', 'conflict', 'gone'],
  run: (caller, { name = null, email: typed = null, ...place }) =>
    transaction(async (tx) => {
      const at = now()
      const event = await managedEvent(tx, caller, place, 'volunteer')
      if (name === null && typed === null) throw invalidField('name', refusals.nameOrEmail)
      demandManual(event, at)
      await demandQuotaForGuest(tx, event.id)
      const email = typed?.toLowerCase() ?? null
      // Matches only members already on the attendee list; otherwise staff could test whether any email address has an account.
      const member = email === null ? undefined : await findPersonAtEvent(tx, event.id, { email })
      if (member && (member.rsvpId || member.checkinId)) {
        const result = await checkInManually(tx, { event, userId: member.id, method: 'manual', at })
        return { ...result, guestId: null, userId: member.id, name: member.name }
      }
      const guestId = newId()
      if (!(await insertGuest(tx, { id: guestId, eventId: event.id, name, email })))
        throw conflict(refusals.guestCheckedIn)
      const row = {
        id: newId(),
        eventId: event.id,
        userId: null,
        guestId,
        method: 'manual',
        checkedInAt: at,
      } as const
      await insertCheckin(tx, row)
      const { id, eventId, method } = row
      return { id, eventId, guestId, userId: null, name: name ?? email ?? '', checkedInAt: iso(at), method }
    }),
})

export const removeGuest = action({
  name: 'removeGuest',
  access: 'manage:checkins',
  summary: "Undo a guest's check-in and erase their name and address",
  description: 'For managers and up.',
  input: GuestInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { guestId, ...place }) =>
    transaction(async (tx) => {
      const { id: eventId } = await managedEvent(tx, caller, place, 'manager')
      if (!(await deleteGuestCheckin(tx, eventId, guestId))) throw notFound('Guest')
      await deleteGuest(tx, guestId)
    }),
})
