import { now } from '@/core/clock'
import type { Tx } from '@/db/client'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { isOver } from '@/modules/gatherings/events/time'
import { announcedOf } from './announced'
import { keepAnnounced } from './queries'

/** Stores the announced time and place until the notice is sent, so that moving an event back sends none. */
export async function recordMove(tx: Tx, before: EventRow, after: EventRow): Promise<void> {
  if (before.status !== 'published' || after.status !== 'published' || isOver(after, now())) return
  const announced = announcedOf(before)
  if (!Bun.deepEquals(announced, announcedOf(after))) await keepAnnounced(tx, before.id, announced)
}
