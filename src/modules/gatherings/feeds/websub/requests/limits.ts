import { config } from '@/config/config'
import { rateLimited } from '@/core/errors'
import { clientAddress } from '@/http/address'
import { chargeAll } from '@/http/limits/hourly'
import { type Budget, secondsLeft } from '@/http/limits/limiter'
import type { Visit } from '@/http/visit'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Of one address: questions to the same host, and about the same subscription. Somebody else's limit is another. */
const PER_MINUTE = { ofHost: 60, ofSubscription: 5 }
/** Anybody can name any host, so all who name the same have many times as much as one of them. */
const ALL_TOGETHER = 30

/** Another request from this address. */
export const chargeAsker = (visit: Visit) =>
  take(visit, [hourly(`websub:${clientAddress(visit.request)}`, config.rateLimits.websubPerHour)])

/** Another question to this host: we are no tool with which to keep somebody busy. */
export function chargeHost(visit: Visit, host: string, subscription: Uint8Array): Promise<void> {
  const address = clientAddress(visit.request)
  const name = Buffer.from(subscription).toString('base64url')
  return take(visit, [
    { key: `websub-same:${address}:${name}`, limit: PER_MINUTE.ofSubscription, windowMs: MINUTE_MS },
    { key: `websub-pair:${address}:${host}`, limit: PER_MINUTE.ofHost, windowMs: MINUTE_MS },
    hourly(`websub-host:${host}`, config.rateLimits.websubPerHour * ALL_TOGETHER),
  ])
}

const hourly = (key: string, limit: number): Budget => ({ key, limit, windowMs: HOUR_MS })

async function take(visit: Visit, budgets: Budget[]): Promise<void> {
  const { verdict } = await chargeAll(budgets)
  if (verdict.allowed) return
  visit.budget = verdict
  throw rateLimited(secondsLeft(verdict))
}

/** One who asks is told apart from others without keeping their address. */
export const askerOf = ({ request }: Visit): Uint8Array =>
  new Bun.CryptoHasher('sha256', config.secretKey).update(`websub\n${clientAddress(request)}`).digest()
