import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { checkins, events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { mails } from '@/db/tables/mails'
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

/**
 * Whether a calendar may have an entry: a letter that brings one went, or is going. Letters are remembered for a month; of an answer
 * that is older than that it is supposed.
 */
export async function mayHaveEntry(
  tx: Tx,
  { eventId, userId, letters, before }: { eventId: string; userId: string; letters: string[]; before: Date },
): Promise<boolean> {
  const went = tx
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.userId, userId),
        sql`${mails.letter} = any(${sql.param(letters)}::text[])`,
        eq(mails.topic, eventId),
        sql`(${mails.outcome} = 'sent' or ${mails.finishedAt} is null and ${mails.attempts} > 0)`,
      ),
    )
  const found = await tx
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(
      and(
        eq(rsvps.eventId, eventId),
        eq(rsvps.userId, userId),
        or(lt(rsvps.rsvpAt, before), sql`exists (${went})`),
      ),
    )
  return found.length > 0
}
