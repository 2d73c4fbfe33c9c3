import { config } from '@/config'
import { nowMs } from '@/core/clock'
import { AppError } from '@/core/errors'
import { clientAddress } from '@/http/address'
import { charge } from '@/http/limits/hourly'
import type { Verdict } from '@/http/limits/limiter'
import { tryWithin } from '@/http/limits/tries'
import type { Visit } from '@/http/visit'

const MAILS_PER_HOUR = 5
const ERRANDS_PER_MINUTE = 600
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** The same for people whom we know and those whom we do not: it counts what was asked for, not what was found. */
export async function chargeMailbox(visit: Visit, email: string): Promise<void> {
  const key = `mailbox:${fingerprint(email)}`
  const verdict = await charge({ key, limit: MAILS_PER_HOUR, windowMs: HOUR_MS }, 1)
  if (!verdict.allowed)
    throw tooMany(visit, verdict, 'Several emails went to this address already: use the newest, or try again')
}

/** Whoever goes to a provider leaves a line with us, so there is an end to them, far beyond what a hall would need. */
export async function chargeErrand(visit: Visit): Promise<void> {
  const key = `errand:${clientAddress(visit.request)}`
  const verdict = await charge({ key, limit: ERRANDS_PER_MINUTE, windowMs: MINUTE_MS }, 1)
  if (!verdict.allowed) throw tooMany(visit, verdict, 'Too many people began to sign in from here: try again')
}

/**
 * Runs an attempt to sign in, which gives nothing when it fails. Failures are counted for each address, successes
 * are not: a hall full of people is one address.
 */
export async function attempt<T>(visit: Visit, signIn: () => Promise<T | undefined>): Promise<T | undefined> {
  const budget = {
    key: `sign-in:${clientAddress(visit.request)}`,
    limit: config.rateLimits.signInPerMinute,
    windowMs: MINUTE_MS,
  }
  return tryWithin(budget, signIn, {
    failed: (outcome) => outcome.status === 'fulfilled' && outcome.value === undefined,
    refuse: (verdict) => tooMany(visit, verdict, TRY_LATER),
  })
}

const TRY_LATER = 'Too many attempts to sign in failed: try again'

function tooMany(visit: Visit, verdict: Verdict, sentence: string): AppError {
  visit.budget = verdict
  const seconds = Math.max(1, Math.ceil((verdict.resetAtMs - nowMs()) / 1000))
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new AppError('rate_limited', `${sentence} in ${wait}`, { 'retry-after': String(seconds) })
}

/** Keyed, because limits may be counted elsewhere; without the part after a plus, which is the same mailbox. */
function fingerprint(email: string): string {
  const at = email.lastIndexOf('@')
  const mailbox = `${email.slice(0, at).split('+')[0] || '+'}${email.slice(at)}`
  return new Bun.CryptoHasher('sha256', config.secretKey).update(`mailbox\n${mailbox}`).digest('hex')
}
