import { config } from '@/config/config'
import { AppError, inSeconds } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { clientAddress } from '@/http/address'
import { withFailureLimit } from '@/http/limits/failure-limit'
import { charge, chargeAll, doCharged } from '@/http/limits/hourly'
import { type Budget, secondsLeft, type Verdict } from '@/http/limits/limiter'
import type { Visit } from '@/http/visit'
import { mailboxKey } from '@/outbound/mail/send'

const MAILS_PER_HOUR = { toMailboxFromAddress: 5, toMailbox: 20, fromAddress: 300 }
const LOGINS_PER_MINUTE = 600
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * Limits mails by the requested address, so that known and unknown ones behave alike. The request is unauthenticated, so a
 * mailbox is blocked for the requesting address first, and for others much later.
 */
export async function withinMails<T>(visit: Visit, email: string, send: () => Promise<T>): Promise<T> {
  const [mailbox, address] = [named(email), clientAddress(visit.request)]
  const fromAddress = hourly(`mails-from:${address}`, MAILS_PER_HOUR.fromAddress)
  const budgets = [
    hourly(`mails-to-from:${mailbox} ${address}`, MAILS_PER_HOUR.toMailboxFromAddress),
    hourly(`mails-to:${mailbox}`, MAILS_PER_HOUR.toMailbox),
    fromAddress,
  ]
  const { verdict, budget } = await chargeAll(budgets)
  if (!verdict.allowed)
    throw tooMany(visit, verdict, budget === fromAddress ? refusals.tooManyMails : refusals.mailboxFull)
  return doCharged(budgets, send)
}

const hourly = (key: string, limit: number): Budget => ({ key, limit, windowMs: HOUR_MS })

/** Bounded, because each provider login stores a row; far above the needs of a hall. */
export async function chargeLogin(visit: Visit): Promise<void> {
  const key = `logins:${clientAddress(visit.request)}`
  const verdict = await charge({ key, limit: LOGINS_PER_MINUTE, windowMs: MINUTE_MS }, 1)
  if (!verdict.allowed) throw tooMany(visit, verdict, refusals.tooManyLogins)
}

/** Runs a sign-in by code; a wrong code returns undefined and counts for this mailbox and address only. */
export const tryCode = <T>(visit: Visit, email: string, signIn: () => Promise<T | undefined>) =>
  attempt(visit, `codes:${named(email)} ${clientAddress(visit.request)}`, signIn)

/** Runs a return from a provider; a failed one returns undefined and counts for its login state only. */
export const tryLogin = <T>(visit: Visit, state: string, signIn: () => Promise<T | undefined>) =>
  attempt(visit, `login-returns:${state}`, signIn)

const attempt = <T>(visit: Visit, key: string, signIn: () => Promise<T | undefined>) =>
  withFailureLimit({ key, limit: config.rateLimits.signInPerMinute, windowMs: MINUTE_MS }, signIn, {
    failed: (outcome) => outcome.status === 'fulfilled' && outcome.value === undefined,
    refuse: (verdict) => tooMany(visit, verdict, refusals.tooManyFailures),
  })

/** For a mailbox with too many wrong codes today. A link cannot be guessed and is never refused. */
export const tooManyCodes = (visit: Visit, verdict: Verdict) => tooMany(visit, verdict, refusals.tooManyCodes)

function tooMany(visit: Visit, verdict: Verdict, say: (when: string) => string): AppError {
  visit.budget = verdict
  const seconds = secondsLeft(verdict)
  return new AppError('rate_limited', say(spoken(seconds)), { 'retry-after': String(seconds) })
}

function spoken(seconds: number): string {
  if (seconds <= 90) return inSeconds(seconds)
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`
}

const named = (email: string) => Buffer.from(mailboxKey(email)).toString('hex')
