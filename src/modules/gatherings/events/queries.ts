import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is, isNot } from '@/db/comparisons'
import { events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'

export type EventRow = typeof events.$inferSelect
type EventGroup = {
  id: string
  name: string
  urlname: string
  photoUrl: string | null
  themeColor: string | null
  isListed: boolean
}
export type EventWithGroup = { event: EventRow; group: EventGroup }

export const groupOfEvent = {
  id: groups.id,
  name: groups.name,
  urlname: groups.urlname,
  photoUrl: groups.photoUrl,
  themeColor: groups.themeColor,
  isListed: groups.isListed,
}

const eventById = onceBuilt((db) =>
  db
    .select({ event: events, group: groupOfEvent })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(eq(events.id, sql.placeholder('id')))
    .prepare('event_by_id'),
)

export const findEvent = async (id: string): Promise<EventWithGroup | null> =>
  (await eventById().execute({ id }))[0] ?? null

export async function findEventOfGroup(
  db: Db | Tx,
  groupId: string,
  eventId: string,
): Promise<EventRow | undefined> {
  const [found] = await db
    .select()
    .from(events)
    .where(and(eq(events.id, eventId), eq(events.groupId, groupId)))
  return found
}

/** The part of a caller that decides visibility. */
export type Viewer = { userId: string; isAdministrator: boolean }

/**
 * The visibility rule for single events and lists: drafts are hidden, events of listed groups are public, and events of unlisted
 * groups are for staff and people with an active RSVP. Null means anonymous readers and shared lists.
 */
export const visibleTo = (viewer: Viewer | null): SQL | undefined =>
  and(isNot(events.status, 'draft'), viewer === null ? sql`${groups.isListed}` : ofGroupsKnownTo(viewer))

const ofGroupsKnownTo = ({ userId, isAdministrator }: Viewer): SQL | undefined =>
  isAdministrator
    ? undefined
    : sql`(${groups.isListed}
        or exists (select 1 from group_members staff where staff.group_id = ${groups.id} and staff.user_id = ${userId})
        or exists (select 1 from rsvps place where place.event_id = ${events.id} and place.user_id = ${userId}
          and place.status <> 'cancelled'))`

export async function isVisible(db: Db | Tx, viewer: Viewer, eventId: string): Promise<boolean> {
  const rows = await db
    .select({ id: events.id })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(eq(events.id, eventId), visibleTo(viewer)))
  return rows.length > 0
}

/** The ongoing or next event of a listed group. */
export const findNextEventId = async (db: Db, slug: string, at: Date): Promise<string | null> => {
  const [row] = await db
    .select({ id: events.id })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(
      and(
        eq(sql`lower(${groups.urlname})`, slug.toLowerCase()),
        visibleTo(null),
        is(events.status, 'published'),
        gt(events.overAt, at),
      ),
    )
    .orderBy(events.startTime, events.id)
    .limit(1)
  return row?.id ?? null
}

/** Locks the event: two callers cannot both take the last seat, and event changes wait for RSVPs. */
export async function lockEvent(tx: Tx, eventId: string): Promise<EventRow | undefined> {
  const [row] = await tx.select().from(events).where(eq(events.id, eventId)).for('no key update')
  return row
}

export async function lockEventOfGroup(
  tx: Tx,
  eventId: string,
): Promise<{ event: EventRow; isListed: boolean } | undefined> {
  const [row] = await tx
    .select({ event: events, isListed: groups.isListed })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(eq(events.id, eventId))
    .for('no key update', { of: events })
  return row
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

export const hasSeat = async (eventId: string, userId: string) =>
  (await seatOf().execute({ eventId, userId })).length > 0
