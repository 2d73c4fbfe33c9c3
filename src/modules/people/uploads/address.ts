import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'

/** What an address to send a file to is good for. */
export type Terms = { id: string; expiresAt: Date; size: number; contentType: string }

export const ADDRESS_MS = 15 * 60_000

const KEY = new Bun.CryptoHasher('sha256', config.secretKey).update('signed\nupload').digest()

/** An address of ours for one PUT: signed over the method, the row, the exact length, the exact type and the end. */
export function addressFor({ id, expiresAt, size, contentType }: Terms): string {
  const said = Buffer.from([id, expiresAt.getTime(), size, contentType].join(' ')).toString('base64url')
  return `${config.baseUrl}/uploads/${said}.${seal(said)}`
}

/** Undefined for an address that we did not make. */
export function openAddress(token: string): Terms | undefined {
  const [said = '', shown = ''] = token.split('.')
  const expected = seal(said)
  // The text is compared, not its bytes: the last character of base64 has bits that mean nothing.
  if (token !== `${said}.${shown}` || shown.length !== expected.length) return undefined
  if (!timingSafeEqual(Buffer.from(shown), Buffer.from(expected))) return undefined
  const [id = '', expires, size, contentType = ''] = Buffer.from(said, 'base64url').toString().split(' ')
  return { id, expiresAt: new Date(Number(expires)), size: Number(size), contentType }
}

const seal = (said: string) => new Bun.CryptoHasher('sha256', KEY).update(`PUT\n${said}`).digest('base64url')
