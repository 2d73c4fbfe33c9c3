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

/** One budget per user, whatever the credential; one per address otherwise, including failed sign-ins. */
export function hourlyBudget({ visitor, request }: Visit): Budget {
  return typeof visitor === 'object'
    ? { key: `u:${visitor.userId}`, limit: config.rateLimits.userPerHour, windowMs: HOUR_MS }
    : { key: `a:${clientAddress(request)}`, limit: config.rateLimits.anonymousPerHour, windowMs: HOUR_MS }
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
