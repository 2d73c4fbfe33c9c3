import { sql } from 'drizzle-orm'
import { sampled } from '@/core/metrics'
import { db } from './client'

/** Prometheus lines of statements that currently wait for a lock. */
export async function lockLines(): Promise<string[]> {
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
