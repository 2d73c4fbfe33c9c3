import { invalidField, rangeNotSatisfiable } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { namedQualityOf, qualityOf } from '@/http/accept'
import { decodedRest } from '@/http/path-names'
import { matches, respond } from '@/http/respond'
import { queryOf, type Visit } from '@/http/visit'
import { storage } from '@/outbound/storage/current'
import { damaged, type Range } from '@/outbound/storage/storage'
import { WIDTHS } from '../content/content-types'
import { explainStorage } from '../failures'
import { isKey } from '../key'
import { notServed, servedFiles } from './cache'
import type { Served, Version } from './versions'

/** Bun sends streams without Content-Length, so small files are read whole. */
const WHOLE_MAX = 256 * 1024

export type Content = Uint8Array | Blob | ReadableStream<Uint8Array>

/** The content or a range; null if the object is missing. */
export async function contentOf({ object, size }: Version, range?: Range): Promise<Content | null> {
  const found = await storage.read(object, range, size)
  const length = range ? range.end - range.start : size
  return found instanceof ReadableStream && length <= WHOLE_MAX ? new Response(found).bytes() : found
}

/** Synchronous for a cached key, which is not decoded either: that buys 12 % of a 304. */
export function sendFile(visit: Visit, rest: string): Response | Promise<Response> {
  const known = servedFiles.peek(rest)
  return known === undefined ? findAndSend(visit, decodedRest(rest)) : send(visit, known)
}

async function findAndSend(visit: Visit, key: string): Promise<Response> {
  if (!isKey(key)) throw notServed()
  return send(visit, await servedFiles.get(key))
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

/** Elysia reads the body of a HEAD response only to sum up its length, which is known here. */
const ofLength = (byteLength: number) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength })
      controller.close()
    },
  })

async function sendContent(visit: Visit, version: Version): Promise<Response> {
  const { object, size, headers } = version
  const range = rangeIn(visit.request.headers, version)
  const content = await contentOf(version, range).catch(explainStorage)
  if (content === null) throw missing(object)
  return range
    ? respond(visit, 206, content, headers, {
        'content-range': `bytes ${range.start}-${range.end - 1}/${size}`,
      })
    : respond(visit, 200, content, headers)
}

/** The row was ready: the object is lost, unless it was deleted just now. */
function missing(object: string) {
  warnSparingly('uploads: a file is missing that should be there', { object })
  return notServed()
}

const ALLOWED = new Map(WIDTHS.map((width) => [String(width), width]))

/** Ignores other parameters. */
function widthIn(url: string): number | undefined {
  const query = queryOf(url)
  if (query === '') return undefined
  const given = new URLSearchParams(query).getAll('w')
  if (given.length === 0) return undefined
  const width = given.length === 1 ? ALLOWED.get(given[0] as string) : undefined
  if (width === undefined) throw invalidField('w', `must be one of ${[...WIDTHS].reverse().join(', ')}`)
  return width
}

/** Serves the original if it is no image or not wider. */
function versionFor({ whole, smaller }: Served, width: number | undefined, headers: Headers): Version {
  const pair = width === undefined ? undefined : smaller.get(width)
  if (pair === undefined) return whole
  const { own, newer } = pair
  const accept = newer && headers.get('accept')
  return newer && accept && isPreferred(newer, own, accept) ? newer : own
}

/** Only for clients that name the modern type and do not prefer the original one. */
function isPreferred(newer: Version, own: Version, accept: string): boolean {
  const quality = namedQualityOf(accept, newer.contentType)
  return quality > 0 && quality >= qualityOf(accept, own.contentType)
}

/** Bun parses Range again for whole files and allows blanks in these places: both must agree. */
const ONE_RANGE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

/**
 * The range to send (RFC 9110, 14.2). Undefined means the whole file: for malformed or multiple ranges, and if `If-Range` does not
 * match.
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
