import { conflict, notFound } from '@/core/errors'
import type { Tx } from '@/db/client'
import { type EventRow, lockEvent } from '@/modules/gatherings/events/queries'

/** An event of this group, held until the commit. */
export async function heldEvent(tx: Tx, groupId: string, eventId: string): Promise<EventRow> {
  const event = await lockEvent(tx, eventId)
  if (event?.groupId !== groupId) throw notFound('Event')
  return event
}

/** An event that is synced from another platform is changed there. */
export function demandOwn(event: EventRow) {
  if (event.source !== 'native') throw conflict('This event comes from another platform: change it there')
}
