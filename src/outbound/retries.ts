const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The backoff after each failed attempt. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

export const ATTEMPTS_MAX = DELAYS_MS.length + 1
const JITTER = 0.2

/** A receiver that fails for this long is disabled. */
export const GIVE_UP_MS = 5 * 24 * HOUR

/**
 * The time of the next attempt; undefined after the last. Jitter spreads messages that failed together. A receiver may ask for up
 * to twice the delay.
 */
export function nextAttemptAt(attempts: number, at: Date, retryAfter: string | null): Date | null {
  const base = DELAYS_MS[attempts - 1]
  if (base === undefined) return null
  const asked = askedMs(retryAfter, at)
  const delay =
    asked === undefined
      ? base * (1 + JITTER * (2 * Math.random() - 1))
      : Math.min(Math.max(asked, base), 2 * base)
  return new Date(at.getTime() + Math.round(delay))
}

/** `Retry-After` in seconds or as a date; anything else is ignored. */
function askedMs(retryAfter: string | null, at: Date): number | undefined {
  if (retryAfter === null) return undefined
  if (/^\d{1,10}$/.test(retryAfter.trim())) return Number(retryAfter) * SECOND
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : date - at.getTime()
}
