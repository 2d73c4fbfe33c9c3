import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './client'

/** Rows per statement of a sweep, so that it ends long before its timeout. */
export const SLICE = 1000

type Sweep = {
  /** The condition of expired rows. */
  old: SQL | undefined
  /** The order of the walk: an indexed column that finds expired rows, then columns that make it unique. */
  by: [PgColumn, ...PgColumn[]]
  /** Which expired rows to delete; all if omitted. */
  only?: SQL
}

type Walked = { seen: number; last: string[] }

/**
 * Deletes expired rows in slices along an index, so that rows that stay are passed only once. Skips locked rows until the next
 * run, so no request waits for a sweep.
 */
export async function deleteInSlices(
  db: Db,
  table: PgTable,
  { old, by, only }: Sweep,
  size = SLICE,
): Promise<void> {
  for (let last: string[] | undefined, seen = size; seen === size; ) {
    const [walked] = await db.execute<Walked>(sql`
      with slice as materialized (
        select ctid as place, array[${list(by.map((column) => sql`${column}::text`))}] as position
        from ${table} where ${and(old, last && beyond(by, last))} order by ${list(by)} limit ${size}::int
      ), gone as (
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ctid = any(array(select place from slice)) and ${and(old, only)}
          for update skip locked
        ))
      )
      select row_number() over ()::int as seen, position as last from slice order by seen desc limit 1`)
    seen = walked?.seen ?? 0
    last = walked?.last
  }
}

const list = (parts: (SQL | PgColumn)[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )

const beyond = (by: PgColumn[], last: string[]) =>
  sql`(${list(by)}) > (${list(by.map((column, i) => sql`${last[i]}::${sql.raw(column.getSQLType())}`))})`
