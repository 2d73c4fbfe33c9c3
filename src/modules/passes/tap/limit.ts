import { config } from '@/config/config'
import { clientAddress, within } from '@/http/address'
import type { Budget } from '@/http/limits/limiter'

const SECOND_MS = 1000

/** A hall full of people is one address: the operator names it, and how many may tap there. */
const isVenue = config.venues.length === 0 ? () => false : within(config.venues)

/** Taps have a limit of their own, by the address that they come from. */
export function tapBudget(request: Request): Budget {
  const address = clientAddress(request)
  const { tapPerSecond, venueTapPerSecond } = config.rateLimits
  return {
    key: `tap:${address}`,
    // A network of IPv6 is counted as one, by its first address.
    limit: isVenue(address.replace(/\/64$/, '')) ? venueTapPerSecond : tapPerSecond,
    windowMs: SECOND_MS,
  }
}
