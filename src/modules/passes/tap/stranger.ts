import { hashSecretHex } from '@/auth/secrets'
import { cookie, cookieOf } from '@/http/cookies'

const NAME = 'visitor'
const VALUE = /^[0-9a-f]{32}$/

/** Also how long the records are kept. */
export const STRANGER_DAYS = 90
const MAX_AGE_SECONDS = STRANGER_DAYS * 24 * 60 * 60
const HASH_BYTES = 16

/** The cookie of a visitor without a session. */
export function strangerOf(request: Request): string | undefined {
  const value = cookieOf(request, NAME)
  return value !== undefined && VALUE.test(value) ? value : undefined
}

export const strangerCookie = (value: string) => cookie(NAME, value, { maxAgeSeconds: MAX_AGE_SECONDS })

/** Only a hash is stored, so that a database leak does not reveal cookies. */
export const strangerHash = (value: string): string => hashSecretHex(value).slice(0, 2 * HASH_BYTES)
