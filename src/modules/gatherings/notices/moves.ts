import { now } from '@/core/clock'
import type { Tx } from '@/db/client'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { isOver } from '@/modules/gatherings/events/time'
import { knownOf } from './known'
import { keepKnown } from './queries'

/** Stores the announced time and place until the notice is sent, so that moving an event back sends none. */
export async function noteMove(tx: Tx, before: EventRow, after: EventRow): Promise<void> {
  if (before.status !== 'published' || after.status !== 'published' || isOver(after, now())) return
  const known = knownOf(before)
  if (!Bun.deepEquals(known, knownOf(after))) await keepKnown(tx, before.id, known)
}
