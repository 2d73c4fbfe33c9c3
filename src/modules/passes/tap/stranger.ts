import { hashSecretHex } from '@/auth/hashing'
import { randomHex } from '@/core/codes'
import { cookie, cookieOf } from '@/http/cookies'

const NAME = 'visitor'
const VALUE = /^[0-9a-f]{32}$/

/** Also how long the records are kept. */
export const STRANGER_DAYS = 90
const MAX_AGE_SECONDS = STRANGER_DAYS * 24 * 60 * 60
const HASH_BYTES = 16

/** A visitor without a session, identified by a cookie. */
export type Stranger = {
  value: string
  /** Null if the browser already has the cookie. */
  setCookie: string | null
}

export function strangerOf(request: Request): Stranger | undefined {
  const value = cookieOf(request, NAME)
  return value !== undefined && VALUE.test(value) ? { value, setCookie: null } : undefined
}

export function newStranger(): Stranger {
  const value = randomHex(16)
  return { value, setCookie: cookie(NAME, value, { maxAgeSeconds: MAX_AGE_SECONDS }) }
}

/** Only a hash is stored, so that a database leak does not reveal cookies. */
export const strangerHash = (value: string): string => hashSecretHex(value).slice(0, 2 * HASH_BYTES)
