import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is } from '@/db/is'
import type { Order, Slice } from '@/db/keyset'
import { events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { type EventRow, type EventWithGroup, groupOfEvent } from '@/modules/events/queries'
import { publicUsers } from '@/modules/users/queries'

export type RsvpRow = typeof rsvps.$inferSelect
export type PlacedRsvp = RsvpRow & { waitlistPosition: number | null }

/** The place in line: how many wait with a number up to this one. Numbers may have gaps, places have none. */
const placeInLine = sql<number | null>`case when ${rsvps.status} = 'waitlisted' then
  (select count(*)::int from ${rsvps} line where line.event_id = rsvps.event_id and line.status = 'waitlisted'
    and line.waitlist_number <= rsvps.waitlist_number) end`

const placed = { ...columnsOf(rsvps), waitlistPosition: placeInLine }

function columnsOf(table: typeof rsvps) {
  return {
    id: table.id,
    eventId: table.eventId,
    userId: table.userId,
    status: table.status,
    rsvpAt: table.rsvpAt,
    waitlistNumber: table.waitlistNumber,
  }
}

export async function findRsvp(db: Db | Tx, eventId: string, userId: string): Promise<PlacedRsvp | null> {
  const [row] = await db
    .select(placed)
    .from(rsvps)
    .where(and(eq(rsvps.eventId, eventId), eq(rsvps.userId, userId)))
  return row ?? null
}

const seatOf = onceBuilt((db) =>
  db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(
      and(
        eq(rsvps.eventId, sql.placeholder('eventId')),
        eq(rsvps.userId, sql.placeholder('userId')),
        is(rsvps.status, 'confirmed'),
      ),
    )
    .prepare('seat_of'),
)

export const hasSeat = async (_db: Db, eventId: string, userId: string) =>
  (await seatOf().execute({ eventId, userId })).length > 0

/** Takes a seat or a place in line; a cancelled RSVP comes back to life. Nothing when the person is in already. */
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

/** The next number in line. The event is locked, so numbers follow the order in which people really joined. */
export async function nextWaitlistNumber(tx: Tx, eventId: string): Promise<number> {
  const [row] = await tx
    .update(events)
    .set({ waitlistTail: sql`${events.waitlistTail} + 1` })
    .where(eq(events.id, eventId))
    .returning({ tail: events.waitlistTail })
  return row?.tail as number
}

/** Ends an active RSVP and tells what it was. */
export async function giveUpPlace(tx: Tx, eventId: string, userId: string): Promise<RsvpRow | undefined> {
  const [active] = await tx
    .select()
    .from(rsvps)
    .where(
      and(
        eq(rsvps.eventId, eventId),
        eq(rsvps.userId, userId),
        inArray(rsvps.status, ['confirmed', 'waitlisted']),
      ),
    )
    .for('update')
  if (active)
    await tx.update(rsvps).set({ status: 'cancelled', waitlistNumber: null }).where(eq(rsvps.id, active.id))
  return active
}

/**
 * Holds every event to come in which a person sits or waits, in one order, so that two who leave wait instead of
 * meeting head-on. Whoever waits may be seated until then, so what they have is read afterwards.
 */
export const lockEventsOf = async (tx: Tx, userId: string, at: Date): Promise<EventRow[]> =>
  (
    await tx
      .select({ event: events })
      .from(events)
      .innerJoin(rsvps, eq(rsvps.eventId, events.id))
      .where(
        and(
          eq(rsvps.userId, userId),
          inArray(rsvps.status, ['confirmed', 'waitlisted']),
          is(events.status, 'published'),
          gt(events.overAt, at),
        ),
      )
      .orderBy(events.id)
      .for('no key update', { of: events })
  ).map(({ event }) => event)

/** Seats the first people in line. */
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

export async function findSummary(db: Db | Tx, event: EventRow) {
  const [row] = await db
    .select({
      confirmed: sql<number>`count(*) filter (where ${rsvps.status} = 'confirmed')::int`,
      waitlisted: sql<number>`count(*) filter (where ${rsvps.status} = 'waitlisted')::int`,
      cancelled: sql<number>`count(*) filter (where ${rsvps.status} = 'cancelled')::int`,
    })
    .from(rsvps)
    .where(eq(rsvps.eventId, event.id))
  const { confirmed = 0, waitlisted = 0, cancelled = 0 } = row ?? {}
  return { total: confirmed + waitlisted, confirmed, waitlisted, cancelled, capacity: event.maxAttendees }
}

export type GuestRow = {
  userId: string
  username: string | null
  name: string
  avatarUrl: string | null
  rsvpAt: Date
}

export const FIRST_COME: Order<GuestRow> = {
  direction: 'asc',
  keys: [
    { column: rsvps.rsvpAt, of: (row) => row.rsvpAt },
    { column: rsvps.userId, of: (row) => row.userId },
  ],
}

export const listGuests = (
  db: Db | Tx,
  eventId: string,
  { after, orderBy, limit, offset }: Slice,
): Promise<GuestRow[]> =>
  db
    .select({
      userId: rsvps.userId,
      username: users.username,
      name: users.name,
      avatarUrl: users.avatarUrl,
      rsvpAt: rsvps.rsvpAt,
    })
    .from(rsvps)
    .innerJoin(users, eq(users.id, rsvps.userId))
    .where(and(eq(rsvps.eventId, eventId), is(rsvps.status, 'confirmed'), publicUsers, after))
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset)

export type OwnRsvpRow = EventWithGroup & { rsvp: PlacedRsvp }

export const NEWEST_FIRST: Order<OwnRsvpRow> = {
  direction: 'desc',
  keys: [
    { column: rsvps.rsvpAt, of: ({ rsvp }) => rsvp.rsvpAt },
    { column: rsvps.id, of: ({ rsvp }) => rsvp.id },
  ],
}

export const listRsvpsOf = (
  db: Db | Tx,
  userId: string,
  { status, when, at }: { status?: RsvpRow['status']; when?: 'upcoming' | 'past'; at: Date },
  { after, orderBy, limit, offset }: Slice,
): Promise<OwnRsvpRow[]> =>
  db
    .select({
      rsvp: placed,
      event: events,
      group: groupOfEvent,
    })
    .from(rsvps)
    .innerJoin(events, eq(events.id, rsvps.eventId))
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(
      and(
        eq(rsvps.userId, userId),
        status && eq(rsvps.status, status),
        when === 'upcoming' ? gt(events.overAt, at) : when === 'past' ? lte(events.overAt, at) : undefined,
        after,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset)
