import { conflict, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { type EventRow, lockEvent } from '@/modules/gatherings/events/queries'

/** Locks an event of this group until the commit. */
export async function lockGroupEvent(tx: Tx, groupId: string, eventId: string): Promise<EventRow> {
  const event = await lockEvent(tx, eventId)
  if (event?.groupId !== groupId) throw notFound('Event')
  return event
}

/** Refuses events synced from another platform: they are edited there. */
export function demandOwn(event: EventRow) {
  if (event.source !== 'native') throw conflict(refusals.otherPlatform)
}
