import { config } from '@/config/config'
import { clientAddress } from '../address'
import type { Visit } from '../visit'
import type { Budget, Limiter } from './limiter'
import { memoryLimiter } from './memory'

const HOUR_MS = 3_600_000

let limiter: Limiter = memoryLimiter()

export const useLimiter = (chosen: Limiter) => {
  limiter = chosen
}

/** One budget per user whatever the credential, one per address for everyone else, failed sign-ins included. */
export function hourlyBudget({ visitor, request }: Visit): Budget {
  return typeof visitor === 'object'
    ? { key: `u:${visitor.userId}`, limit: config.rateLimits.userPerHour, windowMs: HOUR_MS }
    : { key: `a:${clientAddress(request)}`, limit: config.rateLimits.anonymousPerHour, windowMs: HOUR_MS }
}

export const charge = (budget: Budget, cost: number) => limiter.hit(budget, cost)

export const chargeAll = (budgets: Budget[]) => limiter.hitAll(budgets)

export const slide = (budget: Budget) => limiter.slide(budget)

export const beginAttempt = (budget: Budget) => limiter.beginAttempt(budget)
