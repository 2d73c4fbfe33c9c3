import { and, eq, lt, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { calendarHost, feedVersions } from '@/db/tables/feeds'
import { favorites } from '@/db/tables/groups'

/** Includes unlisted groups, which may be listed again. */
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

/** Returns the version's date if the ETag is current and the row was touched today, else null. */
export const findVersion = async (key: Uint8Array, etag: string): Promise<Date | null> =>
  (await versionOf().execute({ key, etag }))[0]?.changedAt ?? null

/**
 * Records the current ETag. Last-Modified has whole seconds, so each change gets a later second than the one before. Null if the
 * table is full: clients can request any number of filters.
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

/** Deletes versions that no reader requested for a day. */
export const deleteVersions = (db: Db, before: Date) =>
  deleteInSlices(db, feedVersions, {
    old: lt(feedVersions.readOn, before.toISOString().slice(0, 10)),
    by: [feedVersions.readOn, feedVersions.key],
  })

/** Keeps the first host forever. */
export async function keepCalendarHost(db: Db, host: string): Promise<string> {
  await db.insert(calendarHost).values({ host }).onConflictDoNothing()
  const [kept] = await db.select({ host: calendarHost.host }).from(calendarHost)
  return kept?.host ?? host
}
