import { DatabaseError } from 'pg'
import { ConfigError } from '@/config/error'

/** What a backup holds cannot be brought back. */
export const unrestorable = (what: string) =>
  new ConfigError(`The backup cannot be restored: ${what}; nothing was restored.`)

/** Unsupported, not a value, against a constraint, not a thing of this schema, too large: each comes of what was given. */
const OF_WHAT_IS_GIVEN = /^(?:0A|22|23|42|54)/

/** Says what of a backup the database refused. Its own words would show values of rows. */
export async function offering<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof DatabaseError ? (error.code ?? '') : ''
    throw OF_WHAT_IS_GIVEN.test(code) ? unrestorable(`the database refused ${what} (${code})`) : error
  }
}
