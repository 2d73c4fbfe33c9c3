import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './client'

/** Rows that one statement of a sweep looks at: it ends long before its timeout, however much there is to remove. */
export const SLICE = 1000

type Sweep = {
  /** The condition of rows that have served their time. */
  old: SQL | undefined
  /** The order of the walk: the column of an index that finds what is old, then columns that tell equal rows apart. */
  by: [PgColumn, ...PgColumn[]]
  /** Which of the old rows have to go; all of them, unless a condition is given. */
  only?: SQL
}

type Walked = { seen: number; last: string[] }

/**
 * Deletes old rows a slice at a time, walking along an index: rows that have to stay are passed once, and not looked at
 * again with every slice. A locked row is left for the next time, so nobody waits for a sweep.
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
