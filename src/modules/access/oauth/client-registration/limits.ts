import { config } from '@/config/config'
import { rateLimited } from '@/core/errors'
import { clientAddress } from '@/http/address'
import { charge } from '@/http/limits/hourly'
import { secondsLeft } from '@/http/limits/limiter'
import type { Visit } from '@/http/visit'

const HOUR_MS = 3_600_000

/**
 * Hosted agents share an address and register anew for each of their people, always with the same words. So what
 * counts is how many different applications come from an address; the same one again has thirty times as many turns.
 */
const AGAIN = 30

/** Another application from this address. */
export const chargeNew = (visit: Visit) => take(visit, 'register', config.rateLimits.registerPerHour)

/** The same application once more, which leaves another secret with us. */
export const chargeAgain = (visit: Visit) =>
  take(visit, 'register-again', config.rateLimits.registerPerHour * AGAIN)

async function take(visit: Visit, kind: string, limit: number): Promise<void> {
  const key = `${kind}:${clientAddress(visit.request)}`
  const verdict = await charge({ key, limit, windowMs: HOUR_MS }, 1)
  if (verdict.allowed) return
  visit.budget = verdict
  throw rateLimited(secondsLeft(verdict))
}
