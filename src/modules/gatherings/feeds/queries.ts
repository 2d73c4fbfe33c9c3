import { and, eq, lt, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { calendarHost, feedVersions } from '@/db/tables/feeds'
import { favorites } from '@/db/tables/groups'

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
