import { like, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** A typed text, to be found without regard to case and taken literally by LIKE. */
export const literal = (typed: string) => typed.toLowerCase().replace(/[\\%_]/g, '\\$&')

/** A typed text occurs in one of these columns. Without a text, everything matches. */
export const containing = (typed: string | undefined, columns: PgColumn[]): SQL | undefined =>
  typed === undefined
    ? undefined
    : or(...columns.map((column) => like(sql`lower(${column})`, `%${literal(typed)}%`)))
