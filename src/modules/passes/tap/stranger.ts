import { hashSecretHex } from '@/auth/hashing'
import { randomHex } from '@/core/codes'
import { cookie, cookieOf } from '@/http/cookies'

const NAME = 'visitor'
const VALUE = /^[0-9a-f]{32}$/

/** As long as the records of strangers are kept. */
export const STRANGER_DAYS = 90
const MAX_AGE_SECONDS = STRANGER_DAYS * 24 * 60 * 60
const HASH_BYTES = 16

/** A visitor who is not signed in, by the value of the cookie. */
export type Stranger = {
  value: string
  /** Null for a browser that has it already. */
  setCookie: string | null
}

/** The stranger whose browser this is, by the cookie that it got with an earlier tap. */
export function strangerOf(request: Request): Stranger | undefined {
  const value = cookieOf(request, NAME)
  return value !== undefined && VALUE.test(value) ? { value, setCookie: null } : undefined
}

export function newStranger(): Stranger {
  const value = randomHex(16)
  return { value, setCookie: cookie(NAME, value, { maxAgeSeconds: MAX_AGE_SECONDS }) }
}

/** All that the server keeps, in hex: whoever reads it cannot pass for that browser. */
export const strangerHash = (value: string): string => hashSecretHex(value).slice(0, 2 * HASH_BYTES)
