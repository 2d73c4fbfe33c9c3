import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { checkins, events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { toldAnswer, toldEvent } from '@/modules/gatherings/feeds/told/queries'
import { placed } from '@/modules/gatherings/rsvps/queries'

/** An event and the answer that a person gave to it, whichever that is. */
export async function findAnswer(db: Db, eventId: string, userId: string) {
  const [found] = await db
    .select({
      event: toldEvent,
      answer: toldAnswer,
      waitlistPosition: placed.waitlistPosition,
      isListed: groups.isListed,
      isCheckedIn: sql<boolean>`exists (select 1 from ${checkins} where ${checkins.eventId} = ${events.id}
        and ${checkins.userId} = ${rsvps.userId})`,
    })
    .from(rsvps)
    .innerJoin(events, eq(events.id, rsvps.eventId))
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(eq(rsvps.eventId, eventId), eq(rsvps.userId, userId)))
  return found
}
