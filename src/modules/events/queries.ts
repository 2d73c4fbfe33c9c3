import { and, arrayContains, eq, gt, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is, isNot } from '@/db/is'
import type { Order, Slice } from '@/db/keyset'
import { containing } from '@/db/like'
import { checkins, events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'

export type EventRow = typeof events.$inferSelect
export type EventGroup = {
  id: string
  name: string
  urlname: string
  photoUrl: string | null
  isListed: boolean
}
export type EventWithGroup = { event: EventRow; group: EventGroup }

/** What an event tells of its group. */
export const groupOfEvent = {
  id: groups.id,
  name: groups.name,
  urlname: groups.urlname,
  photoUrl: groups.photoUrl,
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

/** The next event of a listed group, or the one that is going on. */
export const findNextEventId = async (db: Db, slug: string, at: Date): Promise<string | null> => {
  const [row] = await db
    .select({ id: events.id })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(
      and(
        eq(sql`lower(${groups.urlname})`, slug.toLowerCase()),
        groups.isListed,
        is(events.status, 'published'),
        gt(events.overAt, at),
      ),
    )
    .orderBy(events.startTime, events.id)
    .limit(1)
  return row?.id ?? null
}

export type EventFilter = {
  statuses: EventRow['status'][]
  when: 'upcoming' | 'past' | 'all'
  at: Date
  groups?: string[]
  search?: string
  tag?: string
  city?: string
  type?: EventRow['eventType']
  from?: Date
  to?: Date
  featured?: boolean
}

export const listListedEvents = (
  db: Db | Tx,
  filter: EventFilter,
  { after, orderBy, limit, offset }: Slice,
): Promise<EventWithGroup[]> =>
  db
    .select({ event: events, group: groupOfEvent })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(groups.isListed, matching(filter), after))
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset)

function matching({
  statuses,
  when,
  at,
  groups: slugs,
  search,
  tag,
  city,
  type,
  from,
  to,
  featured,
}: EventFilter): SQL | undefined {
  return and(
    isNot(events.status, 'draft'),
    inArray(events.status, statuses),
    whenMatches(when, at),
    slugs && inArray(sql`lower(${groups.urlname})`, slugs),
    containing(search, [events.title]),
    tag === undefined ? undefined : arrayContains(events.tags, [tag]),
    city === undefined ? undefined : eq(sql`lower(${events.venueCity})`, city.toLowerCase()),
    type && eq(events.eventType, type),
    from && gte(events.startTime, from),
    to && lte(events.startTime, to),
    featured ? groups.isFeatured : undefined,
  )
}

/**
 * Upcoming means not over yet. The index runs by start, so the scan begins where the oldest event that is still
 * going on began, not at the beginning of time.
 */
function whenMatches(when: EventFilter['when'], at: Date): SQL | undefined {
  const moment = sql`${at.toISOString()}::timestamptz`
  if (when === 'past') return lte(events.overAt, at)
  if (when === 'all') return undefined
  return and(
    gt(events.overAt, at),
    // Offset 0 keeps the planner from looking for the least start by start, which is the walk we avoid.
    sql`${events.startTime} >= (select coalesce(min(ongoing.start_time), ${moment}) from (
      select start_time from events where status <> 'draft' and tstzrange(start_time, over_at) @> ${moment} offset 0
    ) ongoing)`,
  )
}

const SORTED_BY = { start: events.startTime, rsvps: events.rsvpCount, created: events.createdAt }

export type EventSort = keyof typeof SORTED_BY

export const eventOrder = (sort: EventSort, direction: 'asc' | 'desc'): Order<{ event: EventRow }> => ({
  direction,
  keys: [
    {
      column: SORTED_BY[sort],
      of: ({ event }) =>
        sort === 'start' ? event.startTime : sort === 'rsvps' ? event.rsvpCount : event.createdAt,
    },
    { column: events.id, of: ({ event }) => event.id },
  ],
})

export type ManagedEventRow = EventWithGroup & { checkinCount: number }

/** All of a group's events, drafts too, each with how many came. */
export const listGroupEvents = (
  db: Db | Tx,
  groupId: string,
  status: EventRow['status'] | undefined,
  { after, orderBy, limit, offset }: Slice,
): Promise<ManagedEventRow[]> =>
  db
    .select({ event: events, group: groupOfEvent, checkinCount: countCheckins })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(eq(events.groupId, groupId), status && eq(events.status, status), after))
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset)

const countCheckins = sql<number>`(select count(*)::int from ${checkins} where ${checkins.eventId} = ${events.id})`

export const findGroupEvent = async (
  db: Db | Tx,
  groupId: string,
  eventId: string,
): Promise<ManagedEventRow | null> => {
  const [row] = await db
    .select({ event: events, group: groupOfEvent, checkinCount: countCheckins })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(eq(events.groupId, groupId), eq(events.id, eventId)))
  return row ?? null
}

/** Holds the event: two callers cannot both take the last seat, and nobody sits down while it changes. */
export async function lockEvent(tx: Tx, eventId: string): Promise<EventRow | undefined> {
  const [row] = await tx.select().from(events).where(eq(events.id, eventId)).for('no key update')
  return row
}

/** The same, with what decides who may know of it. */
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

export async function insertEvents(tx: Tx, rows: (typeof events.$inferInsert)[]): Promise<EventRow[]> {
  return tx.insert(events).values(rows).returning()
}

export async function updateEvent(
  tx: Tx,
  eventId: string,
  change: Partial<typeof events.$inferInsert>,
): Promise<EventRow> {
  const [row] = await tx
    .update(events)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(events.id, eventId))
    .returning()
  return row as EventRow
}

export const raiseSequence = sql`${events.sequence} + 1`

export const deleteEvent = (tx: Tx, eventId: string) => tx.delete(events).where(eq(events.id, eventId))

/** Whether anybody ever answered. */
export const hasRsvps = async (tx: Tx, eventId: string) =>
  (await tx.select({ id: rsvps.id }).from(rsvps).where(eq(rsvps.eventId, eventId)).limit(1)).length > 0
