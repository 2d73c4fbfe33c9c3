import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { checkinCodes, events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'

export async function findSheetEvent(db: Db | Tx, eventId: string) {
  const [found] = await db
    .select({
      title: events.title,
      startTime: events.startTime,
      timezone: events.timezone,
      group: groups.name,
    })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(eq(events.id, eventId))
  return found
}

export async function findCode(db: Db | Tx, id: string) {
  const [found] = await db.select().from(checkinCodes).where(eq(checkinCodes.id, id))
  return found
}

export type Guest = {
  userId: string
  name: string
  username: string | null
  isPublic: boolean
  rsvpAt: Date
}

/** Keyset page of confirmed guests in RSVP order. */
export const guestsAfter = (
  db: Db | Tx,
  eventId: string,
  last: Guest | undefined,
  limit: number,
): Promise<Guest[]> =>
  db
    .select({
      userId: rsvps.userId,
      name: users.name,
      username: users.username,
      isPublic: users.isPublic,
      rsvpAt: rsvps.rsvpAt,
    })
    .from(rsvps)
    .innerJoin(users, eq(users.id, rsvps.userId))
    .where(
      and(
        eq(rsvps.eventId, eventId),
        is(rsvps.status, 'confirmed'),
        last &&
          sql`(${rsvps.rsvpAt}, ${rsvps.userId}) > (${last.rsvpAt.toISOString()}::timestamptz, ${last.userId}::uuid)`,
      ),
    )
    .orderBy(rsvps.rsvpAt, rsvps.userId)
    .limit(limit)
