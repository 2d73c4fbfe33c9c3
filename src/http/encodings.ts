import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { matches, respond } from './respond'
import type { Visit } from './visit'

type Smaller = 'br' | 'gzip'
type Encoding = Smaller | 'identity'
type Own = Readonly<Record<string, string>>

/** An encoded body. Each encoding has its own ETag, because it names bytes. */
export type Form = { bytes: Uint8Array; etag: string; encoding: Encoding }

/** Below this size compression saves no packet. */
const WORTHWHILE = 1000
/** Up to this size compression takes about half a millisecond. */
const AT_ONCE_MAX = 64 * 1024

/** A frequently sent body. Compressed on first demand and cached. */
export type CachedBody = {
  readonly etag: string
  /** The cached bytes of all encodings. */
  size(): number
  form(encoding: Encoding): Form | Promise<Form>
}

/** `onGrow` is called when another encoding is cached. */
export function cachedBody(bytes: Uint8Array, onGrow: () => void = () => {}): CachedBody {
  const plain: Form = { bytes, etag: etagOf(bytes), encoding: 'identity' }
  const forms = new Map<Encoding, Form | Promise<Form>>([['identity', plain]])
  if (bytes.byteLength < WORTHWHILE) for (const encoding of SMALLER) forms.set(encoding, plain)
  let size = bytes.byteLength

  function make(encoding: Smaller): Form | Promise<Form> {
    if (bytes.byteLength <= AT_ONCE_MAX) return keep(encoding, AT_ONCE[encoding](bytes))
    // Incompressible bodies are sent as they are.
    return IN_THREADS[encoding](bytes).then(
      (smaller) => keep(encoding, smaller),
      () => keep(encoding, bytes),
    )
  }

  function keep(encoding: Smaller, smaller: Uint8Array): Form {
    const made =
      smaller.byteLength < bytes.byteLength
        ? { bytes: smaller, etag: tagOf(plain.etag, encoding), encoding }
        : plain
    forms.set(encoding, made)
    if (made !== plain) size += smaller.byteLength
    onGrow()
    return made
  }

  return {
    etag: plain.etag,
    size: () => size,
    form(encoding) {
      let form = forms.get(encoding)
      if (form === undefined) {
        form = make(encoding as Smaller)
        if (!forms.has(encoding)) forms.set(encoding, form)
      }
      return form
    },
  }
}

const SMALLER = ['br', 'gzip'] as const

const tagOf = (etag: string, encoding: Encoding) => `${etag.slice(0, -1)}-${encoding}"`

const etagOf = (bytes: Uint8Array) => `"${Bun.hash.wyhash(bytes).toString(36)}"`

type Compress<R> = Record<Smaller, (bytes: Uint8Array) => R>

/** Both run in the thread pool. At these levels a large feed takes some tens of milliseconds, once. */
const IN_THREADS: Compress<Promise<Uint8Array>> = {
  gzip: (bytes) => compressed((done) => gzip(bytes, { level: LEVEL }, done)),
  br: (bytes) => compressed((done) => brotliCompress(bytes, brotli(5, bytes), done)),
}

/** Synchronous: the streams of a thread would be garbage for every personal feed. */
const AT_ONCE: Compress<Uint8Array> = {
  gzip: (bytes) => gzipSync(bytes, { level: LEVEL }),
  br: (bytes) => brotliCompressSync(bytes, brotli(4, bytes)),
}

const LEVEL = 6

const brotli = (quality: number, bytes: Uint8Array) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  },
})

const compressed = (begin: (done: (error: Error | null, result: Uint8Array) => void) => void) =>
  new Promise<Uint8Array>((resolve, reject) =>
    begin((error, result) => (error ? reject(error) : resolve(result))),
  )

/** The ETag by which a reader already has these bytes. */
export function knownTag(ifNoneMatch: string, etag: string): string | undefined {
  if (matches(ifNoneMatch, etag)) return etag
  return SMALLER.map((encoding) => tagOf(etag, encoding)).find((tag) => matches(ifNoneMatch, tag))
}

/** Sends a cached body in the best encoding. */
export async function respondCached(
  visit: Visit,
  body: CachedBody,
  kind: Own,
  more?: Own,
): Promise<Response> {
  const { bytes, etag, encoding } = await body.form(encodingFor(visit.request))
  const response = respond(visit, 200, bytes, kind, more)
  response.headers.set('etag', etag)
  if (encoding !== 'identity') response.headers.set('content-encoding', encoding)
  return response
}

/**
 * Sends a personal page, compressed unless another site requested it. Another site could choose what the page repeats, and learn
 * a secret beside it from the size (BREACH); browsers send the requesting site.
 */
export function respondOnce(visit: Visit, status: number, text: string, kind: Own, more?: Own): Response {
  const { request } = visit
  const encoding = isAskedFromHere(request) && text.length >= WORTHWHILE ? encodingFor(request) : 'identity'
  if (encoding === 'identity') return respond(visit, status, text, kind, more)
  const bytes = AT_ONCE[encoding](new TextEncoder().encode(text))
  return respond(visit, status, bytes, kind, {
    ...more,
    'content-encoding': encoding,
    vary: 'Accept-Encoding, Sec-Fetch-Site',
  })
}

const isAskedFromHere = ({ headers }: Request) =>
  ['same-origin', 'none'].includes(headers.get('sec-fetch-site') ?? '')

/** Few distinct headers exist: each is parsed once. */
const chosen = new Map<string, Encoding>()
const CHOSEN_MAX = 100

export function encodingFor({ headers }: Request): Encoding {
  const accept = headers.get('accept-encoding')
  if (accept === null) return 'identity'
  let encoding = chosen.get(accept)
  if (encoding === undefined) {
    encoding = choose(accept)
    if (chosen.size < CHOSEN_MAX) chosen.set(accept, encoding)
  }
  return encoding
}

/** By the reader's weights (RFC 9110, 12.5.3); the smaller encoding on a tie. */
function choose(accept: string): Encoding {
  const weights = new Map<string, number>()
  for (const entry of accept.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const of = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [br, zipped] = [of('br'), of('gzip')]
  const plain = weights.get('identity') ?? 0
  if (br > 0 && br >= zipped && br >= plain) return 'br'
  return zipped > 0 && zipped >= plain ? 'gzip' : 'identity'
}
