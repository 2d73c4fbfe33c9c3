import { config } from '@/config/config'
import { clientAddress } from '@/http/address'
import type { Budget } from '@/http/limits/limiter'

const SECOND_MS = 1000

/** Taps have a limit of their own, by the address that they come from. */
export const tapBudget = (request: Request): Budget => ({
  key: `tap:${clientAddress(request)}`,
  limit: config.rateLimits.tapPerSecond,
  windowMs: SECOND_MS,
})
