import { createHash, createHmac } from 'node:crypto'
import type { Keys } from '@/config/storage-address'

/** A request to sign (AWS Signature Version 4). All its headers and `host` are signed. */
export type Signed = {
  method: string
  url: URL
  headers: Record<string, string>
  at: Date
  region: string
  keys: Keys
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** Replaces the body hash in a presigned address. */
const UNSIGNED = 'UNSIGNED-PAYLOAD'
export const EMPTY_HASH = createHash('sha256').digest('hex')

export function signedHeaders(request: Signed, bodyHash: string): Record<string, string> {
  const headers = {
    ...request.headers,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': timestamp(request.at),
  }
  const { names, signature } = signatureOf({ ...request, headers }, bodyHash)
  const credential = `${request.keys.accessKey}/${scopeOf(request)}`
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${credential},SignedHeaders=${names},Signature=${signature}`,
  }
}

/** An address that allows any holder this request, with exactly these headers and any body, until it expires. */
export function presignedUrl(request: Signed, lastsSeconds: number): string {
  const url = new URL(request.url)
  const terms = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${request.keys.accessKey}/${scopeOf(request)}`,
    'X-Amz-Date': timestamp(request.at),
    'X-Amz-Expires': String(lastsSeconds),
    'X-Amz-SignedHeaders': headersOf(request).names,
  }
  for (const [name, value] of Object.entries(terms)) url.searchParams.set(name, value)
  const { signature } = signatureOf({ ...request, url }, UNSIGNED)
  return `${url.origin}${url.pathname}?${queryOf(url)}&X-Amz-Signature=${signature}`
}

function signatureOf(request: Signed, bodyHash: string) {
  const { names, lines } = headersOf(request)
  const { method, url, at, region, keys } = request
  const canonical = [method, pathOf(url), queryOf(url), lines, names, bodyHash].join('\n')
  const text = [ALGORITHM, timestamp(at), scopeOf(request), sha256(canonical)].join('\n')
  const key = [dayOf(at), region, 's3', 'aws4_request'].reduce<Buffer>(
    hmac,
    Buffer.from(`AWS4${keys.secretKey}`),
  )
  return { names, signature: hmac(key, text).toString('hex') }
}

function headersOf({ url, headers }: Signed) {
  const sorted = Object.entries({ ...headers, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(byName)
  return {
    names: sorted.map(([name]) => name).join(';'),
    lines: sorted.map(([name, value]) => `${name}:${value}\n`).join(''),
  }
}

const pathOf = (url: URL) => url.pathname.split('/').map(decodeURIComponent).map(encode).join('/')

/** The query as signed and sent: `URLSearchParams` encodes some characters differently. */
export const queryOf = ({ searchParams }: URL): string =>
  [...searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) =>
  a < b ? -1 : a > b ? 1 : 0

/** Encodes all but the unreserved characters of RFC 3986. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

const timestamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '')
const dayOf = (at: Date) => timestamp(at).slice(0, 8)
const scopeOf = ({ at, region }: Signed) => `${dayOf(at)}/${region}/s3/aws4_request`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
