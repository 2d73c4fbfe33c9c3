import { and, eq, type SQL, sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { events } from '@/db/tables/events'
import { endedGroups } from '@/db/tables/groups'

const PORTION = 1000

/** Badges with up to this many holders lose their awards within the deleting transaction; a group may have many badges. */
const HOLDERS = 100

/** Makes the badge trigger only mark badges with more holders, whose awards are deleted in batches. */
export const settleBadgesLater = (tx: Tx) =>
  tx.execute(sql`select set_config('folkmoot.awards', ${String(HOLDERS)}, true)`)

export const listEnded = async (db: Db): Promise<string[]> =>
  (await db.select().from(endedGroups)).map(({ groupId }) => groupId)

export const countEnded = (db: Db) => db.$count(endedGroups)

/** Locks the upcoming events of a group and returns whether one has guests. An RSVP waits for the lock and then finds no group. */
export async function lockUpcoming(tx: Tx, groupId: string): Promise<boolean> {
  const rows = await tx.execute<{ guests: number }>(sql`
    select confirmed_count as guests from events
    where group_id = ${groupId} and status = 'published' and over_at > ${now().toISOString()}::timestamptz order by id for update`)
  return rows.some(({ guests }) => guests > 0)
}

export const listCancelledIds = async (tx: Tx, groupId: string): Promise<string[]> =>
  (
    await tx
      .select({ id: events.id })
      .from(events)
      .where(and(eq(events.groupId, groupId), is(events.status, 'cancelled')))
  ).map(({ id }) => id)

/** Not while another process deletes rows of the group: that one may be interrupted. */
export const unmarkEnded = (db: Db, groupId: string) =>
  db.execute(sql`
    delete from ended_groups where group_id = ${groupId}
      and (select user_id from favorites where group_id = ${groupId} order by created_at, user_id limit 1) is null
      and (select user_id from group_scores where group_id = ${groupId} order by user_id limit 1) is null
      and (select id from events where group_id = ${groupId} order by start_time, id limit 1) is null`)

/** Deletes a batch of rows. Returns true if more may remain. */
type Portion = (db: Db, groupId: string) => Promise<boolean>

const deleting =
  (table: string, which: (groupId: string) => SQL, portion = PORTION): Portion =>
  async (db, groupId) => {
    const [gone] = await db.execute<{ rows: number }>(sql`
      with gone as (
        delete from ${sql.identifier(table)} where ctid = any(array(${which(groupId)} limit ${portion}::int)) returning 1
      ) select count(*)::int as rows from gone`)
    return gone?.rows === portion
  }

const ofEvents = (table: string) =>
  deleting(
    table,
    (groupId) => sql`select part.ctid from events event
      join ${sql.identifier(table)} part on part.event_id = event.id where event.group_id = ${groupId}`,
  )

const ofGroup = (table: string, portion?: number) =>
  deleting(
    table,
    (groupId) => sql`select ctid from ${sql.identifier(table)} where group_id = ${groupId}`,
    portion,
  )

/** In this order: rows of events go before the events. */
export const PORTIONS: Portion[] = [
  ofGroup('favorites'),
  ofGroup('group_scores'),
  ofEvents('rsvps'),
  ofEvents('checkins'),
  ofEvents('guests'),
  // Each event checks a dozen referencing tables.
  ofGroup('events', 100),
]
