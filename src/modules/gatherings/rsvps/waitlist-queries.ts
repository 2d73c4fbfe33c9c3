import { eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { events, rsvps, unfilledEvents } from '@/db/tables/events'

/** The caller has locked the event, so numbers follow the order of joining. */
export async function nextWaitlistNumber(tx: Tx, eventId: string): Promise<number> {
  const [row] = await tx
    .update(events)
    .set({ waitlistTail: sql`${events.waitlistTail} + 1` })
    .where(eq(events.id, eventId))
    .returning({ tail: events.waitlistTail })
  return row?.tail as number
}

export const promoteFirst = (tx: Tx, eventId: string, count: number | null) =>
  tx
    .update(rsvps)
    .set({ status: 'confirmed', waitlistNumber: null })
    .where(
      inArray(
        rsvps.id,
        sql`(select id from ${rsvps} line where line.event_id = ${eventId} and line.status = 'waitlisted'
          order by line.waitlist_number limit ${count})`,
      ),
    )
    .returning()

/** Whether a waitlist promotion is in progress. */
export async function isUnfilled(tx: Tx, eventId: string): Promise<boolean> {
  const rows = await tx.select().from(unfilledEvents).where(eq(unfilledEvents.eventId, eventId))
  return rows.length > 0
}

export const markUnfilled = (tx: Tx, eventId: string) =>
  tx.insert(unfilledEvents).values({ eventId }).onConflictDoNothing()

export const unmarkUnfilled = (tx: Tx, eventId: string) =>
  tx.delete(unfilledEvents).where(eq(unfilledEvents.eventId, eventId))

export const listUnfilled = async (db: Db): Promise<string[]> =>
  (await db.select().from(unfilledEvents)).map(({ eventId }) => eventId)

export const countUnfilled = (db: Db) => db.$count(unfilledEvents)
