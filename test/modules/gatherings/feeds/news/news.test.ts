import { expect, test } from 'bun:test'
import { renderAtom } from '@/modules/gatherings/feeds/news/atom'
import { renderJson } from '@/modules/gatherings/feeds/news/json'
import { renderRss } from '@/modules/gatherings/feeds/news/rss'
import { HEAD, idOf, sample } from './samples'
import { all, one, readXml, textOf } from './strict-xml'

const EVENTS = [sample(2), sample(3), sample(1)]
const channelOf = (rss: string) => one(readXml(rss), 'channel')
const linksOf = (atom: string) => all(readXml(atom), 'link').map(({ attributes }) => attributes)

const WHEN = 'Sat 3 Oct 2026, 18:30 (Europe/Lisbon)'
const LASTS = 'Sat 3 Oct 2026, 18:30 to 20:30 (Europe/Lisbon)'

test('RSS says of itself where it is, how often to ask and which hub to hear', async () => {
  const channel = channelOf(await renderRss(HEAD, EVENTS))
  expect(textOf(channel, 'title')).toBe(HEAD.title)
  expect(textOf(channel, 'description')).toBe(HEAD.description)
  expect(textOf(channel, 'link')).toBe(HEAD.pageUrl)
  expect(textOf(channel, 'ttl')).toBe('60')
  expect(textOf(channel, 'sy:updatePeriod')).toBe('hourly')
  expect(all(channel, 'atom:link').map(({ attributes }) => attributes)).toEqual([
    { href: HEAD.addresses.rss, rel: 'self', type: 'application/rss+xml' },
    { href: 'https://moot.example/websub', rel: 'hub' },
  ])
})

test('RSS shows an event', async () => {
  const item = one(channelOf(await renderRss(HEAD, [sample(1)])), 'item')
  expect(textOf(item, 'title')).toBe(`Event 1 · ${WHEN}`)
  expect(one(item, 'guid')).toMatchObject({
    text: `urn:uuid:${idOf(1)}`,
    attributes: { isPermaLink: 'false' },
  })
  expect(textOf(item, 'link')).toBe(sample(1).url)
  expect(textOf(item, 'pubDate')).toBe('Fri, 01 May 2026 00:01:00 GMT')
  expect(textOf(item, 'category')).toBe('rust')
  expect(textOf(item, 'dc:creator')).toBe('Rust Lisbon')
  expect(one(item, 'enclosure').attributes).toEqual({
    url: 'https://moot.example/uploads/photo.webp',
    type: 'image/webp',
    length: '0',
  })
  expect(textOf(item, 'description')).toContain(LASTS)
  const content = textOf(item, 'content:encoded')
  expect(content).toContain(`<p>When: ${LASTS}</p>`)
  expect(content).toContain('<p>Where: Town Hall, Rua Augusta 1, Lisbon, 1100-048, Portugal</p>')
  expect(content).toContain('<img src="https://moot.example/uploads/photo.webp" alt="">')
})

test('Atom says of itself where it is and which hub to hear', async () => {
  const atom = await renderAtom(HEAD, EVENTS)
  expect(textOf(readXml(atom), 'id')).toBe(HEAD.addresses.atom)
  expect(linksOf(atom)).toEqual([
    { rel: 'alternate', href: HEAD.pageUrl },
    { rel: 'self', href: HEAD.addresses.atom },
    { rel: 'hub', href: 'https://moot.example/websub' },
  ])
})

test('Atom shows an event', async () => {
  const entry = one(
    readXml(await renderAtom(HEAD, [sample(1, { photoUrl: 'https://x.example/A.JPG' })])),
    'entry',
  )
  expect(textOf(entry, 'id')).toBe(`urn:uuid:${idOf(1)}`)
  expect(textOf(entry, 'title')).toBe(`Event 1 · ${WHEN}`)
  expect(textOf(entry, 'published')).toBe('2026-05-01T00:01:00.000Z')
  expect(textOf(entry, 'updated')).toBe('2026-05-02T00:01:00.000Z')
  expect(textOf(one(entry, 'author'), 'name')).toBe('Rust Lisbon')
  expect(one(entry, 'category').attributes).toEqual({ term: 'rust' })
  expect(all(entry, 'link').map(({ attributes }) => attributes)).toEqual([
    { href: sample(1).url },
    { rel: 'enclosure', href: 'https://x.example/A.JPG', type: 'image/jpeg' },
  ])
  expect(textOf(entry, 'content')).toContain(LASTS)
})

test('JSON Feed shows an event, for programs too', async () => {
  const feed = JSON.parse(await renderJson(HEAD, [sample(1, { answer: 'waitlisted' })]))
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    title: HEAD.title,
    home_page_url: HEAD.pageUrl,
    feed_url: HEAD.addresses.json,
    hubs: [{ type: 'WebSub', url: 'https://moot.example/websub' }],
  })
  expect(feed.items).toHaveLength(1)
  expect(feed.items[0]).toMatchObject({
    id: `urn:uuid:${idOf(1)}`,
    url: sample(1).url,
    title: `Event 1 · ${WHEN}`,
    date_published: '2026-05-01T00:01:00.000Z',
    date_modified: '2026-05-02T00:01:00.000Z',
    authors: [{ name: 'Rust Lisbon' }],
    tags: ['rust'],
    image: 'https://moot.example/uploads/photo.webp',
    _event: {
      start: '2026-10-03T17:30:00.000Z',
      end: '2026-10-03T19:30:00.000Z',
      timezone: 'Europe/Lisbon',
      status: 'published',
      type: 'physical',
      venue: { name: 'Town Hall', city: 'Lisbon', postal_code: '1100-048', latitude: 38.71 },
      group: 'Rust Lisbon',
      answer: 'waitlisted',
      calendar_url: HEAD.addresses.ics,
    },
  })
  expect(feed.items[0].summary).toStartWith('You are on the waitlist.')
})
