import type { Visitor } from '@/core/caller'
import { type AppError, isAppError, rateLimited } from '@/core/errors'
import { clientAddress, isVenue } from '../address'
import { withFailureLimit } from './failure-limit'
import { charge } from './hourly'
import { type Budget, secondsLeft, type Verdict } from './limiter'

type Guessing = { visitor: Visitor; request: Request | null; budget: Verdict | null }

const MISSES_PER_MINUTE = 30
/** One guest who guesses must not close the door of a hall for all who are not signed in. */
const VENUE_MISSES_PER_MINUTE = 20 * MISSES_PER_MINUTE
const MINUTE_MS = 60_000

/**
 * Runs what looks for a code that somebody typed. Codes that do not exist are counted, for each person who is signed in
 * and otherwise for each address: a hall full of people is one address, and one guest who guesses must not close the
 * door for the others. Whoever has no guesses left learns nothing more.
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

/**
 * The refusal of a code that was looked for and does not exist. It is for codes that nobody can guess: whoever asks for
 * one that exists finds it, whatever others at the same address have guessed.
 */
export async function countMiss(entry: Guessing, missing: AppError): Promise<AppError> {
  const verdict = await charge(budgetOf(entry), 1)
  if (verdict.allowed) return missing
  entry.budget = verdict
  return rateLimited(secondsLeft(verdict))
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
  outcome.status === 'rejected' && isAppError(outcome.reason) && outcome.reason.appCode === 'not_found'
