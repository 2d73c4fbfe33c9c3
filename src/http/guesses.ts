import { nowMs } from '@/core/clock'
import { isAppError, rateLimited } from '@/core/errors'
import { clientAddress } from './address'
import type { Verdict } from './limits/limiter'
import { tryWithin } from './limits/tries'

const GUESSES_PER_MINUTE = 30
const MINUTE_MS = 60_000

/**
 * Runs what looks for a code that somebody typed. Codes that do not exist are counted for each address, those
 * that do are not: a hall full of people is one address. Whoever has no guesses left learns nothing more.
 */
export async function guess<T>(request: Request, look: () => T | Promise<T>): Promise<T> {
  const budget = {
    key: `guess:${clientAddress(request)}`,
    limit: GUESSES_PER_MINUTE,
    windowMs: MINUTE_MS,
  }
  return tryWithin(budget, look, { failed: isMiss, refuse: tooMany })
}

const isMiss = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && isAppError(outcome.reason) && outcome.reason.appCode === 'not_found'

const tooMany = ({ resetAtMs }: Verdict) => rateLimited(Math.max(1, Math.ceil((resetAtMs - nowMs()) / 1000)))
