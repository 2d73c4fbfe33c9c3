import { type Column, eq, type GetColumnData, ne, type SQL, sql } from 'drizzle-orm'

/*
 * Comparisons with a constant, which stands in the text of the statement. As a parameter it could be any value: a plan
 * that a connection keeps could not use the partial indexes that are made for that value alone.
 */

export const is = <C extends Column>(column: C, word: GetColumnData<C, 'raw'>): SQL =>
  eq(column, word).inlineParams()

export const isNot = <C extends Column>(column: C, word: GetColumnData<C, 'raw'>): SQL =>
  ne(column, word).inlineParams()

/** One statement for any number of ids: connections keep every statement that they have seen. */
export const isOneOf = (column: Column, ids: string[]): SQL => sql`${column} = any(${sql.param(ids)}::uuid[])`
