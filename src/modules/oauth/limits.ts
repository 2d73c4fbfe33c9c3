import { nowMs } from '@/core/clock'
import { clientAddress } from '@/http/address'
import { charge } from '@/http/limits/hourly'
import type { Verdict } from '@/http/limits/limiter'
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

const failures = ({ request }: Visit) => perMinute(`oauth-failures:${clientAddress(request)}`)

/** Whoever keeps guessing is not listened to for a while. */
export async function demandFewFailures(visit: Visit): Promise<void> {
  const verdict = await charge(failures(visit), 0)
  if (verdict.remaining === 0) throw tooMany(visit, verdict)
}

/** Counts a refusal. Guesses made at the same moment all saw one left; only as many as there were get an answer. */
export async function chargeFailure(visit: Visit, refusal: OAuthRefusal): Promise<OAuthRefusal> {
  if (refusal.status === 429 || refusal.status >= 500) return refusal
  const verdict = await charge(failures(visit), 1)
  return verdict.allowed ? refusal : tooMany(visit, verdict)
}

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
