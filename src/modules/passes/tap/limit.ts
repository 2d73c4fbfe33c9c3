import { config } from '@/config/config'
import { clientAddress, isVenue } from '@/http/address'
import type { Budget } from '@/http/limits/limiter'

const SECOND_MS = 1000

/** Taps have their own rate limit per client address. */
export function tapBudget(request: Request): Budget {
  const address = clientAddress(request)
  const { tapPerSecond, venueTapPerSecond } = config.rateLimits
  return {
    key: `tap:${address}`,
    limit: isVenue(address) ? venueTapPerSecond : tapPerSecond,
    windowMs: SECOND_MS,
  }
}
