import { DatabaseError } from 'pg'
import { ConfigError } from '@/config/error'

export const unrestorable = (what: string) =>
  new ConfigError(`The backup cannot be restored: ${what}; nothing was restored.`)

/** SQLSTATE classes caused by the input: unsupported, bad value, constraint, unknown object, too large. */
const CAUSED_BY_INPUT = /^(?:0A|22|23|42|54)/

/** Names the part of the backup that the database refused. PostgreSQL's own message would show row values. */
export async function explainRefusal<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof DatabaseError ? (error.code ?? '') : ''
    throw CAUSED_BY_INPUT.test(code) ? unrestorable(`the database refused ${what} (${code})`) : error
  }
}
