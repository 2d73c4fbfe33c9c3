import { and, eq, gt, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import type { After, Rows } from '@/db/keyset'
import { demandQuota } from '@/db/quotas'
import { complete, patched } from '@/db/rows'
import { filters } from '@/db/statement-names'
import { checkins, events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { type EventRow, type EventWithGroup, groupOfEvent } from '@/modules/gatherings/events/queries'

type ListedEventRow = EventWithGroup & { checkinCount: number }
type ManagedEventRow = ListedEventRow & { walkInCount: number }

/** Includes drafts and attendance counts. */
export const listGroupEvents = (
  db: Db | Tx,
  groupId: string,
  { status, when, at }: { status?: EventRow['status']; when?: 'upcoming' | 'past'; at: Date },
  after: After,
): Rows<ListedEventRow> =>
  db
    .select({ event: events, group: groupOfEvent, checkinCount: countCheckins })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(
      and(
        eq(events.groupId, groupId),
        filters(
          status && eq(events.status, status),
          when === 'upcoming' ? gt(events.overAt, at) : when === 'past' ? lte(events.overAt, at) : undefined,
        ),
        after,
      ),
    )

const countCheckins = sql<number>`(select count(*)::int from ${checkins} where ${checkins.eventId} = ${events.id})`

const countWalkIns = sql<number>`(select count(*)::int from ${checkins} where ${checkins.eventId} = ${events.id}
  and not exists (select 1 from ${rsvps} where ${rsvps.eventId} = ${checkins.eventId}
    and ${rsvps.userId} = ${checkins.userId} and ${rsvps.status} = 'confirmed'))`

export const findGroupEvent = async (
  db: Db | Tx,
  groupId: string,
  eventId: string,
): Promise<ManagedEventRow | null> => {
  const [row] = await db
    .select({ event: events, group: groupOfEvent, checkinCount: countCheckins, walkInCount: countWalkIns })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(eq(events.groupId, groupId), eq(events.id, eventId)))
  return row ?? null
}

/** The quota counts drafts and events that are not over. */
export const demandQuotaForEvents = (tx: Tx, groupId: string, at: Date, more = 1) =>
  demandQuota(tx, 'events', {
    parent: [groups.id, groupId],
    children: events,
    which: and(
      eq(events.groupId, groupId),
      or(is(events.status, 'draft'), and(is(events.status, 'published'), gt(events.overAt, at))),
    ),
    more,
  })

export async function insertRow(tx: Tx, values: typeof events.$inferInsert): Promise<EventRow> {
  const [row] = await tx.insert(events).values(complete(events, values)).returning()
  return row as EventRow
}

const CHANGEABLE = [
  'title',
  'description',
  'startTime',
  'endTime',
  'overAt',
  'timezone',
  'eventType',
  'maxAttendees',
  'venueName',
  'venueAddress',
  'venueCity',
  'venueState',
  'venuePostalCode',
  'venueCountry',
  'venueLatitude',
  'venueLongitude',
  'onlineUrl',
  'photoUrl',
  'tags',
  'status',
  'publishedAt',
  'cancelReason',
] as const satisfies (keyof EventRow)[]

/** Increments SEQUENCE for changes that calendars must apply. */
export async function updateEvent(
  tx: Tx,
  eventId: string,
  change: Partial<Pick<EventRow, (typeof CHANGEABLE)[number]>>,
  raisesSequence: boolean,
): Promise<EventRow> {
  const [row] = await tx
    .update(events)
    .set({
      ...patched(events, CHANGEABLE, change),
      sequence: sql`${events.sequence} + ${raisesSequence ? 1 : 0}::int`,
      updatedAt: sql`now()`,
    })
    .where(eq(events.id, eventId))
    .returning()
  return row as EventRow
}

export const deleteEvent = (tx: Tx, eventId: string) => tx.delete(events).where(eq(events.id, eventId))

export const hasRsvps = async (tx: Tx, eventId: string) =>
  (await tx.select({ id: rsvps.id }).from(rsvps).where(eq(rsvps.eventId, eventId)).limit(1)).length > 0
