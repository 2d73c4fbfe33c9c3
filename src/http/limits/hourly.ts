import { config } from '@/config/config'
import { certaintyOf } from '@/db/conflicts'
import { clientAddress } from '../address'
import type { Visit } from '../visit'
import type { Budget, Limiter } from './limiter'
import { memoryLimiter } from './memory'

const HOUR_MS = 3_600_000

let limiter: Limiter = memoryLimiter()

export const useLimiter = (chosen: Limiter) => {
  limiter = chosen
}

/** The agents of an office share an address, and each needs a challenge whenever its token expires. */
const CHALLENGES_PER_REQUEST = 10

/** One budget per user, across credentials; one per address otherwise, including failed sign-ins. */
export function hourlyBudget({ visitor, request, traits }: Visit): Budget {
  const { userPerHour, anonymousPerHour } = config.rateLimits
  if (typeof visitor === 'object')
    return { key: `u:${visitor.userId}`, limit: userPerHour, windowMs: HOUR_MS }
  const address = clientAddress(request)
  return traits.onlyChallenges
    ? { key: `c:${address}`, limit: CHALLENGES_PER_REQUEST * anonymousPerHour, windowMs: HOUR_MS }
    : { key: `a:${address}`, limit: anonymousPerHour, windowMs: HOUR_MS }
}

export const charge = (budget: Budget, cost: number) => limiter.hit(budget, cost)

export const chargeAll = (budgets: Budget[]) => limiter.hitAll(budgets)

/** Runs charged work. A database outage refunds the charge; a commit without an answer may have sent a mail, so it does not. */
export async function doCharged<T>(budgets: Budget[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (certaintyOf(error) === 'unavailable') await limiter.giveBack(budgets)
    throw error
  }
}

export const slide = (budget: Budget) => limiter.slide(budget)

export const beginAttempt = (budget: Budget) => limiter.beginAttempt(budget)
