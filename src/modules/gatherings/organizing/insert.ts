import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { emit } from '@/outbox/emit'
import { insertRow } from './queries'

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
