import { now } from '@/core/clock'
import type { Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import type { EventRow } from '@/modules/events/queries'
import { isOver } from '@/modules/events/time'
import { promoteFirst } from './queries'

export const hasRoom = ({ maxAttendees, confirmedCount }: EventRow) =>
  maxAttendees === null || confirmedCount < maxAttendees

/**
 * Seats as many of those who wait as fit, in the order in which they joined. The event is locked and given as it
 * is now. A cancelled event, or one that is over, promotes nobody.
 */
export async function promoteWaiting(tx: Tx, event: EventRow): Promise<void> {
  if (event.status !== 'published' || isOver(event, now()) || !hasRoom(event)) return
  const seats = event.maxAttendees === null ? null : event.maxAttendees - event.confirmedCount
  const promoted = await promoteFirst(tx, event.id, seats)
  for (const { id, eventId, userId } of promoted)
    await emit(tx, 'rsvp.promoted', { rsvpId: id, eventId, userId, groupId: event.groupId })
}
