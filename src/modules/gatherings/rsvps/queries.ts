import { and, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import type { EventRow } from '@/modules/gatherings/events/queries'

export type RsvpRow = typeof rsvps.$inferSelect
export type PlacedRsvp = RsvpRow & { waitlistPosition: number | null }

/**
 * The position on the waitlist: how many wait with a number up to this one. Numbers may have gaps, positions have none.
 */
const placeInLine = sql<number | null>`case when ${rsvps.status} = 'waitlisted' then
  (select count(*)::int from ${rsvps} line where line.event_id = rsvps.event_id and line.status = 'waitlisted'
    and line.waitlist_number <= rsvps.waitlist_number) end`

/** An RSVP with its position on the waitlist. */
export const placed = { ...getTableColumns(rsvps), waitlistPosition: placeInLine }

export async function findRsvp(db: Db | Tx, eventId: string, userId: string): Promise<PlacedRsvp | null> {
  const [row] = await db
    .select(placed)
    .from(rsvps)
    .where(and(eq(rsvps.eventId, eventId), eq(rsvps.userId, userId)))
  return row ?? null
}

/** Takes a seat or a place on the waitlist; a cancelled RSVP is revived. Undefined when the person has one already. */
export async function takePlace(
  tx: Tx,
  row: {
    id: string
    eventId: string
    userId: string
    rsvpAt: Date
    status: 'confirmed' | 'waitlisted'
    waitlistNumber: number | null
  },
): Promise<RsvpRow | undefined> {
  const { status, rsvpAt, waitlistNumber } = row
  const [taken] = await tx
    .insert(rsvps)
    .values(row)
    .onConflictDoUpdate({
      target: [rsvps.eventId, rsvps.userId],
      set: { status, rsvpAt, waitlistNumber },
      setWhere: is(rsvps.status, 'cancelled'),
    })
    .returning()
  return taken
}

const sitsOrWaits = inArray(rsvps.status, ['confirmed', 'waitlisted'])

/** Ends an active RSVP and tells what it was. */
export async function giveUpPlace(tx: Tx, eventId: string, userId: string): Promise<RsvpRow | undefined> {
  const [active] = await tx
    .select()
    .from(rsvps)
    .where(and(eq(rsvps.eventId, eventId), eq(rsvps.userId, userId), sitsOrWaits))
    .for('update')
  if (active)
    await tx.update(rsvps).set({ status: 'cancelled', waitlistNumber: null }).where(eq(rsvps.id, active.id))
  return active
}

/**
 * Locks every coming event in which a person has a seat or waits, in one order, so that two people who leave do not
 * deadlock. A waiting person may be promoted until then, so the RSVPs are read afterwards.
 */
export const lockEventsOf = async (tx: Tx, userId: string, at: Date): Promise<EventRow[]> =>
  (
    await tx
      .select({ event: events })
      .from(events)
      .innerJoin(groups, eq(groups.id, events.groupId))
      .innerJoin(rsvps, eq(rsvps.eventId, events.id))
      .where(
        and(eq(rsvps.userId, userId), sitsOrWaits, is(events.status, 'published'), gt(events.overAt, at)),
      )
      .orderBy(events.id)
      .for('no key update', { of: events })
  ).map(({ event }) => event)

/** Each count is of one index; that of seats is kept with the event. */
export async function findSummary(db: Db | Tx, event: EventRow) {
  const [row] = await db.execute<{ confirmed: number; waitlisted: number; answered: number }>(sql`
    select confirmed_count as confirmed,
      (select count(*)::int from rsvps where event_id = ${event.id} and status = 'waitlisted') as waitlisted,
      (select count(*)::int from rsvps where event_id = ${event.id}) as answered
    from events where id = ${event.id}`)
  const { confirmed = 0, waitlisted = 0, answered = 0 } = row ?? {}
  const total = confirmed + waitlisted
  return { total, confirmed, waitlisted, cancelled: answered - total, capacity: event.maxAttendees }
}
