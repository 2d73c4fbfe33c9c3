import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { isId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, ascending, type Rows } from '@/db/keyset'
import { containing } from '@/db/like'
import { filters } from '@/db/statement-names'
import { checkinCodes, checkins, events, guests, rsvps } from '@/db/tables/events'
import { groupMembers } from '@/db/tables/groups'
import { users } from '@/db/tables/users'

export type AttendeeRow = {
  userId: string | null
  username: string | null
  name: string | null
  avatarUrl: string | null
  guestId: string | null
  guestName: string | null
  guestEmail: string | null
  rsvpId: string | null
  status: 'confirmed' | 'waitlisted' | 'cancelled' | null
  rsvpAt: Date | null
  waitlistPosition: number | null
  checkedInAt: Date | null
  method: (typeof checkins.$inferSelect)['method'] | null
  codeLabel: string | null
}

export type AttendeeFilters = {
  status?: 'confirmed' | 'waitlisted' | 'cancelled' | 'walk_in'
  checkedIn?: boolean
  search?: string
}

/** By the time of the RSVP, or of the check-in where there was none. */
export const FIRST_HEARD_FIRST = ascending<AttendeeRow>(
  [
    { sql: sql`coalesce("r"."rsvp_at", "c"."checked_in_at")`, type: 'timestamp (3) with time zone' },
    (row) => (row.rsvpAt ?? row.checkedInAt) as Date,
  ],
  [
    { sql: sql`coalesce(${users.id}, ${guests.id})`, type: 'uuid' },
    (row) => (row.userId ?? row.guestId) as string,
  ],
)

export const listAttendees = (
  db: Db | Tx,
  eventId: string,
  { status, checkedIn, search }: AttendeeFilters,
  after: After,
): Rows<AttendeeRow> => {
  const { rows, r, c } = everyone(db, eventId)
  const inState =
    status === undefined ? undefined : status === 'walk_in' ? isNull(r.id) : eq(r.status, status)
  const isHere = checkedIn === undefined ? undefined : checkedIn ? isNotNull(c.id) : isNull(c.id)
  const names = [users.name, users.username, guests.name, guests.email]
  return rows.where(and(filters(inState, isHere, containing(search, names)), IS_SOMEBODY, after))
}

/** The check-in of a guest whose data was erased counts, and nothing else is known of it. */
const IS_SOMEBODY = or(isNotNull(users.id), isNotNull(guests.id))

/** The next members in the order of their ids, which indexes know: the last ones cost what the first did. */
export const attendeesAfter = (
  db: Db | Tx,
  eventId: string,
  after: string | undefined,
  limit: number,
): Promise<AttendeeRow[]> =>
  everyone(db, eventId, { after, limit }).rows.where(isNotNull(users.id)).orderBy(users.id).limit(limit)

type Part = { after: string | undefined; limit: number }

/**
 * People with an RSVP. For a part, each side of the union gives its first rows: the first of both together are among
 * them.
 */
function answered(db: Db | Tx, eventId: string, part?: Part) {
  const rows = db
    .select()
    .from(rsvps)
    .where(and(eq(rsvps.eventId, eventId), part?.after ? gt(rsvps.userId, part.after) : undefined))
    .$dynamic()
  return (part ? rows.orderBy(rsvps.userId).limit(part.limit) : rows).as('r')
}

function arrived(db: Db | Tx, eventId: string, part?: Part) {
  const rows = db
    .select()
    .from(checkins)
    .where(
      and(
        eq(checkins.eventId, eventId),
        part && (part.after ? gt(checkins.userId, part.after) : isNotNull(checkins.userId)),
      ),
    )
    .$dynamic()
  return (part ? rows.orderBy(checkins.userId).limit(part.limit) : rows).as('c')
}

/** People with an RSVP and people who came, with or without one, guests without an account included. */
function everyone(db: Db | Tx, eventId: string, part?: Part) {
  const [r, c] = [answered(db, eventId, part), arrived(db, eventId, part)]
  const line = db
    .select({
      rsvpId: rsvps.id,
      position: sql<number>`(row_number() over (order by ${rsvps.waitlistNumber}))::int`.as('position'),
    })
    .from(rsvps)
    .where(and(eq(rsvps.eventId, eventId), is(rsvps.status, 'waitlisted')))
    .as('line')
  const rows = db
    .select({
      userId: users.id,
      username: users.username,
      name: users.name,
      avatarUrl: users.avatarUrl,
      guestId: guests.id,
      guestName: guests.name,
      guestEmail: guests.email,
      rsvpId: r.id,
      status: r.status,
      rsvpAt: r.rsvpAt,
      waitlistPosition: line.position,
      checkedInAt: c.checkedInAt,
      method: c.method,
      codeLabel: checkinCodes.label,
    })
    .from(r)
    .fullJoin(c, eq(c.userId, r.userId))
    .leftJoin(users, eq(users.id, sql`coalesce(${r.userId}, ${c.userId})`))
    .leftJoin(guests, eq(guests.id, c.guestId))
    .leftJoin(checkinCodes, eq(checkinCodes.id, c.codeId))
    .leftJoin(line, eq(line.rsvpId, r.id))
    .$dynamic()
  return { rows, r, c }
}

/** A person by id or username, with their RSVP and check-in at an event. */
export async function findPersonAtEvent(db: Db | Tx, eventId: string, who: string) {
  const [found] = await db
    .select({
      id: users.id,
      isPublic: users.isPublic,
      rsvpId: rsvps.id,
      checkinId: checkins.id,
      codeId: checkins.codeId,
    })
    .from(users)
    .leftJoin(rsvps, and(eq(rsvps.userId, users.id), eq(rsvps.eventId, eventId)))
    .leftJoin(checkins, and(eq(checkins.userId, users.id), eq(checkins.eventId, eventId)))
    .where(isId(who) ? eq(users.id, who) : eq(sql`lower(${users.username})`, who.toLowerCase()))
  return found
}

export async function deleteCheckin(tx: Tx, id: string): Promise<boolean> {
  return (await tx.delete(checkins).where(eq(checkins.id, id)).returning({ id: checkins.id })).length > 0
}

/**
 * Whether a person manages the event now: a signed address of its list ends with the role, the account or a suspension.
 */
export async function mayExport(db: Db | Tx, eventId: string, userId: string): Promise<boolean> {
  if (!isId(userId)) return false
  const found = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(events, eq(events.id, eventId))
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
