import type { S3Address } from '@/config/storage-address'
import { traceHeaders } from '@/core/trace'
import { refusalOf, unreached } from './failures'
import { EMPTY_HASH, presignedUrl, queryOf, signedHeaders } from './sign'

type Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty for the bucket itself. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: { file: Blob; sha256: string }
  /** Aborts a streamed body; without it, the body must arrive in time too. */
  stop?: AbortSignal
}

/** Timeouts of headers, and of an upload before them. */
const ANSWER_MS = 10_000
const UPLOAD_MS = 60_000
/** The minimum upload rate in bytes per millisecond. */
const SLOWEST = 1000
/** All requests are idempotent, and servers close idle connections. */
const ATTEMPTS = 2

/** Requests to one bucket, with path-style addresses, which every S3-compatible server understands. */
export function s3Client(address: S3Address, answerMs = ANSWER_MS) {
  const { endpoint, region, bucket, accessKey, secretKey } = address
  const keys = { accessKey, secretKey }
  const urlOf = (key: string, query: Record<string, string> = {}) => {
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  async function attempt({ method, key, query, headers = {}, body, stop }: Call): Promise<Response> {
    const url = urlOf(key, query)
    const request = { method, url, headers, at: new Date(), region, keys }
    const timeout = AbortSignal.timeout(body ? UPLOAD_MS + body.file.size / SLOWEST : answerMs)
    const late = new AbortController()
    const expire = () => late.abort(timeout.reason)
    timeout.addEventListener('abort', expire)
    const answer = await fetch(`${url.origin}${url.pathname}${url.search && `?${queryOf(url)}`}`, {
      method,
      // Not signed: some stores have proxies that change it.
      headers: {
        ...signedHeaders(request, body?.sha256 ?? EMPTY_HASH),
        'accept-encoding': 'identity',
        ...traceHeaders(),
      },
      body: body?.file,
      redirect: 'manual',
      decompress: false,
      signal: stop ? AbortSignal.any([late.signal, stop]) : late.signal,
    } as RequestInit)
    // The reader of a streamed body watches it.
    if (answer.ok && stop) timeout.removeEventListener('abort', expire)
    return answer
  }

  return {
    /** A successful response, or null for a missing key; else throws. */
    async call(call: Call): Promise<Response | null> {
      for (let left = ATTEMPTS - 1; ; left -= 1) {
        const answer = await attempt(call).catch((error: unknown) => unreached(error))
        if (answer instanceof Error) {
          if (left > 0 && !isTimeout(answer)) continue
          throw answer
        }
        if (answer.ok) return answer
        const { code, error } = await refusalOf(answer)
        if (answer.status === 404 && (code === 'NoSuchKey' || call.method === 'HEAD')) return null
        if (left === 0 || answer.status < 500 || answer.status === 507) throw error
      }
    },
    presign: (key: string, headers: Record<string, string>, lastsSeconds: number): string =>
      presignedUrl({ method: 'PUT', url: urlOf(key), headers, at: new Date(), region, keys }, lastsSeconds),
  }
}

export type S3Client = ReturnType<typeof s3Client>

const isTimeout = ({ cause }: Error) => (cause as { code?: string } | undefined)?.code === 'ETIMEDOUT'
