import type { Visitor } from '@/core/caller'
import { isAppError, rateLimited } from '@/core/errors'
import { clientAddress, isVenue } from '../address'
import { withFailureLimit } from './failure-limit'
import { charge } from './hourly'
import { type Budget, secondsLeft, type Verdict } from './limiter'

export type Guessing = { visitor: Visitor; request: Request | null; budget: Verdict | null }

const MISSES_PER_MINUTE = 30
/** One guessing guest must not lock out everyone else in a hall who is not signed in. */
const VENUE_MISSES_PER_MINUTE = 20 * MISSES_PER_MINUTE
const MINUTE_MS = 60_000

/**
 * Runs the look-up of a typed code. Unknown codes count per signed-in person, otherwise per address: a hall full of people shares
 * one. Callers without guesses left learn nothing more.
 */
export async function limitMisses<T>(entry: Guessing, look: () => T | Promise<T>): Promise<T> {
  return withFailureLimit(budgetOf(entry), look, {
    failed: isMiss,
    refuse: (verdict) => {
      entry.budget = verdict
      return rateLimited(secondsLeft(verdict))
    },
  })
}

/** Counts an unknown code, but finds an existing one, regardless of what others at the same address have guessed. */
export const countMisses = <T>(entry: Guessing, counts: boolean, found: T | Promise<T>): T | Promise<T> =>
  found instanceof Promise && counts ? found.catch((error) => countMiss(entry, error)) : found

async function countMiss(entry: Guessing, error: unknown): Promise<never> {
  if (!isNotFound(error)) throw error
  const verdict = await charge(budgetOf(entry), 1)
  if (verdict.allowed) throw error
  entry.budget = verdict
  throw rateLimited(secondsLeft(verdict))
}

function budgetOf({ visitor, request }: Guessing): Budget {
  if (typeof visitor === 'object')
    return { key: `guesses-of:${visitor.userId}`, limit: MISSES_PER_MINUTE, windowMs: MINUTE_MS }
  const address = request === null ? 'here' : clientAddress(request)
  return {
    key: `guesses-from:${address}`,
    limit: isVenue(address) ? VENUE_MISSES_PER_MINUTE : MISSES_PER_MINUTE,
    windowMs: MINUTE_MS,
  }
}

const isMiss = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && isNotFound(outcome.reason)

const isNotFound = (error: unknown) => isAppError(error) && error.appCode === 'not_found'
