import { type Column, type GetColumnData, type SQL, sql } from 'drizzle-orm'

type Field = Column | SQL

/** What PostgreSQL says of these fields. */
export type Told<F extends Record<string, Field>> = {
  [N in keyof F]: F[N] extends SQL<infer T> ? T : F[N] extends Column ? GetColumnData<F[N]> : never
}

/** Fields in one value, as JSON: to take a row of many columns apart costs several times as much. No field is a time but by `ms`. */
export const told = <F extends Record<string, Field>>(fields: F): SQL<Told<F>> =>
  sql`json_build_object(${sql.join(
    Object.entries(fields).map(([name, field]) => sql`${sql.raw(`'${name}'`)}, ${field}`),
    sql`, `,
  )})`

/** A time in milliseconds since 1970. */
export const ms = <C extends Column>(
  column: C,
): SQL<null extends GetColumnData<C> ? number | null : number> =>
  sql`(extract(epoch from ${column}) * 1000)::bigint`
