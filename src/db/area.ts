import { type SQL, sql } from 'drizzle-orm'
import { DAY_MS } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { schedule, sweep } from '@/core/sweep'
import { type Db, db } from './client'
import { deleteOldKeys } from './idempotency'

const SLICE = 10_000

/**
 * Merges the rows of each count. A concurrent reader sees the rows before or after, never both. Deletes rows of deleted badges.
 */
export async function compactTallies(db: Db, size = SLICE): Promise<void> {
  await inSlices(
    db,
    size,
    'people_tally',
    sql`
    insert into people_tally (people) select sum(people) from taken having sum(people) <> 0`,
  )
  await inSlices(
    db,
    size,
    'board_tally',
    sql`
    insert into board_tally (xp, people) select xp, sum(people) from taken group by xp having sum(people) <> 0`,
  )
  await inSlices(
    db,
    size,
    'badge_tally',
    sql`
    insert into badge_tally (badge_id, holders, public_holders)
    select badge_id, sum(holders), sum(public_holders) from taken
    where exists (select 1 from badges where id = badge_id) group by badge_id
    having sum(holders) <> 0 or sum(public_holders) <> 0`,
  )
}

/** After a day without a worker one statement would hit its timeout. */
async function inSlices(db: Db, size: number, table: string, together: SQL): Promise<void> {
  for (;;) {
    const [done] = await db.execute<{ taken: number; put: number }>(sql`
      with taken as (
        delete from ${sql.identifier(table)} where ctid = any(array(
          select ctid from ${sql.identifier(table)} limit ${size}::int for update skip locked
        )) returning *
      ), put as (${together} returning 1)
      select (select count(*) from taken)::int as taken, (select count(*) from put)::int as put`)
    // A slice without merges already has one row per count.
    if (!done || done.taken < size || done.put === done.taken) return
  }
}

/** Prometheus lines of statements that currently wait for a lock. */
async function lockLines(): Promise<string[]> {
  const [row] = await db.execute<{
    waiting: number
  }>(sql`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return sampled(
    'gauge',
    'folkmoot_database_lock_waits',
    'Statements that wait for a lock at this moment.',
    row?.waiting ?? 0,
  )
}

export const databaseArea = {
  sweeps: [
    sweep({
      name: 'idempotency keys',
      keeps: { ms: DAY_MS, after: 'the request' },
      run: (before) => deleteOldKeys(db, before),
    }),
  ],
  schedules: [schedule({ name: 'compact-tallies', everyMs: 60_000, run: () => compactTallies(db) })],
  metrics: [lockLines],
}
