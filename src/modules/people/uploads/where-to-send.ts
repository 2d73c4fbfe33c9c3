import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import { nowMs } from '@/core/clock'
import { storage } from '@/outbound/storage/current'
import { explainStorage } from './failures'
import { incomingName } from './objects'

/** The signed terms of an upload URL. */
export type Terms = { id: string; expiresAt: Date; size: number; contentType: string }

export const ADDRESS_MS = 15 * 60_000

const KEY = new Bun.CryptoHasher('sha256', config.secretKey).update('signed\nupload').digest()

/** For one PUT: signs method, row, exact length, exact type and expiry. */
export function addressFor({ id, expiresAt, size, contentType }: Terms): string {
  const said = Buffer.from([id, expiresAt.getTime(), size, contentType].join(' ')).toString('base64url')
  return `${config.baseUrl}/uploads/${said}.${seal(said)}`
}

/** Returns undefined unless the signature is valid. */
export function openAddress(token: string): Terms | undefined {
  const [said = '', shown = ''] = token.split('.')
  const expected = seal(said)
  // Compares text, not bytes: the last base64 character has unused bits.
  if (token !== `${said}.${shown}` || shown.length !== expected.length) return undefined
  if (!timingSafeEqual(Buffer.from(shown), Buffer.from(expected))) return undefined
  const [id = '', expires, size, contentType = ''] = Buffer.from(said, 'base64url').toString().split(' ')
  return { id, expiresAt: new Date(Number(expires)), size: Number(size), contentType }
}

const seal = (said: string) => new Bun.CryptoHasher('sha256', KEY).update(`PUT\n${said}`).digest('base64url')

/** A presigned upload sends no notification, so the worker polls. */
const FIRST_LOOK_MS = 1000

type Where = { uploadUrl: string; incoming: string | null; nextCheckAt: Date | null }

/** A presigned URL of the bucket if supported, else our own. */
export async function whereToSend(terms: Terms): Promise<Where> {
  if (!storage.presign) return { uploadUrl: addressFor(terms), incoming: null, nextCheckAt: null }
  const incoming = crypto.randomUUID()
  const uploadUrl = await storage
    .presign(incomingName(incoming), {
      length: terms.size,
      type: terms.contentType,
      lastsSeconds: Math.max(1, Math.floor((terms.expiresAt.getTime() - nowMs()) / 1000)),
    })
    .catch(explainStorage)
  return { uploadUrl, incoming, nextCheckAt: new Date(nowMs() + FIRST_LOOK_MS) }
}
