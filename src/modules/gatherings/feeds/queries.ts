import { and, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { filters } from '@/db/statement-names'
import { events, rsvps } from '@/db/tables/events'
import { calendarHost, feedVersions } from '@/db/tables/feeds'
import { favorites, groups } from '@/db/tables/groups'
import { type EventFilter, listListedEvents } from '@/modules/gatherings/events/list/queries'
import { type EventWithGroup, groupOfEvent, visibleTo } from '@/modules/gatherings/events/queries'

export type Side = 'upcoming' | 'past'

/** As many as can be made into objects at a stretch. */
const SLICE = 200

type Slice = { after: SQL | undefined; most: number }

/** Events from a moment on, the next ones first, or before it, the latest first; a slice at a time. */
async function inSlices<R extends EventWithGroup>(
  side: Side,
  most: number,
  read: (slice: Slice) => Promise<R[]>,
): Promise<R[]> {
  const found: R[] = []
  for (let after: SQL | undefined; found.length < most; ) {
    const wanted = Math.min(SLICE, most - found.length)
    const rows = await read({ after, most: wanted })
    found.push(...rows)
    const last = rows.at(-1)
    if (rows.length < wanted || last === undefined) break
    const place = sql`(${last.event.startTime.toISOString()}::timestamptz, ${last.event.id}::uuid)`
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
): Promise<EventWithGroup[]> =>
  inSlices(
    side,
    most,
    (slice) =>
      listListedEvents(db, { ...filter, when: side }, filters(slice.after))
        .orderBy(inOrder(side))
        .limit(slice.most)
        .offset(0) as Promise<EventWithGroup[]>,
  )

type Answer = { status: 'confirmed' | 'waitlisted' | 'cancelled'; changedAt: Date; changes: number }

/** An event of a person's own feed, with their answer where they gave one. */
export type OwnRow = EventWithGroup & { answer: Answer | null }

/**
 * What concerns a person: events of their favorite groups, and those at which they have a seat or wait for one. An answer
 * that was taken back still tells when that was.
 */
export const listOwn = (
  db: Db | Tx,
  userId: string,
  { from, at, side, most }: { from: Date; at: Date; side: Side; most: number },
): Promise<OwnRow[]> =>
  inSlices(side, most, (slice) =>
    db
      .select({
        event: events,
        group: groupOfEvent,
        answer: { status: rsvps.status, changedAt: rsvps.changedAt, changes: rsvps.changes },
      })
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

/** All of them, also those that are not listed now and may be again. */
export const listFavoriteGroupIds = async (db: Db | Tx, userId: string): Promise<string[]> =>
  (await db.select({ id: favorites.groupId }).from(favorites).where(eq(favorites.userId, userId))).map(
    ({ id }) => id,
  )

const versionOf = onceBuilt((db) =>
  db
    .select({ changedAt: feedVersions.changedAt })
    .from(feedVersions)
    .where(
      and(
        eq(feedVersions.key, sql.placeholder('key')),
        eq(feedVersions.etag, sql.placeholder('etag')),
        sql`${feedVersions.readOn} = current_date`,
      ),
    )
    .prepare('feed_version'),
)

/** Null unless these are the bytes that were written down last, and that has been said today. */
export const findVersion = async (key: Uint8Array, etag: string): Promise<Date | null> =>
  (await versionOf().execute({ key, etag }))[0]?.changedAt ?? null

/**
 * Writes down that a feed has these bytes now. The time of a change is told in whole seconds, so it is never that of the
 * change before. Null where there is no room: strangers may invent any number of filters.
 */
export async function recordVersion(
  db: Db,
  key: Uint8Array,
  etag: string,
  rowsMax: number,
): Promise<Date | null> {
  const [row] = await db.execute<{ changed_at: Date | string }>(sql`
    insert into feed_versions (key, etag, changed_at)
    select ${key}::bytea, ${etag}::text, date_trunc('second', now())
    where exists (select from feed_versions where key = ${key}::bytea)
      or (select count(*) from (select from feed_versions limit ${rowsMax}::int) kept) < ${rowsMax}::int
    on conflict (key) do update set etag = excluded.etag, read_on = current_date,
      changed_at = case when feed_versions.etag = excluded.etag then feed_versions.changed_at
        else greatest(excluded.changed_at, feed_versions.changed_at + interval '1 second') end
    returning changed_at`)
  return row ? new Date(row.changed_at) : null
}

/** Forgets feeds that nobody has read since a day. */
export const deleteVersions = (db: Db, before: Date) =>
  deleteInSlices(db, feedVersions, {
    old: lt(feedVersions.readOn, before.toISOString().slice(0, 10)),
    by: [feedVersions.readOn, feedVersions.key],
  })

/** The first host that was given, whatever is given later. */
export async function keepCalendarHost(db: Db, host: string): Promise<string> {
  await db.insert(calendarHost).values({ host }).onConflictDoNothing()
  const [kept] = await db.select({ host: calendarHost.host }).from(calendarHost)
  return kept?.host ?? host
}
