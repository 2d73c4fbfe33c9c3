import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, gone, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { EventParams } from '@/modules/gatherings/events/schema'
import { isOver } from '@/modules/gatherings/events/time'
import { lockVisibleEvent, visibleEvent } from '@/modules/gatherings/events/visible'
import { emit } from '@/outbox/emit'
import { presentRsvp } from './present'
import { cancelActiveRsvp, findRsvp, findSummary, type PlacedRsvp, saveRsvp } from './queries'
import { Rsvp, RsvpStatusResponse, RsvpSummary } from './schema'
import { canConfirm, promoteWaiting } from './waitlist'
import { nextWaitlistNumber } from './waitlist-queries'

export const rsvpToEvent = action({
  name: 'rsvpToEvent',
  access: 'write:events',
  summary: 'RSVP to an event',
  description: 'If the event is full, you join the end of the waitlist.',
  input: EventParams,
  output: Rsvp,
  errors: ['not_found', 'conflict', 'gone'],
  run: (caller, { eventId }) =>
    transaction(async (tx) => {
      const { userId } = caller
      const event = await lockVisibleEvent(tx, caller, eventId)
      if (event.status === 'cancelled') throw gone(refusals.eventCancelled)
      if (isOver(event, now())) throw conflict(refusals.eventOver)

      const status = (await canConfirm(tx, event)) ? 'confirmed' : 'waitlisted'
      const waitlistNumber = status === 'waitlisted' ? await nextWaitlistNumber(tx, eventId) : null
      const rsvp = await saveRsvp(tx, {
        id: newId(),
        eventId,
        userId,
        rsvpAt: now(),
        status,
        waitlistNumber,
      })
      if (!rsvp) throw conflict(refusals.rsvpHeld)

      await emit(tx, `rsvp.${status}`, { rsvpId: rsvp.id, eventId, userId, groupId: event.groupId })
      return presentRsvp(
        status === 'confirmed' ? { ...rsvp, waitlistPosition: null } : await reread(tx, eventId, userId),
      )
    }),
})

export const cancelRsvp = action({
  name: 'cancelRsvp',
  access: 'write:events',
  summary: 'Cancel your RSVP',
  description: 'A free seat goes to the first person on the waitlist.',
  input: EventParams,
  output: Success,
  errors: ['not_found'],
  run: (caller, { eventId }) =>
    transaction(async (tx) => {
      const { userId } = caller
      const event = await lockVisibleEvent(tx, caller, eventId)
      const cancelled = await cancelActiveRsvp(tx, eventId, userId)
      if (!cancelled) throw notFound('RSVP')
      await emit(tx, 'rsvp.cancelled', { rsvpId: cancelled.id, eventId, userId, groupId: event.groupId })
      // `event` was read before a trigger lowered the stored count.
      if (cancelled.status === 'confirmed')
        await promoteWaiting(tx, { ...event, confirmedCount: event.confirmedCount - 1 })
      return { success: true } as const
    }),
})

export const readRsvp = action({
  name: 'readRsvp',
  access: 'read:events',
  summary: 'Read your RSVP to an event',
  input: EventParams,
  output: RsvpStatusResponse,
  errors: ['not_found'],
  run: async (caller, { eventId }) => {
    await visibleEvent(caller, eventId)
    const rsvp = await findRsvp(db, eventId, caller.userId)
    return { rsvp: rsvp && presentRsvp(rsvp) }
  },
})

export const readRsvpSummary = action({
  name: 'readRsvpSummary',
  access: 'read:events',
  openOnSite: true,
  summary: 'Count the RSVPs of an event',
  input: EventParams,
  output: RsvpSummary,
  errors: ['not_found'],
  run: async (caller, { eventId }) => findSummary(db, (await visibleEvent(caller, eventId)).event),
})

/** For the waitlist position. */
const reread = async (tx: Tx, eventId: string, userId: string) =>
  (await findRsvp(tx, eventId, userId)) as PlacedRsvp
