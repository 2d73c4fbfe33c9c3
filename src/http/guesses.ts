import { nowMs } from '@/core/clock'
import { isAppError, rateLimited } from '@/core/errors'
import { clientAddress } from './address'
import { charge } from './limits/hourly'
import type { Verdict } from './limits/limiter'

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
  const before = await charge(budget, 0)
  if (before.remaining === 0) throw tooMany(before)
  try {
    return await look()
  } catch (error) {
    if (!isAppError(error) || error.appCode !== 'not_found') throw error
    // Guesses made at the same moment all saw one left; only as many as there were get an answer.
    const after = await charge(budget, 1)
    throw after.allowed ? error : tooMany(after)
  }
}

const tooMany = ({ resetAtMs }: Verdict) => rateLimited(Math.max(1, Math.ceil((resetAtMs - nowMs()) / 1000)))
