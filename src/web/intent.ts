import { config } from '@/config/config'
import { clearedCookie, cookie, cookieOf } from '@/http/cookies'
import type { Visit } from '@/http/visit'
import { addressOf } from './layout'

/** `__Host-` cookies cannot be set by other subdomains. */
const NAME = config.https ? '__Host-intent' : 'intent'
/** A sign-in by mail may take 15 minutes, and the welcome page follows. */
const LIFE_SECONDS = 30 * 60

/**
 * Remembers in a visitor's browser which button was pressed, by the address of its form. Runs only when the same browser returns
 * to that address signed in: the sign-in link opened elsewhere does nothing.
 */
export const intentCookie = (visit: Visit): string =>
  cookie(NAME, encodeURIComponent(addressOf(visit)), { maxAgeSeconds: LIFE_SECONDS })

export const intentCleared = (): string => clearedCookie(NAME)

/** Whether this browser pressed the button of this address before signing in. */
export const isIntended = (visit: Visit): boolean =>
  cookieOf(visit.request, NAME) === encodeURIComponent(addressOf(visit))
