import { and, type SQL, sql } from 'drizzle-orm'
import { log } from '@/core/log'

/*
 * A statement prepared by name is planned once and costs each connection memory until it ends. So only texts of a closed set get
 * a name: one text for any number of values (`= any($1)`, unnest), `patched` and `complete` for partial rows, and none for lists
 * with filters, which combine freely.
 */

/** Named texts with the same beginning. Lists have several orders and directions, updates several kinds. */
const ALIKE_MAX = 32

const VARIES = '/* varies */'

const named = new Set<string>()
const alike = new Map<string, number>()

/** Optional conditions. Without any, the statement is the list's most common one. */
export function filters(...conditions: (SQL | undefined)[]): SQL | undefined {
  const given = and(...conditions)
  return given && sql`${given} ${sql.raw(VARIES)}`
}

/** Whether a statement is prepared by name. A text with too many variants loses its name, so that it cannot fill the memory. */
export function isNamed(text: string): boolean {
  if (named.has(text)) return true
  if (isPlannedPerCall(text)) return false
  const kind = beginningOf(text)
  const count = alike.get(kind) ?? 0
  if (count >= ALIKE_MAX) {
    if (count === ALIKE_MAX)
      log.warn('a statement has more texts than can have names', { statement: kind.slice(0, 200) })
    alike.set(kind, ALIKE_MAX + 1)
    return false
  }
  alike.set(kind, count + 1)
  named.add(text)
  return true
}

/** For the test of all routes. */
export const namedTexts = (): ReadonlySet<string> => named

/** A search is planned per text: a generic plan would walk through all rows to find a rare name. */
const isPlannedPerCall = (text: string) => text.includes(VARIES) || text.includes(' like $')

/** The part of a text that the code alone determines, so few exist. */
const beginningOf = (text: string) => /^update\b.*?\bset\b|^[^$]*/.exec(text)?.[0] ?? ''
