import type { Rate } from '@/core/action'
import { rateLimited } from '@/core/errors'
import { clientAddress, isVenue } from '../address'
import { slide } from './hourly'
import { secondsLeft, type Verdict } from './limiter'

type Requesting = { request: Request | null; budget: Verdict | null }

/** Charges the action's rate limit. Its headers are shown where the route shows no hourly budget. Async only with Redis. */
export function takeRate(entry: Requesting, rate: Rate): undefined | Promise<void> {
  const { name, perSecond, venuePerSecond = perSecond } = rate
  const address = entry.request === null ? 'here' : clientAddress(entry.request)
  const limit = isVenue(address) ? venuePerSecond : perSecond
  const verdict = slide({ key: `${name}:${address}`, limit, windowMs: 1000 })
  if (verdict instanceof Promise) return verdict.then((judged) => judge(entry, judged))
  judge(entry, verdict)
  return undefined
}

function judge(entry: Requesting, verdict: Verdict) {
  entry.budget ??= verdict
  if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
}
