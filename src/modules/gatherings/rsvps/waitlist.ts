import { now } from '@/core/clock'
import type { Tx } from '@/db/client'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { isOver } from '@/modules/gatherings/events/time'
import { emitAll } from '@/outbox/emit'
import { giveUpPlace, lockEventsOf } from './queries'
import { promoteFirst } from './waitlist/queries'

export const hasRoom = ({ maxAttendees, confirmedCount }: EventRow) =>
  maxAttendees === null || confirmedCount < maxAttendees

/**
 * Promotes as many waiting people as there are free seats, in the order in which they joined. The event is locked and
 * given as it is now. A cancelled event, or one that is over, promotes nobody.
 */
export async function promoteWaiting(tx: Tx, event: EventRow): Promise<void> {
  if (event.status !== 'published' || isOver(event, now()) || !hasRoom(event)) return
  const seats = event.maxAttendees === null ? null : event.maxAttendees - event.confirmedCount
  const promoted = await promoteFirst(tx, event.id, seats)
  await emitAll(
    tx,
    'rsvp.promoted',
    promoted.map(({ id, eventId, userId }) => ({ rsvpId: id, eventId, userId, groupId: event.groupId })),
  )
}

/** Gives the seats of a person who leaves for good to the first on each waitlist. */
export async function giveUpSeats(tx: Tx, userId: string): Promise<void> {
  for (const event of await lockEventsOf(tx, userId, now())) {
    const given = await giveUpPlace(tx, event.id, userId)
    if (given?.status === 'confirmed')
      await promoteWaiting(tx, { ...event, confirmedCount: event.confirmedCount - 1 })
  }
}
