import { nowMs } from '@/core/clock'
import { notFound } from '@/core/errors'
import { tooMuch } from '@/core/gate'
import { clientAddress } from '@/http/address'
import { knownTag, respondCached } from '@/http/encodings'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { ownerOfFeedToken } from '@/modules/access/feed-tokens/cache'
import { filtersIn, isFiltered, NO_FILTERS, splitName } from './address'
import { type CachedFeed, cachedFeed, feedOf, feedWithBody, isCached, type NamedFeed } from './cache'
import type { Format } from './feed'

/** Concurrent renders per client address. */
const RENDERS_PER_CLIENT = 6

const making = new Map<string, number>()

/** Caps concurrent feed renders per client address, so that one client cannot fill the shared queue. */
export async function withRenderLimit<T>(who: string, make: () => T | Promise<T>): Promise<T> {
  const before = making.get(who) ?? 0
  if (before >= RENDERS_PER_CLIENT) throw tooMuch()
  making.set(who, before + 1)
  try {
    return await make()
  } finally {
    const now = (making.get(who) ?? 1) - 1
    if (now > 0) making.set(who, now)
    else making.delete(who)
  }
}

type Own = Readonly<Record<string, string>>

export const CONTENT_TYPES: Record<Format, string> = {
  ics: 'text/calendar; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

const headersOf = (format: Format, more: Record<string, string>) => ({
  'content-type': CONTENT_TYPES[format],
  vary: 'Accept-Encoding',
  ...more,
})

const eachFormat = (more: Record<string, string>) => ({
  ics: headersOf('ics', more),
  rss: headersOf('rss', more),
  atom: headersOf('atom', more),
  json: headersOf('json', more),
})

const PUBLIC = eachFormat({ 'cache-control': 'public, max-age=300' })
const OWN = eachFormat({ 'cache-control': 'private, max-age=300', 'x-robots-tag': 'noindex' })

/** Most readers request `/feeds/events.{format}` without filters, so that key is computed once. */
export function eventsSender(format: Format) {
  const all = feedOf({ kind: 'events', filters: NO_FILTERS }, format)
  return (visit: Visit) => {
    const filters = filtersIn(visit.request.url)
    return sendFeed(visit, filters === NO_FILTERS ? all : feedOf({ kind: 'events', filters }, format))
  }
}

const GROUP_NAME = /^[\w.-]{1,100}$/

export function sendGroup(visit: Visit, { file = '' }: Record<string, string>) {
  const { name, format } = splitName(file)
  if (!GROUP_NAME.test(name)) throw notFound('Group')
  const { group: _, ...filters } = filtersIn(visit.request.url)
  return sendFeed(visit, feedOf({ kind: 'group', slug: name.toLowerCase(), filters }, format))
}

export async function sendOwn(visit: Visit, { file = '' }: Record<string, string>) {
  const { name, format } = splitName(file)
  const owner = await ownerOfFeedToken(name)
  if (owner === null) throw notFound('Feed')
  return sendFeed(visit, feedOf({ kind: 'person', userId: owner.userId }, format))
}

/** Async only if not cached: a promise costs 6 % of a 304. */
function sendFeed(visit: Visit, feed: NamedFeed): Response | Promise<Response> {
  const cached =
    isFiltered(feed.address) && !isCached(feed)
      ? withRenderLimit(clientAddress(visit.request), () => cachedFeed(feed))
      : cachedFeed(feed)
  return cached instanceof Promise
    ? cached.then((made) => answer(visit, feed, made))
    : answer(visit, feed, cached)
}

function answer(visit: Visit, feed: NamedFeed, cached: CachedFeed): Response | Promise<Response> {
  const kind = (feed.address.kind === 'person' ? OWN : PUBLIC)[feed.format]
  const etag = heldBy(visit.request.headers, cached)
  if (etag !== undefined) return respondUnchanged(visit, kind, cached, etag)
  return sendWhole(visit, feed, kind, cached)
}

async function sendWhole(visit: Visit, feed: NamedFeed, kind: Own, cached: CachedFeed): Promise<Response> {
  const whole = await feedWithBody(feed, cached)
  if (whole.body === null) throw new Error('a feed was sent without its bytes')
  return respondCached(visit, whole.body, kind, { link: whole.link, ...modified(whole) })
}

const PUBLIC_KINDS = new Set<Own>(Object.values(PUBLIC))

/** Headers of 304 responses, cached for public feeds. */
const unchanged = new WeakMap<CachedFeed, Own>()

function respondUnchanged(visit: Visit, kind: Own, feed: CachedFeed, etag: string) {
  const headers = etag === feed.etag ? unchanged.get(feed) : undefined
  if (headers !== undefined) return respond(visit, 304, null, headers)
  const more = modified(feed)
  if (etag === feed.etag && more !== undefined && PUBLIC_KINDS.has(kind))
    unchanged.set(feed, { ...kind, etag, ...more })
  return respond(visit, 304, null, kind, { etag, ...more })
}

/** The reader's ETag, if current. If-None-Match takes precedence over If-Modified-Since. */
function heldBy(headers: Headers, { etag, lastModified, lastModifiedMs }: CachedFeed): string | undefined {
  const known = headers.get('if-none-match')
  if (known !== null) return knownTag(known, etag)
  const since = headers.get('if-modified-since')
  if (since === null) return undefined
  return since === lastModified || lastModifiedMs <= Date.parse(since) ? etag : undefined
}

/** A feed that changes several times per second is dated ahead, and Last-Modified must not be in the future. */
const modified = ({ lastModified, lastModifiedMs }: CachedFeed) =>
  lastModifiedMs <= nowMs() ? { 'last-modified': lastModified } : undefined
