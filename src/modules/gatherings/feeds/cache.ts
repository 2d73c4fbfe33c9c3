import { nowMs } from '@/core/clock'
import { gate } from '@/core/gate'
import { db } from '@/db/client'
import { type CachedBody, cachedBody } from '@/http/encodings'
import { groupToInvalidate } from '@/modules/gatherings/events/cache'
import { cache } from '@/outbox/cache'
import { type FeedAddress, isFiltered } from './address'
import { budget } from './budget'
import { encodeInTurns } from './encode'
import { type FeedHead, FORMATS, type Format } from './feed'
import { feedOwnerToInvalidate } from './invalidation'
import { findVersion, recordVersion } from './queries'
import { render } from './render'
import { find, select } from './select'

/** Row limits. Filtered feeds stop being recorded first, because clients can request any number of filters. */
const FEEDS_MAX = 200_000
const FILTERED_MAX = 5000

/**
 * When the feed's current bytes first appeared. Stored for all processes, because the remaining events do not reveal when others
 * left. An unrecorded feed counts as changed now, which costs a reader one more download.
 */
async function changedAt(address: string, etag: string, isFiltered: boolean): Promise<number> {
  const key = new Bun.CryptoHasher('sha256').update(address).digest()
  const known =
    (await findVersion(key, etag)) ??
    (await recordVersion(db, key, etag, isFiltered ? FILTERED_MAX : FEEDS_MAX))
  return Math.floor((known?.getTime() ?? nowMs()) / 1000) * 1000
}

/** A cached feed: its validators, and its body as long as the byte budget allows. */
export type CachedFeed = {
  etag: string
  lastModifiedMs: number
  lastModified: string
  link: string
  body: CachedBody | null
  groupIds: ReadonlySet<string> | null
  endsAt: number
}

const MAX_AGE_MS = 15 * 60_000

type Terms = {
  feeds: number
  bytes: number
  /** Limits concurrent renders, so that uncached feeds cannot monopolize the database. */
  making: Parameters<typeof gate>[0]
}

function feedCache({ feeds: max, bytes, making }: Terms) {
  const pass = gate(making)
  const { hold } = budget<CachedFeed>(bytes)

  const feeds = cache<CachedFeed>({
    max,
    maxAgeMs: MAX_AGE_MS,
    endsAt: (feed) => feed.endsAt,
    load: make,
    drops: (message, drop) => {
      const personId = feedOwnerToInvalidate(message)
      if (personId !== undefined) for (const format of FORMATS) drop.key(keyOf(ownFeed(personId), format))
      const groupId = groupToInvalidate(message)
      if (groupId !== undefined) drop.where(({ groupIds }) => groupIds === null || groupIds.has(groupId))
      // Deleting a user may delete groups and RSVPs without further domain events.
      if (message.type === 'user.deleted') drop.all()
    },
  })

  async function make(key: string): Promise<CachedFeed> {
    const { address, format } = fromKey(key)
    // A 404 must not wait in the render queue.
    const found = await find(address)
    const { head, groupIds, endsAt, bytes } = await pass(async () => {
      const selection = await select(found)
      return {
        ...selection,
        bytes: await encodeInTurns(await render(format, selection.head, selection.events)),
      }
    })
    const body = cachedBody(bytes, () => hold(feed))
    const lastModifiedMs = await changedAt(key, body.etag, isFiltered(address))
    const feed: CachedFeed = {
      etag: body.etag,
      lastModifiedMs,
      lastModified: new Date(lastModifiedMs).toUTCString(),
      link: linkOf(head, format),
      body,
      groupIds,
      endsAt,
    }
    hold(feed)
    return feed
  }

  /** Renders again if the body was evicted. */
  function withBody(key: string, feed: CachedFeed): CachedFeed | Promise<CachedFeed> {
    if (feed.body !== null) {
      hold(feed)
      return feed
    }
    feeds.drop.key(key)
    return feeds.get(key)
  }

  return { get: feeds.get, peek: feeds.peek, withBody }
}

const MB = 1024 ** 2
const PATIENCE_MS = 8000

/** Clients can request any number of filters, so filtered feeds have their own cache and queue. */
const filtered = feedCache({
  feeds: 2000,
  bytes: 8 * MB,
  making: { atOnce: 2, waitingMax: 200, patienceMs: PATIENCE_MS },
})
const others = feedCache({
  feeds: 20_000,
  bytes: 16 * MB,
  making: { atOnce: 3, waitingMax: 1000, patienceMs: PATIENCE_MS },
})

/** Personal calendars mostly revalidate and get 304, which needs no body: a small byte budget is enough. */
const own = feedCache({
  feeds: 20_000,
  bytes: MB / 2,
  making: { atOnce: 2, waitingMax: 1000, patienceMs: PATIENCE_MS },
})

function cacheOf(address: FeedAddress) {
  if (address.kind === 'person') return own
  return isFiltered(address) ? filtered : others
}

const ownFeed = (userId: string): FeedAddress => ({ kind: 'person', userId })

const keyOf = (address: FeedAddress, format: Format) => `${format} ${JSON.stringify(address)}`

const fromKey = (key: string): { format: Format; address: FeedAddress } => {
  const space = key.indexOf(' ')
  return { format: key.slice(0, space) as Format, address: JSON.parse(key.slice(space + 1)) as FeedAddress }
}

export type NamedFeed = {
  address: FeedAddress
  format: Format
  key: string
}

export const feedOf = (address: FeedAddress, format: Format): NamedFeed => ({
  address,
  format,
  key: keyOf(address, format),
})

export const isCached = ({ address, key }: NamedFeed): boolean => cacheOf(address).peek(key) !== undefined

/** For revalidation: the body may be evicted. */
export const cachedFeed = ({ address, key }: NamedFeed): CachedFeed | Promise<CachedFeed> =>
  cacheOf(address).get(key)

export const feedWithBody = (
  { address, key }: NamedFeed,
  feed: CachedFeed,
): CachedFeed | Promise<CachedFeed> => cacheOf(address).withBody(key, feed)

const linkOf = ({ addresses, hubUrl }: FeedHead, format: Format) =>
  `<${addresses[format]}>; rel="self"${hubUrl === null ? '' : `, <${hubUrl}>; rel="hub"`}`
