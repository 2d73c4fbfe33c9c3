import { config } from '@/config/config'
import { rateLimited } from '@/core/errors'
import { clientAddress } from '@/http/address'
import { charge } from '@/http/limits/hourly'
import { secondsLeft } from '@/http/limits/limiter'
import type { Visit } from '@/http/visit'

const HOUR_MS = 3_600_000
/** Anybody can name any host, so all who name the same have many times as much as one of them. */
const ALL_TOGETHER = 30

/** Another request from this address. */
export const chargeAsker = (visit: Visit) =>
  take(visit, `websub:${clientAddress(visit.request)}`, config.rateLimits.websubPerHour)

/** Another question to this host: we are no tool with which to keep somebody busy. */
export const chargeHost = (visit: Visit, host: string) =>
  take(visit, `websub-host:${host}`, config.rateLimits.websubPerHour * ALL_TOGETHER)

async function take(visit: Visit, key: string, limit: number): Promise<void> {
  const verdict = await charge({ key, limit, windowMs: HOUR_MS }, 1)
  if (verdict.allowed) return
  visit.budget = verdict
  throw rateLimited(secondsLeft(verdict))
}

/** One who asks is told apart from others without keeping their address. */
export const askerOf = ({ request }: Visit): Uint8Array =>
  new Bun.CryptoHasher('sha256', config.secretKey).update(`websub\n${clientAddress(request)}`).digest()
