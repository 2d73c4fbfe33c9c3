import { nowMs } from '@/core/clock'
import { clientAddress } from '@/http/address'
import { charge } from '@/http/limits/hourly'
import type { Verdict } from '@/http/limits/limiter'
import { tryWithin } from '@/http/limits/tries'
import type { Visit } from '@/http/visit'
import type { Client } from './queries'
import { OAuthRefusal } from './refusal'

const PER_MINUTE = 120

const perMinute = (key: string) => ({ key, limit: PER_MINUTE, windowMs: 60_000 })

/** Who proved to be a client has turns of its own, however many people use it. */
export async function takeTurn(visit: Visit, { clientId }: Client): Promise<void> {
  const verdict = await charge(perMinute(`oauth:${clientId}`), 1)
  if (!verdict.allowed) throw tooMany(visit, verdict)
}

/** Runs what an address may fail at so often: whoever keeps guessing is not listened to for a while. */
export const withFewFailures = <T>(visit: Visit, work: () => Promise<T>): Promise<T> =>
  tryWithin(perMinute(`oauth-failures:${clientAddress(visit.request)}`), work, {
    failed: isFault,
    refuse: (verdict) => tooMany(visit, verdict),
  })

const isFault = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' &&
  outcome.reason instanceof OAuthRefusal &&
  outcome.reason.status !== 429 &&
  outcome.reason.status < 500

function tooMany(visit: Visit, verdict: Verdict): OAuthRefusal {
  visit.budget = verdict
  const seconds = Math.max(1, Math.ceil((verdict.resetAtMs - nowMs()) / 1000))
  return new OAuthRefusal(
    'temporarily_unavailable',
    `Too many requests: try again in ${seconds} seconds`,
    429,
    {
      'retry-after': String(seconds),
    },
  )
}
