import { and, desc, eq, gt, lt, lte, or, sql } from 'drizzle-orm'
import { FIRST_ID } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { is, isNot } from '@/db/comparisons'
import { checkins, eventNotices, events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { mails } from '@/db/tables/mails'
import { users } from '@/db/tables/users'
import { feedAnswerRow, feedEventRow } from '@/modules/gatherings/feeds/rows-queries'
import { placed } from '@/modules/gatherings/rsvps/queries'

/** An event with a person's RSVP of any status. */
export async function findAnswer(db: Db, eventId: string, userId: string) {
  const [found] = await db
    .select({
      event: feedEventRow,
      answer: feedAnswerRow,
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

export const findStart = async (db: Db, eventId: string): Promise<Date | undefined> =>
  (await db.select({ startTime: events.startTime }).from(events).where(eq(events.id, eventId)))[0]?.startTime

/**
 * Whether the person's calendar may hold an entry: an invite was sent or is queued. Mail records last a month; older RSVPs count as
 * yes.
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

/** Keeps the first of several moves until the notice is sent. */
export const keepAnnounced = (tx: Tx, eventId: string, known: Record<string, string | null>) =>
  tx
    .insert(eventNotices)
    .values({ eventId, movedFrom: known, moves: 1 })
    .onConflictDoUpdate({
      target: eventNotices.eventId,
      set: {
        movedFrom: sql`coalesce(${eventNotices.movedFrom}, excluded.moved_from)`,
        moves: sql`${eventNotices.moves} + 1`,
      },
    })
    .execute()

/** The pending move of an event. Cancelled events have none: guests need to know only of the cancellation. */
export async function findMove(tx: Tx, eventId: string) {
  const [found] = await tx
    .select({ movedFrom: eventNotices.movedFrom, moves: eventNotices.moves })
    .from(eventNotices)
    .innerJoin(events, eq(events.id, eventNotices.eventId))
    .where(and(eq(eventNotices.eventId, eventId), is(events.status, 'published')))
  return found
}

/** Clears the pending move unless another one happened since. */
export const finishMoves = (tx: Tx, eventId: string, moves: number) =>
  tx
    .update(eventNotices)
    .set({ movedFrom: null })
    .where(and(eq(eventNotices.eventId, eventId), eq(eventNotices.moves, moves)))
    .execute()

type Portion = { after: string | null; answeredBy: Date; limit: number }

export const listGuestIds = async (
  tx: Db | Tx,
  eventId: string,
  { after, answeredBy, limit }: Portion,
): Promise<string[]> =>
  (
    await tx
      .select({ userId: rsvps.userId })
      .from(rsvps)
      .where(
        and(
          eq(rsvps.eventId, eventId),
          isNot(rsvps.status, 'cancelled'),
          lte(rsvps.changedAt, answeredBy),
          gt(rsvps.userId, after ?? FIRST_ID),
        ),
      )
      .orderBy(rsvps.userId)
      .limit(limit)
  ).map(({ userId }) => userId)

/** When mail about this event was last sent to this person. */
export async function lastMailedAt(db: Db, userId: string, eventId: string): Promise<Date | null> {
  const [found] = await db
    .select({ at: mails.finishedAt })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.topic, eventId), is(mails.outcome, 'sent')))
    .orderBy(desc(mails.finishedAt))
    .limit(1)
  return found?.at ?? null
}

export type Unreminded = { id: string; startTime: Date; timezone: string }

/** Upcoming events whose current start has no reminder yet. */
export const listUnreminded = (
  db: Db,
  { from, until, limit }: { from: Date; until: Date; limit: number },
): Promise<Unreminded[]> =>
  db
    .select({ id: events.id, startTime: events.startTime, timezone: events.timezone })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .leftJoin(eventNotices, eq(eventNotices.eventId, events.id))
    .where(
      and(
        is(events.status, 'published'),
        gt(events.startTime, from),
        lte(events.startTime, until),
        sql`${eventNotices.remindedOf} is distinct from ${events.startTime}`,
      ),
    )
    .orderBy(events.startTime, events.id)
    .limit(limit)

/** Does nothing if the event was deleted in the meantime. */
export const markReminded = (db: Db, eventId: string, startTime: Date) =>
  db.execute(sql`
    insert into event_notices (event_id, reminded_of)
    select id, ${startTime.toISOString()}::timestamptz from events where id = ${eventId}::uuid
    on conflict (event_id) do update set reminded_of = excluded.reminded_of`)

/** Keyset page of confirmed guests by user id, with their time zones. */
export const listSeated = (db: Db, eventId: string, after: string | null, limit: number) =>
  db
    .select({ userId: users.id, timeZone: users.timeZone })
    .from(rsvps)
    .innerJoin(users, eq(users.id, rsvps.userId))
    .where(
      and(eq(rsvps.eventId, eventId), is(rsvps.status, 'confirmed'), gt(rsvps.userId, after ?? FIRST_ID)),
    )
    .orderBy(rsvps.userId)
    .limit(limit)
