import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { After, Cut } from './keyset'

/** Rows that a search scans in list order before it uses the trigram index. */
const WINDOW = 2000

type Search = {
  table: PgTable
  id: PgColumn
  visible?: SQL
  match: SQL | undefined
  /** The same condition for the index, if its text differs. */
  found?: SQL | undefined
  after: After
  cut: Cut
}

/**
 * The ids of one page of a search. A search with many hits fills its page from the first rows in list order; one with few hits is
 * cheap by the trigram index. PostgreSQL cannot know which applies, and the wrong plan reads every row, so the first rows are
 * always tried first. `offset 0` keeps the second part from walking the list.
 */
export const hitsOf = ({ table, id, visible = sql`true`, match, found = match, after, cut }: Search): SQL => {
  const { order, rows } = cut
  return sql`
  with window_of as materialized (
    select * from ${table} where ${and(visible, after)} order by ${order} limit ${WINDOW}::int
  ), near as materialized (
    select ${id} as hit from (select * from window_of) as ${table} where ${match} order by ${order} limit ${rows}::int
  )
  select hit from near where (select count(*) from near) = ${rows}::int
  union all
  (select ${id} from (select * from ${table} where ${and(visible, found, after)} offset 0) as ${table}
    where (select count(*) from near) < ${rows}::int order by ${order} limit ${rows}::int)`
}
