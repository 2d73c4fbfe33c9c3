import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import { randomHex } from '@/core/codes'

/** The token of the link: long and random, so that a plain hash of it is enough. */
export const newToken = () => randomHex(32)

export const linkOf = (token: string) => `${config.authUrl}/auth/email/verify?token=${token}`

export const isToken = (value: string) => /^[0-9a-f]{64}$/.test(value)

/** Six digits, each as likely as any other. */
export function newCode(): string {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  // Numbers past the last whole million would favour the low codes.
  return drawn < 4_294_000_000 ? String(drawn % 1_000_000).padStart(6, '0') : newCode()
}

/** A code as it was typed: people put a space in the middle. */
export const readCode = (value: string) => value.replace(/[\s-]/g, '')

/** The hash of a code, keyed and bound to its mail: a million codes are soon tried by a reader of the database. */
export const hashCode = (mailId: string, code: string): Uint8Array =>
  new Bun.CryptoHasher('sha256', config.secretKey).update(`sign-in code\n${mailId}\n${code}`).digest()

export const isCodeOf = (mail: { id: string; codeHash: Uint8Array }, code: string) =>
  timingSafeEqual(mail.codeHash, hashCode(mail.id, code))
