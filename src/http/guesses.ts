import { isAppError, rateLimited } from '@/core/errors'
import { clientAddress } from './address'
import { withFailureLimit } from './limits/failure-limit'
import { secondsLeft } from './limits/limiter'
import type { Visit } from './visit'

const GUESSES_PER_MINUTE = 30
const MINUTE_MS = 60_000

/**
 * Runs what looks for a code that somebody typed. Codes that do not exist are counted, for each person who is signed in
 * and otherwise for each address: a hall full of people is one address, and one guest who guesses must not close the
 * door for the others. Whoever has no guesses left learns nothing more.
 */
export async function guess<T>(visit: Visit, look: () => T | Promise<T>): Promise<T> {
  const budget = { key: guesserOf(visit), limit: GUESSES_PER_MINUTE, windowMs: MINUTE_MS }
  return withFailureLimit(budget, look, {
    failed: isMiss,
    refuse: (verdict) => {
      visit.budget = verdict
      return rateLimited(secondsLeft(verdict))
    },
  })
}

const guesserOf = ({ visitor, request }: Visit) =>
  typeof visitor === 'object' ? `guesses-of:${visitor.userId}` : `guesses-from:${clientAddress(request)}`

const isMiss = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && isAppError(outcome.reason) && outcome.reason.appCode === 'not_found'
