import { config } from '@/config/config'
import { clearedCookie, cookie, cookieOf } from '@/http/cookies'
import type { Visit } from '@/http/visit'
import { addressOf } from './layout'

/** A browser takes a `__Host-` cookie from this very host alone, so that no neighbouring subdomain can plant one. */
const NAME = config.https ? '__Host-intent' : 'intent'
/** A sign-in by mail may take 15 minutes, and the page that asks newcomers for their name follows. */
const LIFE_SECONDS = 30 * 60

/**
 * Keeps in a stranger's browser which button they pressed, by the address of its form. Nothing is done until this same
 * browser comes back to that address signed in: the sign-in link opened elsewhere does nothing.
 */
export const intentCookie = (visit: Visit): string =>
  cookie(NAME, encodeURIComponent(addressOf(visit)), { maxAgeSeconds: LIFE_SECONDS })

export const intentCleared = (): string => clearedCookie(NAME)

/** Whether this browser pressed the button of this very address before its person signed in. */
export const isIntended = (visit: Visit): boolean =>
  cookieOf(visit.request, NAME) === encodeURIComponent(addressOf(visit))
