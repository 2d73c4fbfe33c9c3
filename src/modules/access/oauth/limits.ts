import { inSeconds } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { clientAddress } from '@/http/address'
import { withFailureLimit } from '@/http/limits/failure-limit'
import { charge } from '@/http/limits/hourly'
import { secondsLeft, type Verdict } from '@/http/limits/limiter'
import type { Visit } from '@/http/visit'
import type { Client } from './queries'
import { OAuthRefusal } from './refusal'

const PER_MINUTE = 120

const perMinute = (key: string) => ({ key, limit: PER_MINUTE, windowMs: 60_000 })

/**
 * A confidential client has one budget for all addresses. Anyone can send a public client's id, so it has a budget per address.
 */
export async function chargeRequest(visit: Visit, { clientId, secretHash }: Client): Promise<void> {
  const key = secretHash
    ? `oauth-client:${clientId}`
    : `oauth-public:${clientId} ${clientAddress(visit.request)}`
  const verdict = await charge(perMinute(key), 1)
  if (!verdict.allowed) throw tooMany(visit, verdict)
}

/** Compares a secret, unless too many wrong ones came for this client from this address. */
export const compareWithFewFailures = (visit: Visit, { clientId }: Client, isSame: () => boolean) =>
  withFailureLimit(perMinute(`oauth-secrets:${clientId} ${clientAddress(visit.request)}`), isSame, {
    failed: (outcome) => outcome.status === 'fulfilled' && !outcome.value,
    refuse: (verdict) => tooMany(visit, verdict),
  })

/**
 * Authenticates a client. Counts failures per address, and finally answers them with 429; a successful client is never refused
 * because of others at its address.
 */
export async function countingFailures<T>(visit: Visit, identify: () => Promise<T>): Promise<T> {
  try {
    return await identify()
  } catch (thrown) {
    if (!isFault(thrown)) throw thrown
    const verdict = await charge(perMinute(`oauth-failures:${clientAddress(visit.request)}`), 1)
    throw verdict.allowed ? thrown : tooMany(visit, verdict)
  }
}

const isFault = (thrown: unknown) =>
  thrown instanceof OAuthRefusal && thrown.status !== 429 && thrown.status < 500

function tooMany(visit: Visit, verdict: Verdict): OAuthRefusal {
  visit.budget = verdict
  const seconds = secondsLeft(verdict)
  return new OAuthRefusal('temporarily_unavailable', refusals.tooManyRequests(inSeconds(seconds)), 429, {
    'retry-after': String(seconds),
  })
}
