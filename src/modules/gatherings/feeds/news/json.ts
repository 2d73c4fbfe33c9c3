import { type Extension, Feed, type Item } from 'feed'
import { iso } from '@/core/shapes'
import type { FeedHead, Renderer } from '../feed'
import type { Entry } from './entry'
import { framed } from './frame'
import { readable } from './readable'

const VERSION = 'https://jsonfeed.org/version/1.1'

/** `feed` writes JSON Feed 1; the fields of 1.1 and our own are extensions. */
const field = (name: string, value: unknown): Extension => ({ name, objects: value as Extension['objects'] })

export const renderJson: Renderer = (head, events) => {
  const feed = new Feed({
    title: readable(head.title),
    description: readable(head.description),
    link: head.pageUrl,
    feedLinks: { json: head.addresses.json },
  })
  feed.addExtension(field('version', VERSION))
  if (head.hubUrl) feed.addExtension(field('hubs', [{ type: 'WebSub', url: head.hubUrl }]))
  const [before, , after] = cut(feed.json1())
  const bare = new Feed({ title: '' })
  return framed(events, {
    before,
    entry: (entry) => {
      bare.items = [itemOf(entry, head)]
      return cut(bare.json1())[1]
    },
    between: ',',
    after,
  })
}

const itemOf = (entry: Entry, head: FeedHead): Item => ({
  id: entry.id,
  link: entry.url ?? head.pageUrl,
  title: entry.title,
  description: entry.summary,
  content: entry.content,
  category: entry.tags.map((name) => ({ name })),
  date: entry.updated,
  published: entry.published,
  ...(entry.picture && { image: entry.picture.url }),
  extensions: [field('authors', [{ name: entry.author }]), field('_event', eventOf(entry, head))],
})

/** Machine-readable event data. */
function eventOf({ event }: Entry, head: FeedHead) {
  const { venue } = event
  return {
    start: iso(event.startTime),
    end: iso(event.endTime),
    timezone: event.timezone,
    status: event.status,
    type: event.eventType,
    venue: venue && {
      name: venue.name,
      address: venue.address,
      city: venue.city,
      state: venue.state,
      postal_code: venue.postalCode,
      country: venue.country,
      latitude: venue.latitude,
      longitude: venue.longitude,
    },
    group: event.group.name,
    ...(event.answer && { answer: event.answer }),
    calendar_url: head.addresses.ics,
  }
}

/** Unique: quotes inside texts are escaped. */
const ITEMS = '"items": ['

/** Splits the document before, at and after its items. */
function cut(written: string): [string, string, string] {
  const from = written.indexOf(ITEMS) + ITEMS.length
  const to = written.lastIndexOf(']')
  return [written.slice(0, from), written.slice(from, to).trimEnd(), written.slice(to)]
}
