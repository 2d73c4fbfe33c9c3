import { type Column, type GetColumnData, getTableColumns, is, like, or, SQL, sql } from 'drizzle-orm'
import { type PgColumn, PgDialect, type PgTable, type PgUpdateSetSource } from 'drizzle-orm/pg-core'

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

/** Lowercases and escapes a text for LIKE. */
export const literal = (typed: string) => typed.toLowerCase().replace(/[\\%_]/g, '\\$&')

/** Matches rows in which a column contains the text; without a text, all rows. */
export const containing = (typed: string | undefined, columns: PgColumn[]): SQL | undefined =>
  typed === undefined
    ? undefined
    : or(...columns.map((column) => like(sql`lower(${column})`, `%${literal(typed)}%`)))

/*
 * Callers send some fields of a row. Each combination would be another statement, which connections cache: these two produce one
 * text for all.
 */

type Columns<T extends PgTable> = Record<keyof T['$inferInsert'], PgColumn>

/** Sets all columns that a change may touch; omitted fields keep their current value. */
export function patched<T extends PgTable, N extends keyof T['$inferInsert'] & string>(
  table: T,
  names: readonly N[],
  change: { [K in N]?: T['$inferInsert'][K] },
): PgUpdateSetSource<T> {
  const columns = getTableColumns(table) as unknown as Columns<T>
  const set = names.map((name) => {
    const value = change[name]
    const isGiven = value !== undefined
    const column = columns[name]
    return [
      name,
      sql`case when ${isGiven}::boolean then ${sql.param(isGiven ? value : null, column)} else ${column} end`,
    ]
  })
  const others = Object.keys(change).filter((name) => !names.includes(name as N))
  if (others.length > 0) throw new Error(`A change may not touch ${others.join(', ')}`)
  return Object.fromEntries(set) as PgUpdateSetSource<T>
}

/** A new row with all columns but those with a database default, such as the time. */
export function complete<R extends Record<string, unknown>>(table: PgTable & { $inferInsert: R }, row: R): R {
  const columns = Object.entries(getTableColumns(table) as Record<string, PgColumn>)
  const missing = columns.flatMap(([name, { default: fallback, generated, generatedIdentity }]) =>
    row[name] !== undefined || generated || generatedIdentity || is(fallback, SQL)
      ? []
      : [[name, fallback ?? null]],
  )
  return { ...row, ...Object.fromEntries(missing) }
}
