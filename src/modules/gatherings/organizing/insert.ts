import { now } from '@/core/clock'
import { conflict, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { type EventRow, lockEvent } from '@/modules/gatherings/events/queries'
import { emit } from '@/outbox/emit'
import { insertRow } from './queries'

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

export async function insertEvent(
  tx: Tx,
  { groupId, userId }: { groupId: string; userId: string },
  columns: Partial<EventRow>,
): Promise<EventRow> {
  const published = columns.status === 'published'
  // The input schema guarantees the required columns.
  const row = {
    ...columns,
    id: newId(),
    groupId,
    publishedAt: published ? now() : null,
  } as Parameters<typeof insertRow>[1]
  const event = await insertRow(tx, row)
  const about = { eventId: event.id, groupId, userId }
  await emit(tx, 'event.created', about)
  if (published) await emit(tx, 'event.published', about)
  return event
}
