import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import { nowMs } from '@/core/clock'
import { storage } from '@/outbound/storage/current'
import { explainStorage } from './failures'
import { incomingName } from './key'

/** The signed terms of an upload URL. */
export type Terms = { id: string; expiresAt: Date; size: number; contentType: string }

export const UPLOAD_URL_MS = 15 * 60_000

const KEY = new Bun.CryptoHasher('sha256', config.secretKey).update('signed\nupload').digest()

/** For one PUT: signs method, row, exact length, exact type and expiry. */
export function signedUrl({ id, expiresAt, size, contentType }: Terms): string {
  const payload = Buffer.from([id, expiresAt.getTime(), size, contentType].join(' ')).toString('base64url')
  return `${config.baseUrl}/uploads/${payload}.${sign(payload)}`
}

/** Returns undefined unless the signature is valid. */
export function readUploadUrl(token: string): Terms | undefined {
  const [payload = '', signature = ''] = token.split('.')
  const expected = sign(payload)
  // Compares text, not bytes: the last base64 character has unused bits.
  if (token !== `${payload}.${signature}` || signature.length !== expected.length) return undefined
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined
  const [id = '', expires, size, contentType = ''] = Buffer.from(payload, 'base64url').toString().split(' ')
  return { id, expiresAt: new Date(Number(expires)), size: Number(size), contentType }
}

const sign = (payload: string) =>
  new Bun.CryptoHasher('sha256', KEY).update(`PUT\n${payload}`).digest('base64url')

/** A presigned upload sends no notification, so the worker polls. */
const FIRST_POLL_MS = 1000

type Target = { uploadUrl: string; incoming: string | null; nextCheckAt: Date | null }

/** A presigned URL of the bucket if supported, else our own. */
export async function uploadTarget(terms: Terms): Promise<Target> {
  if (!storage.presign) return { uploadUrl: signedUrl(terms), incoming: null, nextCheckAt: null }
  const incoming = crypto.randomUUID()
  const uploadUrl = await storage
    .presign(incomingName(incoming), {
      length: terms.size,
      type: terms.contentType,
      lastsSeconds: Math.max(1, Math.floor((terms.expiresAt.getTime() - nowMs()) / 1000)),
    })
    .catch(explainStorage)
  return { uploadUrl, incoming, nextCheckAt: new Date(nowMs() + FIRST_POLL_MS) }
}
