import { gate } from '@/core/gate'
import { type KeptBody, keptBody } from '@/http/encodings'
import { groupShownAnew } from '@/modules/gatherings/events/shown-anew'
import { cache } from '@/outbox/cache'
import { type FeedAddress, isFiltered } from './address'
import { budget } from './budget'
import { encodeInTurns } from './encode'
import { type FeedHead, FORMATS, type Format } from './feed'
import { personShownAnew } from './own-anew'
import { render } from './render'
import { find, select } from './select'
import { changedAt } from './versions'

/** A feed as it was last made: what tells whether a reader has it already, and its bytes for as long as there is room. */
export type KeptFeed = {
  etag: string
  lastModifiedMs: number
  lastModified: string
  /** For the `Link` header. */
  link: string
  body: KeptBody | null
  groupIds: ReadonlySet<string> | null
  endsAt: number
}

const MAX_AGE_MS = 15 * 60_000

type Terms = {
  feeds: number
  bytes: number
  /** Feeds that are not kept are made a few at a time: readers of many of them must not take the database from others. */
  making: Parameters<typeof gate>[0]
}

function keeper({ feeds: max, bytes, making }: Terms) {
  const pass = gate(making)
  const { hold } = budget<KeptFeed>(bytes)

  const feeds = cache<KeptFeed>({
    max,
    maxAgeMs: MAX_AGE_MS,
    endsAt: (feed) => feed.endsAt,
    load: make,
    drops: (message, drop) => {
      const personId = personShownAnew(message)
      if (personId !== undefined) for (const format of FORMATS) drop.key(keyOf(ownFeed(personId), format))
      const groupId = groupShownAnew(message)
      if (groupId !== undefined) drop.where(({ groupIds }) => groupIds === null || groupIds.has(groupId))
      // Groups and answers may go with a person, without a word for each.
      if (message.type === 'user.deleted') drop.all()
    },
  })

  async function make(key: string): Promise<KeptFeed> {
    const { address, format } = fromKey(key)
    // What is not there says so at once, and waits behind nothing that takes long.
    const found = await find(address)
    const { head, groupIds, endsAt, bytes } = await pass(async () => {
      const selection = await select(found)
      return {
        ...selection,
        bytes: await encodeInTurns(await render(format, selection.head, selection.events)),
      }
    })
    const body = keptBody(bytes, () => hold(feed))
    const lastModifiedMs = await changedAt(key, body.etag, isFiltered(address))
    const feed: KeptFeed = {
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

  /** What has to be sent is made again where its bytes had to go. */
  function withBody(key: string, feed: KeptFeed): KeptFeed | Promise<KeptFeed> {
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

/** Strangers may invent any number of filters, so feeds that have some push out, and wait for, only each other. */
const filtered = keeper({
  feeds: 2000,
  bytes: 8 * MB,
  making: { atOnce: 2, waitingMax: 200, patienceMs: PATIENCE_MS },
})
const others = keeper({
  feeds: 20_000,
  bytes: 16 * MB,
  making: { atOnce: 3, waitingMax: 1000, patienceMs: PATIENCE_MS },
})

/** A person's calendar looks again when its bytes have long gone, and is told that nothing is new: few are worth their room. */
const own = keeper({
  feeds: 20_000,
  bytes: MB / 2,
  making: { atOnce: 2, waitingMax: 1000, patienceMs: PATIENCE_MS },
})

function keeperOf(address: FeedAddress) {
  if (address.kind === 'person') return own
  return isFiltered(address) ? filtered : others
}

const ownFeed = (userId: string): FeedAddress => ({ kind: 'person', userId })

const keyOf = (address: FeedAddress, format: Format) => `${format} ${JSON.stringify(address)}`

const fromKey = (key: string): { format: Format; address: FeedAddress } => {
  const space = key.indexOf(' ')
  return { format: key.slice(0, space) as Format, address: JSON.parse(key.slice(space + 1)) as FeedAddress }
}

/** A feed by its name. */
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

/** Whether it can be answered without making it. */
export const isKept = ({ address, key }: NamedFeed): boolean => keeperOf(address).peek(key) !== undefined

/** The feed as it is now, to be compared: its bytes may be gone. */
export const keptFeed = ({ address, key }: NamedFeed): KeptFeed | Promise<KeptFeed> =>
  keeperOf(address).get(key)

/** The same with its bytes. */
export const wholeFeed = ({ address, key }: NamedFeed, feed: KeptFeed): KeptFeed | Promise<KeptFeed> =>
  keeperOf(address).withBody(key, feed)

/** Where the feed is, and which hub tells of its changes (WebSub). */
const linkOf = ({ addresses, hubUrl }: FeedHead, format: Format) =>
  `<${addresses[format]}>; rel="self"${hubUrl === null ? '' : `, <${hubUrl}>; rel="hub"`}`
