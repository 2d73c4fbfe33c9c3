import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { endedGroups } from '@/db/tables/groups'

const PORTION = 1000

/** Holders of a badge whose awards go in the transaction that deletes its group; a group may have many badges. */
const HOLDERS = 100

/** Has the trigger of badges only mark those with more holders: their awards follow by portions. */
export const settleBadgesLater = (tx: Tx) =>
  tx.execute(sql`select set_config('folkmoot.awards', ${String(HOLDERS)}, true)`)

export const listEnded = async (db: Db): Promise<string[]> =>
  (await db.select().from(endedGroups)).map(({ groupId }) => groupId)

/** Not while another process is deleting rows of the group: it may be interrupted. */
export const unmarkEnded = (db: Db, groupId: string) =>
  db.execute(sql`
    delete from ended_groups where group_id = ${groupId}
      and (select user_id from favorites where group_id = ${groupId} order by created_at, user_id limit 1) is null
      and (select user_id from group_scores where group_id = ${groupId} order by user_id limit 1) is null
      and (select id from events where group_id = ${groupId} order by start_time, id limit 1) is null`)

/** Deletes the next rows of a deleted group. True when there may be more. */
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

/** In this order: what an event has goes before it. */
export const PORTIONS: Portion[] = [
  ofGroup('favorites'),
  ofGroup('group_scores'),
  ofEvents('rsvps'),
  ofEvents('checkins'),
  ofEvents('guests'),
  // Each looks through a dozen tables for what else it had.
  ofGroup('events', 100),
]
