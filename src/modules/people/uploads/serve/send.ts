import { invalidField, rangeNotSatisfiable } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { namedQualityOf, qualityOf } from '@/http/accept'
import { decodedRest } from '@/http/path-names'
import { matches, respond } from '@/http/respond'
import { queryOf, type Visit } from '@/http/visit'
import { storage } from '@/outbound/storage/current'
import { damaged } from '@/outbound/storage/damage'
import type { Range } from '@/outbound/storage/storage'
import { WIDTHS } from '../content/widths'
import { explainStorage } from '../failures'
import { isKey } from '../key'
import { notServed, servedFiles } from './cache'
import type { Served, Version } from './versions'

/** Bun sends a stream without its length, so what is small is read whole first. */
const WHOLE_MAX = 256 * 1024

export type Content = Uint8Array | Blob | ReadableStream<Uint8Array>

/** The content of a version, or a part of it; null when it is not there. At once, unless it comes over a network. */
export function contentOf(
  { object, size }: Version,
  range?: Range,
): Content | null | Promise<Content | null> {
  const found = storage.read(object, range, size)
  if (!(found instanceof Promise)) return found
  const length = range ? range.end - range.start : size
  return length > WHOLE_MAX ? found : found.then((stream) => stream && new Response(stream).bytes())
}

/** The file that the rest of a path names. It waits for nothing where the row is known and the file is on a disk. */
export function sendFile(visit: Visit, rest: string): Response | Promise<Response> {
  const known = servedFiles.peek(rest)
  if (known !== undefined) return send(visit, known)
  const key = decodedRest(rest)
  if (!isKey(key)) throw notServed()
  const served = servedFiles.get(key)
  return served instanceof Promise ? served.then((found) => send(visit, found)) : send(visit, served)
}

function send(visit: Visit, served: Served): Response | Promise<Response> {
  const { method, headers, url } = visit.request
  const version = versionFor(served, widthIn(url), headers)
  const known = headers.get('if-none-match')
  if (known !== null && matches(known, version.etag)) return respond(visit, 304, null, version.headers)
  return method === 'HEAD' ? sendHead(visit, version) : sendContent(visit, version)
}

async function sendHead(visit: Visit, { object, size, headers }: Version): Promise<Response> {
  const found = await storage.find(object).catch(explainStorage)
  if (found === null) throw missing(object)
  if (found.size !== size) explainStorage(damaged(object, found.size, size))
  return respond(visit, 200, ofLength(size), headers)
}

/** The framework reads the body of an answer to HEAD only to add up its length, which is known here. */
const ofLength = (byteLength: number) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength })
      controller.close()
    },
  })

function sendContent(visit: Visit, version: Version): Response | Promise<Response> {
  const { object, size, headers } = version
  const range = rangeIn(visit.request.headers, version)
  const send = (content: Content | null) => {
    if (content === null) throw missing(object)
    return range
      ? respond(visit, 206, content, headers, {
          'content-range': `bytes ${range.start}-${range.end - 1}/${size}`,
        })
      : respond(visit, 200, content, headers)
  }
  const content = contentOf(version, range)
  return content instanceof Promise ? content.then(send, explainStorage) : send(content)
}

/** A file whose row was ready: unless it has been deleted just now, it was lost. */
function missing(object: string) {
  warnSparingly('uploads: a file is missing that should be there', { object })
  return notServed()
}

const ALLOWED = new Map(WIDTHS.map((width) => [String(width), width]))

/** The width that an address asks for; other parameters mean nothing. */
function widthIn(url: string): number | undefined {
  const query = queryOf(url)
  if (query === '') return undefined
  const given = new URLSearchParams(query).getAll('w')
  if (given.length === 0) return undefined
  const width = given.length === 1 ? ALLOWED.get(given[0] as string) : undefined
  if (width === undefined) throw invalidField('w', `must be one of ${[...WIDTHS].reverse().join(', ')}`)
  return width
}

/** A picture that is not larger than the width, and what is no picture, is served as it is. */
function versionFor({ whole, smaller }: Served, width: number | undefined, headers: Headers): Version {
  const pair = width === undefined ? undefined : smaller.get(width)
  if (pair === undefined) return whole
  const { own, newer } = pair
  const accept = newer && headers.get('accept')
  return newer && accept && isPreferred(newer, own, accept) ? newer : own
}

/** The newer type is for those who name it and want the other no more. */
function isPreferred(newer: Version, own: Version, accept: string): boolean {
  const quality = namedQualityOf(accept, newer.contentType)
  return quality > 0 && quality >= qualityOf(accept, own.contentType)
}

/** Bun reads the header itself once more for a file that is sent whole, with blanks in these places: both must agree. */
const ONE_RANGE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

/**
 * The part that a `Range` asks for (RFC 9110, 14.2). Undefined means the whole: for what is malformed, for several ranges at once,
 * and where `If-Range` names another content.
 */
function rangeIn(headers: Headers, { size, etag }: { size: number; etag: string }): Range | undefined {
  const [, first, last] = ONE_RANGE.exec(headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const condition = headers.get('if-range')
  if (condition !== null && condition !== etag) return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (start >= size) throw rangeNotSatisfiable(size)
  return { start, end }
}
