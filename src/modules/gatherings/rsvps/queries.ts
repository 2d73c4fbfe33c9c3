import { and, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import type { EventRow } from '@/modules/gatherings/events/queries'

export type RsvpRow = typeof rsvps.$inferSelect
export type PlacedRsvp = RsvpRow & { waitlistPosition: number | null }

/** Counts waiting RSVPs up to this number: waitlist numbers have gaps, positions do not. */
const placeInLine = sql<number | null>`case when ${rsvps.status} = 'waitlisted' then
  (select count(*)::int from ${rsvps} line where line.event_id = rsvps.event_id and line.status = 'waitlisted'
    and line.waitlist_number <= rsvps.waitlist_number) end`

export const placed = { ...getTableColumns(rsvps), waitlistPosition: placeInLine }

export async function findRsvp(db: Db | Tx, eventId: string, userId: string): Promise<PlacedRsvp | null> {
  const [row] = await db
    .select(placed)
    .from(rsvps)
    .where(and(eq(rsvps.eventId, eventId), eq(rsvps.userId, userId)))
  return row ?? null
}

/** Creates or revives an RSVP, confirmed or waitlisted. Returns undefined if the person already has an active one. */
export async function saveRsvp(
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

/** Cancels an active RSVP and returns it as it was. */
export async function cancelActiveRsvp(
  tx: Tx,
  eventId: string,
  userId: string,
): Promise<RsvpRow | undefined> {
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
 * Locks each future event with an active RSVP of this person, ordered by id to avoid deadlocks between two leaving members. A
 * promotion may happen before the lock, so read the RSVPs afterwards.
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

/** Each count is an index-only scan; the event row holds the seat count. */
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
