import { lt, type SQL, sql } from 'drizzle-orm'
import { nowMs } from '@/core/clock'
import type { Db } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { objectSequences } from '@/db/tables/outbox'

const MICROSECONDS = 1000

/**
 * Part of a statement: allocates numbers for the objects of `emitted` and locks their counters until the commit, so that later
 * transactions get higher numbers. Returns `numbered`, the number before the first for each object. Objects are locked in one order
 * to avoid deadlocks.
 */
export const numbering = (atMs: number): SQL => sql`
  counted as (
    select object, count(*) as changes from emitted group by object
  ), taken as (
    insert into ${objectSequences} as kept (object, last)
    select object, ${atMs * MICROSECONDS}::bigint + changes from counted order by object
    on conflict (object) do update set
      last = greatest(kept.last, ${atMs * MICROSECONDS}::bigint) + excluded.last - ${atMs * MICROSECONDS}::bigint
    returning kept.object, kept.last
  ), numbered as (
    select object, taken.last - changes as before from taken join counted using (object)
  )`

/** The next number of one object. */
export async function takeSequence(db: Db, name: string): Promise<number> {
  const [row] = await db.execute<{ sequence: number }>(sql`
    with emitted as (select hashtextextended(${name}, 0) as object), ${numbering(nowMs())}
    select (before + 1)::float8 as sequence from numbered`)
  return (row as { sequence: number }).sequence
}

/** Objects without recent changes continue from the clock, which is past their last number. */
export const deleteOldSequences = (db: Db, before: Date) =>
  deleteInSlices(db, objectSequences, {
    old: sql`true`,
    by: [objectSequences.object],
    only: lt(objectSequences.last, before.getTime() * MICROSECONDS),
  })
