import { config } from '@/config/config'
import { clientAddress, isVenue } from '@/http/address'
import type { Budget } from '@/http/limits/limiter'

const SECOND_MS = 1000

/** Taps have a limit of their own, by the address that they come from. */
export function tapBudget(request: Request): Budget {
  const address = clientAddress(request)
  const { tapPerSecond, venueTapPerSecond } = config.rateLimits
  return {
    key: `tap:${address}`,
    limit: isVenue(address) ? venueTapPerSecond : tapPerSecond,
    windowMs: SECOND_MS,
  }
}
