import { type Column, eq, type GetColumnData, ne, type SQL, sql } from 'drizzle-orm'

/*
 * Compares with a constant in the statement text. As a parameter it could be any value, so a cached plan could not use the
 * partial indexes for that constant.
 */

export const is = <C extends Column>(column: C, word: GetColumnData<C, 'raw'>): SQL =>
  eq(column, word).inlineParams()

export const isNot = <C extends Column>(column: C, word: GetColumnData<C, 'raw'>): SQL =>
  ne(column, word).inlineParams()

/** One statement text for any number of ids: connections cache every text. */
export const isOneOf = (column: Column, ids: string[]): SQL => sql`${column} = any(${sql.param(ids)}::uuid[])`
