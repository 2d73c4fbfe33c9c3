import { type Column, type GetColumnData, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

type Field = Column | SQL

/** The row type of these fields. */
export type JsonRow<F extends Record<string, Field>> = {
  [N in keyof F]: F[N] extends SQL<infer T> ? T : F[N] extends Column ? GetColumnData<F[N]> : never
}

/**
 * Selects fields as one JSON value: parsing a row with many columns costs several times as much. Times need `ms`. The text is
 * built once, because it is longer than the rest of a statement.
 */
export function jsonRow<F extends Record<string, Field>>(fields: F): SQL<JsonRow<F>> {
  const named = Object.entries(fields).map(([name, field]) => sql`${sql.raw(`'${name}'`)}, ${field}`)
  const { sql: text } = DIALECT.sqlToQuery(sql`json_build_object(${sql.join(named, sql`, `)})`)
  return sql.raw(text) as SQL<JsonRow<F>>
}

const DIALECT = new PgDialect()

/** A time in milliseconds since 1970. */
export const ms = <C extends Column>(
  column: C,
): SQL<null extends GetColumnData<C> ? number | null : number> =>
  sql`(extract(epoch from ${column}) * 1000)::bigint`
