import { like, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Lowercases and escapes a text for LIKE. */
export const literal = (typed: string) => typed.toLowerCase().replace(/[\\%_]/g, '\\$&')

/** Matches rows in which a column contains the text; without a text, all rows. */
export const containing = (typed: string | undefined, columns: PgColumn[]): SQL | undefined =>
  typed === undefined
    ? undefined
    : or(...columns.map((column) => like(sql`lower(${column})`, `%${literal(typed)}%`)))
