import { type Column, type GetColumnData, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

type Field = Column | SQL

/** What PostgreSQL says of these fields. */
export type Told<F extends Record<string, Field>> = {
  [N in keyof F]: F[N] extends SQL<infer T> ? T : F[N] extends Column ? GetColumnData<F[N]> : never
}

/**
 * Fields in one value, as JSON: to take a row of many columns apart costs several times as much. No field is a time but by `ms`.
 * Its text is written once, since it is longer than all the rest of a statement.
 */
export function told<F extends Record<string, Field>>(fields: F): SQL<Told<F>> {
  const named = Object.entries(fields).map(([name, field]) => sql`${sql.raw(`'${name}'`)}, ${field}`)
  return sql.raw(DIALECT.sqlToQuery(sql`json_build_object(${sql.join(named, sql`, `)})`).sql) as SQL<Told<F>>
}

const DIALECT = new PgDialect()

/** A time in milliseconds since 1970. */
export const ms = <C extends Column>(
  column: C,
): SQL<null extends GetColumnData<C> ? number | null : number> =>
  sql`(extract(epoch from ${column}) * 1000)::bigint`
