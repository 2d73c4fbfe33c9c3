import { and, eq, gt, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { filters } from '@/db/statement-names'
import { events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { type EventFilter, isListed } from '@/modules/gatherings/events/list/queries'
import { visibleTo } from '@/modules/gatherings/events/queries'
import { type ChosenEvent, feedEventOf } from './present'
import { type FeedAnswerRow, type FeedEventRow, feedAnswerRow, feedEventRow } from './rows-queries'

export type Side = 'upcoming' | 'past'

/** Rows converted to objects per turn. */
const SLICE = 200

type Slice = { after: SQL | undefined; most: number }
type Row = { event: FeedEventRow; answer?: FeedAnswerRow | null }

/** Streams upcoming events, soonest first, or past ones, latest first. */
async function inSlices(
  side: Side,
  most: number,
  read: (slice: Slice) => PromiseLike<Row[]>,
): Promise<ChosenEvent[]> {
  const found: ChosenEvent[] = []
  for (let after: SQL | undefined; found.length < most; ) {
    const wanted = Math.min(SLICE, most - found.length)
    const rows = await read({ after, most: wanted })
    for (const { event, answer = null } of rows) found.push(feedEventOf(event, answer))
    const last = found.at(-1)
    if (rows.length < wanted || last === undefined) break
    const place = sql`(${last.startTime.toISOString()}::timestamptz, ${last.id}::uuid)`
    after =
      side === 'upcoming'
        ? sql`(${events.startTime}, ${events.id}) > ${place}`
        : sql`(${events.startTime}, ${events.id}) < ${place}`
  }
  return found
}

const inOrder = (side: Side) =>
  side === 'upcoming'
    ? sql`${events.startTime}, ${events.id}`
    : sql`${events.startTime} desc, ${events.id} desc`

export const listSide = (
  db: Db | Tx,
  filter: EventFilter,
  side: Side,
  most: number,
): Promise<ChosenEvent[]> =>
  inSlices(side, most, (slice) =>
    db
      .select({ event: feedEventRow })
      .from(events)
      .innerJoin(groups, eq(groups.id, events.groupId))
      .where(isListed({ ...filter, when: side }, filters(slice.after)))
      .orderBy(inOrder(side))
      .limit(slice.most),
  )

/** Events of joined groups and events with an active RSVP. Cancelled RSVPs are included for their time of change. */
export const listOwn = (
  db: Db | Tx,
  userId: string,
  { from, at, side, most }: { from: Date; at: Date; side: Side; most: number },
): Promise<ChosenEvent[]> =>
  inSlices(side, most, (slice) =>
    db
      .select({ event: feedEventRow, answer: feedAnswerRow })
      .from(events)
      .innerJoin(groups, eq(groups.id, events.groupId))
      .leftJoin(rsvps, and(eq(rsvps.eventId, events.id), eq(rsvps.userId, userId)))
      .where(
        and(
          sql`${events.id} in (
          select event_id from rsvps where user_id = ${userId}::uuid and status <> 'cancelled'
          union
          select event.id from events event join favorites favorite on favorite.group_id = event.group_id
          where favorite.user_id = ${userId}::uuid and event.start_time >= ${from.toISOString()}::timestamptz)`,
          visibleTo({ userId, isAdministrator: false }),
          gte(events.startTime, from),
          side === 'upcoming' ? gt(events.overAt, at) : lte(events.overAt, at),
          filters(slice.after),
        ),
      )
      .orderBy(inOrder(side))
      .limit(slice.most),
  )
