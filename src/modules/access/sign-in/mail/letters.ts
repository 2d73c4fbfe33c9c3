import { timingSafeEqual } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { randomHex } from '@/core/codes'
import { letter } from '@/mail/letter'

/** Long and random, so that a plain hash is enough. */
export const newToken = () => randomHex(32)

export const linkOf = (token: string) => `${config.authUrl}/auth/email/verify?token=${token}`

export const isToken = (value: string) => /^[0-9a-f]{64}$/.test(value)

/** Six uniform digits. */
export function newCode(): string {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  // Rejects numbers past the last whole million: modulo would favour low codes.
  return drawn < 4_294_000_000 ? String(drawn % 1_000_000).padStart(6, '0') : newCode()
}

/** Removes spaces and dashes. */
export const readCode = (value: string) => value.replace(/[\s-]/g, '')

/** A keyed hash, bound to its mail: a reader of the database could try a million codes quickly. */
export const hashCode = (mailId: string, code: string): Uint8Array =>
  new Bun.CryptoHasher('sha256', config.secretKey).update(`sign-in code\n${mailId}\n${code}`).digest()

export const isCodeOf = (mail: { id: string; codeHash: Uint8Array }, code: string) =>
  timingSafeEqual(mail.codeHash, hashCode(mail.id, code))

export const LIFE_MS = 15 * 60 * 1000

/** A sign-in mail. The address may have no account. */
export const signInLetter = letter({
  name: 'sign-in',
  kind: null,
  urgency: 'awaited',
  secret: true,
  lifeMs: LIFE_MS,
  data: Type.Object({ token: Type.String(), code: Type.String(), language: Type.String() }),
  write: async ({ words: { accountMails } }, { token, code }) => {
    const { signIn } = accountMails
    return {
      subject: signIn.subject(config.siteName),
      parts: [
        { say: signIn.type },
        { code },
        { say: signIn.orOpen },
        { button: signIn.button, url: linkOf(token) },
        { quiet: signIn.once },
        { quiet: signIn.ignore },
      ],
      reason: signIn.reason,
    }
  },
})
