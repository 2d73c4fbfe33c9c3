import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { isId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, ascending, type Cut, type Rows } from '@/db/keyset'
import { containing } from '@/db/rows'
import { filters } from '@/db/statement-names'
import { checkinCodes, checkins, events, guests, rsvps } from '@/db/tables/events'
import { groupMembers, groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { idsNamedLike } from '@/modules/people/users/queries'

export type AttendeeRow = {
  userId: string | null
  username: string | null
  name: string | null
  avatarUrl: string | null
  isPublic: boolean | null
  guestId: string | null
  guestName: string | null
  guestEmail: string | null
  rsvpId: string | null
  status: 'confirmed' | 'waitlisted' | 'cancelled' | null
  rsvpAt: Date | null
  checkedInAt: Date | null
  method: (typeof checkins.$inferSelect)['method'] | null
  codeLabel: string | null
}

export type AttendeeFilters = {
  status?: 'confirmed' | 'waitlisted' | 'cancelled' | 'walk_in'
  checkedIn?: boolean
  search?: string
}

/** Sorts by the time of the RSVP, or of the check-in for walk-ins. */
export const OLDEST_ATTENDEE_FIRST = ascending<AttendeeRow>(
  [
    { sql: sql`"at"`, type: 'timestamp (3) with time zone' },
    (row) => (row.rsvpAt ?? row.checkedInAt) as Date,
  ],
  [{ sql: sql`who`, type: 'uuid' }, (row) => (row.userId ?? row.guestId) as string],
)

/**
 * Merges one index scan per RSVP status and one for walk-ins. Each scan is limited to the page size, so the cost does not grow with
 * the event.
 */
export function listAttendees(
  db: Db | Tx,
  eventId: string,
  { status, checkedIn, search }: AttendeeFilters,
  after: After,
  { order, rows }: Cut,
): Rows<AttendeeRow> {
  const isHere =
    checkedIn === undefined ? undefined : checkedIn ? sql`checkin_id is not null` : sql`checkin_id is null`
  // Marks the statement as varying even if the status is the only filter, so that it is not prepared by name.
  const isOneKind = status && sql`true`
  const first = (wanted: SQL | undefined, limit: number) => {
    const cut = sql`order by ${order} limit ${limit}::int`
    const parts = (status ? [status] : STATUSES).map(
      (
        each,
      ) => sql`(select * from (${each === 'walk_in' ? walkIns(eventId) : withRsvp(eventId, each)}) as part
        where ${and(filters(isOneKind, isHere, wanted), after) ?? sql`true`} ${cut})`,
    )
    // Merged and limited before the join: four parts of 10,000 joined rows would be sorted on disk.
    return sql`select * from (${sql.join(parts, sql` union all `)}) as merged ${cut}`
  }
  const page =
    search === undefined || isShort(search)
      ? first(search === undefined ? undefined : isCalled(search), rows)
      : // If the first 2,000 attendees fill a page, tests attendees one by one; otherwise looks the name up in the index.
        sql`
        with near as materialized (
          select 1 from (${first(undefined, WINDOW)}) as part where ${isCalled(search)} limit ${rows}::int
        ), named as materialized (${idsNamedLike(search)})
        ${first(
          sql`case when (select count(*) from near) = ${rows}::int then ${isCalled(search)}
          else who in (select id from named) or ${isGuestCalled(search)} end`,
          rows,
        )}`
  // Looked up for each row: a join would hash every RSVP of the event.
  const ofPerson = and(eq(rsvps.eventId, eventId), eq(rsvps.userId, sql`who`))
  const r = db.select().from(rsvps).where(ofPerson).limit(1).as('r')
  const c = db.select().from(checkins).where(eq(checkins.id, sql`checkin_id`)).limit(1).as('c')
  return db
    .select(attendeeColumns(r, c))
    .from(sql`(${page}) as page`)
    .leftJoinLateral(r, sql`true`)
    .leftJoinLateral(c, sql`true`)
    .leftJoin(users, eq(users.id, sql`who`))
    .leftJoin(guests, eq(guests.id, sql`who`))
    .leftJoin(checkinCodes, eq(checkinCodes.id, c.codeId))
}

const STATUSES = ['confirmed', 'waitlisted', 'cancelled', 'walk_in'] as const

/** An index-only scan of `rsvps_by_status`. */
const withRsvp = (eventId: string, status: string) => sql`
  select rsvp_at as "at", user_id as who,
    (select id from checkins where event_id = ${eventId} and user_id = rsvps.user_id) as checkin_id
  from rsvps where event_id = ${eventId} and status = ${sql.raw(`'${status}'`)}`

/** Leaves out check-ins of erased guests, which have neither a user nor a guest. */
const walkIns = (eventId: string) => sql`
  select checked_in_at as "at", coalesce(user_id, guest_id) as who, id as checkin_id
  from checkins where event_id = ${eventId} and coalesce(user_id, guest_id) is not null
    and not exists (select 1 from rsvps where event_id = ${eventId} and user_id = checkins.user_id)`

/** Attendees that a search tests first. Common names fill a page from these; rare ones are cheap in the trigram indexes. */
const WINDOW = 2000

/** Trigram indexes need three characters. A shorter search reads the attendees in order until the page is full. */
const isShort = (search: string) => [...search].length < 3

/** Scalar subqueries make PostgreSQL look users up by id; with `exists` it scans the whole table. */
const isCalled = (search: string) => sql`(
  (select ${containing(search, [users.name, users.username])} from users where users.id = who) or ${isGuestCalled(search)})`

const isGuestCalled = (search: string) =>
  sql`(select ${containing(search, [guests.name, guests.email])} from guests where guests.id = who)`

/**
 * People (not guests) by user id, in keyset pages: the last page costs as much as the first. RSVPs and check-ins are each limited
 * before the join. The join of guests matches none; `attendeeColumns` needs it.
 */
export function attendeesAfter(
  db: Db | Tx,
  eventId: string,
  after: string | undefined,
  limit: number,
): Promise<AttendeeRow[]> {
  const [r, c] = [rsvpsAfter(db, eventId, after, limit), checkinsAfter(db, eventId, after, limit)]
  return db
    .select(attendeeColumns(r, c))
    .from(r)
    .fullJoin(c, eq(c.userId, r.userId))
    .leftJoin(users, eq(users.id, sql`coalesce(${r.userId}, ${c.userId})`))
    .leftJoin(guests, eq(guests.id, c.guestId))
    .leftJoin(checkinCodes, eq(checkinCodes.id, c.codeId))
    .where(isNotNull(users.id))
    .orderBy(users.id)
    .limit(limit)
}

const rsvpsAfter = (db: Db | Tx, eventId: string, after: string | undefined, limit: number) =>
  db
    .select()
    .from(rsvps)
    .where(and(eq(rsvps.eventId, eventId), after ? gt(rsvps.userId, after) : undefined))
    .orderBy(rsvps.userId)
    .limit(limit)
    .as('r')

const checkinsAfter = (db: Db | Tx, eventId: string, after: string | undefined, limit: number) =>
  db
    .select()
    .from(checkins)
    .where(
      and(eq(checkins.eventId, eventId), after ? gt(checkins.userId, after) : isNotNull(checkins.userId)),
    )
    .orderBy(checkins.userId)
    .limit(limit)
    .as('c')

/** Waitlist positions by RSVP id. */
export async function positionsOf(
  db: Db | Tx,
  eventId: string,
  rows: AttendeeRow[],
): Promise<Map<string | null, number>> {
  const waiting = rows.flatMap(({ rsvpId, status }) => (status === 'waitlisted' ? [rsvpId] : []))
  if (waiting.length === 0) return new Map()
  const found = await db.execute<{ id: string; position: number }>(sql`
    select id, position from (
      select id, (row_number() over (order by waitlist_number))::int as position from rsvps
      where event_id = ${eventId} and status = 'waitlisted'
    ) as line where id = any(${sql.param(waiting)}::uuid[])`)
  return new Map(found.map(({ id, position }) => [id, position]))
}

const attendeeColumns = (r: ReturnType<typeof rsvpsAfter>, c: ReturnType<typeof checkinsAfter>) => ({
  userId: users.id,
  username: users.username,
  name: users.name,
  avatarUrl: users.avatarUrl,
  isPublic: users.isPublic,
  guestId: guests.id,
  guestName: guests.name,
  guestEmail: guests.email,
  rsvpId: r.id,
  status: r.status,
  rsvpAt: r.rsvpAt,
  checkedInAt: c.checkedInAt,
  method: c.method,
  codeLabel: checkinCodes.label,
})

/** Finds a person by id, username or `email`, with their RSVP and check-in at an event. */
export async function findPersonAtEvent(db: Db | Tx, eventId: string, who: string | { email: string }) {
  const [found] = await db
    .select({
      id: users.id,
      name: users.name,
      isPublic: users.isPublic,
      rsvpId: rsvps.id,
      checkinId: checkins.id,
      codeId: checkins.codeId,
    })
    .from(users)
    .leftJoin(rsvps, and(eq(rsvps.userId, users.id), eq(rsvps.eventId, eventId)))
    .leftJoin(checkins, and(eq(checkins.userId, users.id), eq(checkins.eventId, eventId)))
    .where(
      typeof who === 'object'
        ? eq(sql`lower(${users.email})`, who.email)
        : isId(who)
          ? eq(users.id, who)
          : eq(sql`lower(${users.username})`, who.toLowerCase()),
    )
  return found
}

export async function deleteCheckin(tx: Tx, id: string): Promise<boolean> {
  return (await tx.delete(checkins).where(eq(checkins.id, id)).returning({ id: checkins.id })).length > 0
}

/** Whether a person manages the event now: signed download links stop working when the role ends or the account is suspended. */
export async function mayExport(db: Db | Tx, eventId: string, userId: string): Promise<boolean> {
  if (!isId(userId)) return false
  const found = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(events, eq(events.id, eventId))
    .innerJoin(groups, eq(groups.id, events.groupId))
    .leftJoin(groupMembers, and(eq(groupMembers.groupId, events.groupId), eq(groupMembers.userId, users.id)))
    .where(
      and(
        eq(users.id, userId),
        isNull(users.suspendedAt),
        or(is(users.role, 'admin'), is(groupMembers.role, 'owner'), is(groupMembers.role, 'manager')),
      ),
    )
  return found.length > 0
}
