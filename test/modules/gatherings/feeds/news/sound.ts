import { expect } from 'bun:test'
import type { FeedEvent, FeedHead } from '@/modules/gatherings/feeds/feed'
import { renderAtom } from '@/modules/gatherings/feeds/news/atom'
import { renderJson } from '@/modules/gatherings/feeds/news/json'
import { renderRss } from '@/modules/gatherings/feeds/news/rss'
import { all, type Element, everyone, one, readXml, textOf } from './strict-xml'

/** What a reader must be able to rely on, whatever people typed. Each throws or fails where it is not so. */
export async function mustBeSound(head: FeedHead, events: FeedEvent[]) {
  const [rss, atom, json] = await Promise.all([
    renderRss(head, events),
    renderAtom(head, events),
    renderJson(head, events),
  ])
  soundRss(rss, head, events)
  soundAtom(atom, head, events)
  soundJson(json, head, events)
  return { rss, atom, json }
}

/** Whether XML 1.0 can carry it and a person can have typed it; written anew here, not taken from the code. */
const isReadable = (character: string) => {
  const code = character.codePointAt(0) as number
  if (code === 0x9 || code === 0xa) return true
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
}

export const typed = (text: string) =>
  [...text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')].filter(isReadable).join('')

/** The date is added to a title, and that it was cancelled. */
function mustSay(shown: string, event: FeedEvent) {
  const start = `${event.status === 'cancelled' ? 'Cancelled: ' : ''}${typed(event.title)} · `
  expect(shown.slice(0, start.length)).toBe(start)
  expect(shown.slice(start.length)).toMatch(
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d \([A-Za-z_/+-]+\)$/,
  )
}

const isWeb = (address: string | undefined) => /^https?:\/\/[^\s<>"]+$/.test(address ?? '')

const HTML: Record<string, string[]> = { p: [], br: [], strong: [], a: ['href', 'rel'], img: ['src', 'alt'] }

const VOUCHED_FOR_BY_NOBODY = 'noopener nofollow ugc'

/** Only our own few elements and attributes, and addresses of the web. */
function mustBeInert(html: string) {
  const found: string[] = []
  new HTMLRewriter()
    .on('*', {
      element(element) {
        const allowed = HTML[element.tagName]
        if (!allowed) found.push(element.tagName)
        for (const [name, value] of element.attributes) {
          if (!allowed?.includes(name)) found.push(`${element.tagName} ${name}`)
          else if (name === 'rel' ? value !== VOUCHED_FOR_BY_NOBODY : name !== 'alt' && !isWeb(value))
            found.push(`${name}="${value}"`)
        }
      },
      comments: () => void found.push('a comment'),
    })
    .transform(html)
  expect(found).toEqual([])
}

const newestFirst = (events: FeedEvent[]) =>
  events.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || (a.id < b.id ? -1 : 1))

const RSS = [
  ...['rss', 'channel', 'title', 'link', 'description', 'lastBuildDate', 'docs', 'generator', 'ttl'],
  ...['atom:link', 'sy:updatePeriod', 'sy:updateFrequency', 'item', 'guid', 'pubDate', 'content:encoded'],
  ...['category', 'enclosure', 'dc:creator'],
]
const ATTRIBUTES = [
  ...[
    'version',
    'xmlns',
    'xmlns:dc',
    'xmlns:content',
    'xmlns:atom',
    'xmlns:sy',
    'isPermaLink',
    'href',
    'rel',
  ],
  ...['type', 'url', 'length', 'term'],
]

function onlyKnown(root: Element, names: string[]) {
  const elements = everyone(root)
  expect(elements.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
  const attributes = elements.flatMap((element) => Object.keys(element.attributes))
  expect(attributes.filter((name) => !ATTRIBUTES.includes(name))).toEqual([])
  for (const { attributes } of elements)
    for (const name of ['href', 'url'])
      if (name in attributes) expect(attributes[name]).toSatisfy((address) => isWeb(address))
}

const RFC822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const tagsOf = ({ tags }: FeedEvent) =>
  tags.map((tag) => typed(tag).replace(/\s+/g, ' ').trim()).filter((tag) => tag !== '')

/** By RSS 2.0 and the profile of the RSS Advisory Board. */
function soundRss(rss: string, head: FeedHead, events: FeedEvent[]) {
  const root = readXml(rss)
  onlyKnown(root, RSS)
  expect(root).toMatchObject({ name: 'rss', attributes: { version: '2.0' } })
  const channel = one(root, 'channel')
  expect(textOf(channel, 'title')).toBe(typed(head.title))
  // A description is HTML, so what a person typed is text of HTML in a text of XML.
  expect(textOf(channel, 'description')).toBe(
    Bun.escapeHTML(typed(head.description)).replaceAll('&#x27;', '&#39;'),
  )
  expect(textOf(channel, 'link')).toSatisfy(isWeb)
  expect(textOf(channel, 'lastBuildDate')).toMatch(RFC822)
  const self = all(channel, 'atom:link').filter(({ attributes }) => attributes.rel === 'self')
  expect(self.map(({ attributes }) => attributes.href)).toEqual([head.addresses.rss])
  const items = all(channel, 'item')
  expect(items.map((item) => textOf(item, 'guid'))).toEqual(
    newestFirst(events).map(({ id }) => `urn:uuid:${id}`),
  )
  for (const [i, event] of newestFirst(events).entries()) {
    const item = items[i] as Element
    mustSay(textOf(item, 'title'), event)
    expect(one(item, 'guid').attributes.isPermaLink).toBe('false')
    expect(textOf(item, 'link')).toSatisfy(isWeb)
    expect(textOf(item, 'pubDate')).toMatch(RFC822)
    expect(all(item, 'category').map(({ text }) => text)).toEqual(tagsOf(event))
    expect(all(item, 'enclosure').length).toBeLessThanOrEqual(1)
    for (const { attributes } of all(item, 'enclosure')) {
      expect(attributes.length).toBe('0')
      expect(attributes.type).toMatch(/^image\/(jpeg|png|gif|webp|avif)$/)
    }
    mustBeInert(textOf(item, 'description'))
    mustBeInert(textOf(item, 'content:encoded'))
  }
}

const ATOM = [
  ...[
    'feed',
    'id',
    'title',
    'updated',
    'generator',
    'author',
    'name',
    'link',
    'subtitle',
    'entry',
    'summary',
  ],
  ...['content', 'category', 'published'],
]
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NS = 'http://www.w3.org/2005/Atom'

/** By RFC 4287: what is required, what may stand only once, what is not empty. */
function soundAtom(atom: string, head: FeedHead, events: FeedEvent[]) {
  const feed = readXml(atom)
  onlyKnown(feed, ATOM)
  expect(everyone(feed).filter(({ namespace }) => namespace !== NS)).toEqual([])
  expect(textOf(feed, 'id')).toBe(head.addresses.atom)
  expect(textOf(feed, 'title')).toBe(typed(head.title))
  expect(textOf(feed, 'updated')).toMatch(RFC3339)
  expect(one(one(feed, 'author'), 'name')).toBeDefined()
  const rels = all(feed, 'link').map(({ attributes }) => attributes.rel)
  expect(rels.toSorted()).toEqual(head.hubUrl ? ['alternate', 'hub', 'self'] : ['alternate', 'self'])
  const entries = all(feed, 'entry')
  expect(entries.map((entry) => textOf(entry, 'id'))).toEqual(
    newestFirst(events).map(({ id }) => `urn:uuid:${id}`),
  )
  for (const [i, event] of newestFirst(events).entries()) {
    const entry = entries[i] as Element
    expect(one(entry, 'title').attributes).toEqual({ type: 'text' })
    for (const name of ['summary', 'content']) expect(one(entry, name).attributes).toEqual({ type: 'html' })
    mustSay(textOf(entry, 'title'), event)
    expect(textOf(entry, 'updated')).toMatch(RFC3339)
    expect(textOf(entry, 'published')).toMatch(RFC3339)
    expect(textOf(entry, 'published') <= textOf(entry, 'updated')).toBe(true)
    expect(textOf(one(entry, 'author'), 'name')).toBe(typed(event.group.name) || typed(event.group.urlname))
    // XML reads line feeds and tabs of attributes as spaces; tags have been lines before.
    expect(all(entry, 'category').map(({ attributes }) => attributes.term)).toEqual(tagsOf(event))
    const [alternate, ...enclosures] = all(entry, 'link')
    expect(Object.keys(alternate?.attributes ?? {})).toEqual(['href'])
    expect(enclosures.length).toBeLessThanOrEqual(1)
    for (const { attributes } of enclosures) {
      expect(attributes.rel).toBe('enclosure')
      expect(attributes.type).toMatch(/^image\/(jpeg|png|gif|webp|avif)$/)
    }
    for (const name of ['summary', 'content']) mustBeInert(textOf(entry, name))
  }
}

/** By JSON Feed 1.1. */
function soundJson(json: string, head: FeedHead, events: FeedEvent[]) {
  expect(json.isWellFormed()).toBe(true)
  const feed = JSON.parse(json)
  expect(feed.version).toBe('https://jsonfeed.org/version/1.1')
  expect(feed.title).toBe(typed(head.title))
  expect(feed.feed_url).toBe(head.addresses.json)
  const known = ['version', 'title', 'home_page_url', 'feed_url', 'description', 'hubs', 'items']
  expect(Object.keys(feed).filter((key) => !known.includes(key))).toEqual([])
  expect(feed.items.map(({ id }: { id: string }) => id)).toEqual(
    newestFirst(events).map(({ id }) => `urn:uuid:${id}`),
  )
  for (const [i, event] of newestFirst(events).entries()) {
    const item = feed.items[i]
    mustSay(item.title, event)
    expect(item.url).toSatisfy(isWeb)
    if ('image' in item) expect(item.image).toSatisfy(isWeb)
    expect(item.tags).toEqual(tagsOf(event))
    expect(item.date_published).toMatch(RFC3339)
    expect(item.date_modified).toMatch(RFC3339)
    expect(item.authors).toEqual([{ name: typed(event.group.name) || typed(event.group.urlname) }])
    expect(typeof item.summary).toBe('string')
    expect(JSON.stringify(item).isWellFormed()).toBe(true)
    mustBeInert(item.content_html)
  }
}
