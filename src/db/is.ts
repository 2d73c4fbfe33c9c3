import { type Column, eq, type GetColumnData, ne, type SQL, sql } from 'drizzle-orm'

/*
 * Comparisons with a word of our own, which stands in the text of the statement. As a parameter it could be any word:
 * a plan that a connection keeps would have no use for the indexes that are made for that word alone.
 */

export const is = <C extends Column>(column: C, word: GetColumnData<C, 'raw'>): SQL =>
  eq(column, word).inlineParams()

export const isNot = <C extends Column>(column: C, word: GetColumnData<C, 'raw'>): SQL =>
  ne(column, word).inlineParams()

/** One statement for any number of ids: connections keep every statement that they have seen. */
export const isOneOf = (column: Column, ids: string[]): SQL => sql`${column} = any(${sql.param(ids)}::uuid[])`
