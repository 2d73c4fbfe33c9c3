import { and, type SQL, sql } from 'drizzle-orm'
import { log } from '@/core/log'

/*
 * A statement that is prepared by name is planned once, and costs every connection that has seen it some memory until
 * the connection ends. So names are for texts of a closed set: one text for any number of values (`= any($1)`, unnest),
 * `patched` and `complete` for rows of which a caller sends a part, and no name for lists with filters, which may be
 * combined at will.
 */

/** Texts that begin alike and have a name. Lists come in some orders and directions, updates in some kinds. */
const ALIKE_MAX = 32

const VARIES = '/* varies */'

const named = new Set<string>()
const alike = new Map<string, number>()

/** Conditions that a caller may combine. Without any of them a list is the one that everybody asks for. */
export function filters(...conditions: (SQL | undefined)[]): SQL | undefined {
  const given = and(...conditions)
  return given && sql`${given} ${sql.raw(VARIES)}`
}

/**
 * Whether a statement is prepared by name. A text that should have been one and comes in many forms loses its name, so
 * it cannot fill the memory.
 */
export function isNamed(text: string): boolean {
  if (named.has(text)) return true
  if (isPlannedAnew(text)) return false
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

/** Every text that has a name, for the test of all routes. */
export const namedTexts = (): ReadonlySet<string> => named

/** A search is planned for the text that was typed: a generic plan would walk through everyone to find a rare name. */
const isPlannedAnew = (text: string) => text.includes(VARIES) || text.includes(' like $')

/**
 * The part of a text before anything that differs from call to call: the code alone decides how many of these there
 * are.
 */
const beginningOf = (text: string) => /^update\b.*?\bset\b|^[^$]*/.exec(text)?.[0] ?? ''
