import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@/db/client'
import type { Slice } from '@/db/keyset'
import { checkins, events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { type EventRow, type EventWithGroup, groupOfEvent } from '../queries'

type ManagedEventRow = EventWithGroup & { checkinCount: number }

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

export async function insertRow(tx: Tx, values: typeof events.$inferInsert): Promise<EventRow> {
  const [row] = await tx.insert(events).values(values).returning()
  return row as EventRow
}

export async function updateEvent(
  tx: Tx,
  eventId: string,
  change: PgUpdateSetSource<typeof events>,
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
