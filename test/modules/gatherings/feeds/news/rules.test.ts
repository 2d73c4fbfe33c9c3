import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { renderAtom } from '@/modules/gatherings/feeds/news/atom'
import { renderJson } from '@/modules/gatherings/feeds/news/json'
import { renderRss } from '@/modules/gatherings/feeds/news/rss'
import { HEAD, idOf, sample } from './samples'
import { mustBeSound } from './sound'
import { all, one, readXml, textOf } from './strict-xml'

afterEach(() => void setSystemTime())

const RENDERERS = { rss: renderRss, atom: renderAtom, json: renderJson }

const itemOf = async (fields: Partial<FeedEvent>) =>
  JSON.parse(await renderJson(HEAD, [sample(1, fields)])).items[0]
const contentOf = async (fields: Partial<FeedEvent>): Promise<string> => (await itemOf(fields)).content_html

test('a year before 100 is not one of the last century', async () => {
  const startTime = new Date('0050-06-01T12:00:00Z')
  expect(await contentOf({ startTime, timezone: 'Europe/Lisbon' })).toContain('1 Jun 50, 11:23')
})

for (const [format, render] of Object.entries(RENDERERS))
  describe(format, () => {
    test('the same events give the same bytes, in whatever order they come', async () => {
      const events = Array.from({ length: 60 }, (_, n) => sample(n))
      const first = await render(HEAD, events)
      expect(await render(HEAD, events.toReversed())).toBe(first)
      setSystemTime(new Date('2031-01-01T00:00:00Z'))
      expect(await render(HEAD, structuredClone(events))).toBe(first)
    })

    test('news of the same minute are sorted by id', async () => {
      const publishedAt = new Date('2026-05-01T00:00:00Z')
      const written = await render(
        HEAD,
        [3, 1, 2].map((n) => sample(n, { publishedAt })),
      )
      const places = [1, 2, 3].map((n) => written.indexOf(`urn:uuid:${idOf(n)}`))
      expect(places.every((place) => place > 0)).toBe(true)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    })

    test('a feed that announces no hub names none', async () => {
      expect(await render({ ...HEAD, hubUrl: null }, [sample(1)])).not.toContain('hub')
    })

    test('a long feed is written in turns', async () => {
      const events = Array.from({ length: 1000 }, (_, n) => sample(n, { description: 'Words. '.repeat(80) }))
      let turns = 0
      let done = false
      const count = () => {
        turns += 1
        if (!done) setImmediate(count)
      }
      setImmediate(count)
      await render(HEAD, events)
      done = true
      expect(turns).toBeGreaterThan(2)
    })
  })

test('the newest news come first, and the feed is as old as its last change', async () => {
  const events = [sample(1, { updatedAt: new Date('2026-06-01T10:00:00Z') }), sample(3), sample(2)]
  const { rss, atom } = await mustBeSound(HEAD, events)
  const channel = one(readXml(rss), 'channel')
  expect(all(channel, 'item').map((item) => textOf(item, 'guid'))).toEqual(
    [3, 2, 1].map((n) => `urn:uuid:${idOf(n)}`),
  )
  expect(textOf(channel, 'lastBuildDate')).toBe('Mon, 01 Jun 2026 10:00:00 GMT')
  expect(textOf(readXml(atom), 'updated')).toBe('2026-06-01T10:00:00.000Z')
})

test('an empty feed has a date, too, which is not the clock', async () => {
  const { rss, atom, json } = await mustBeSound(HEAD, [])
  expect(textOf(one(readXml(rss), 'channel'), 'lastBuildDate')).toBe('Sat, 01 Jan 2000 00:00:00 GMT')
  expect(textOf(readXml(atom), 'updated')).toBe('2000-01-01T00:00:00.000Z')
  expect(JSON.parse(json).items).toEqual([])
})

test('news are not dated after their last change', async () => {
  const item = await itemOf({
    publishedAt: new Date('2040-01-01T00:00:00Z'),
    updatedAt: new Date('2026-05-02T00:00:00Z'),
  })
  expect(item.date_published).toBe('2026-05-02T00:00:00.000Z')
})

test('an event keeps its id when everything else changes', async () => {
  const before = await itemOf({})
  const after = await itemOf({
    title: 'Other',
    url: 'https://other.example/e',
    startTime: new Date('2027-01-01T00:00:00Z'),
    updatedAt: new Date('2026-07-01T00:00:00Z'),
  })
  expect(after.id).toBe(before.id)
  expect(after.date_published).toBe(before.date_published)
  expect(after.date_modified).toBe('2026-07-01T00:00:00.000Z')
})

const TIMES: [timezone: string, start: string, end: string | null, shown: string][] = [
  ['Asia/Kathmandu', '2026-01-01T20:00:00Z', null, 'Fri 2 Jan 2026, 01:45 (Asia/Kathmandu)'],
  [
    'America/New_York',
    '2026-11-01T04:30:00Z',
    '2026-11-01T07:30:00Z',
    'Sun 1 Nov 2026, 00:30 to 02:30 (America/New_York)',
  ],
  [
    'Pacific/Apia',
    '2026-06-30T20:00:00Z',
    '2026-07-02T20:00:00Z',
    'Wed 1 Jul 2026, 09:00 to Fri 3 Jul 2026, 09:00 (Pacific/Apia)',
  ],
  ['UTC', '2026-02-28T00:00:00Z', '2026-02-28T23:59:00Z', 'Sat 28 Feb 2026, 00:00 to 23:59 (UTC)'],
  ['Nowhere/At_All', '2026-02-28T12:00:00Z', null, 'Sat 28 Feb 2026, 12:00 (UTC)'],
]

test.each(TIMES)('%s: when it is, on the clocks there', async (timezone, start, end, shown) => {
  const fields = { timezone, startTime: new Date(start), endTime: end === null ? null : new Date(end) }
  const item = await itemOf(fields)
  expect(item.content_html).toContain(`<p>When: ${shown}</p>`)
  expect(item.title).toEndWith(` · ${shown.replace(/ to .* \(/, ' (')}`)
  expect(item.summary).toContain(shown)
})

test('a cancelled event says so first, and why', async () => {
  const item = await itemOf({ status: 'cancelled', cancelReason: 'Rain, see https://ok.example/rain.' })
  expect(item.title).toStartWith('Cancelled: Event 1')
  expect(item._event.status).toBe('cancelled')
  expect(item.content_html).toStartWith(
    '<p><strong>Cancelled.</strong> Rain, see <a href="https://ok.example/rain" rel="noopener nofollow ugc">https://ok.example/rain</a>.</p>',
  )
})

test('their own feed tells people their answer and where to join', async () => {
  const onlineUrl = 'https://meet.example/a?b=1&c=2'
  expect(await contentOf({ answer: 'confirmed', eventType: 'online', onlineUrl })).toContain(
    '<p><strong>You have a seat.</strong></p>',
  )
  expect(await contentOf({ answer: 'confirmed', eventType: 'online', onlineUrl })).toContain(
    '<a href="https://meet.example/a?b=1&amp;c=2">',
  )
  expect(await contentOf({ answer: 'waitlisted' })).toContain('<strong>You are on the waitlist.</strong>')
  expect(await contentOf({ answer: null })).not.toContain('You ')
})

test('paragraphs, lines and addresses of a description', async () => {
  const content = await contentOf({
    description:
      'One\ntwo (https://ok.example/a_(b)).\n \n\n<b>Three</b>: HTTPS://OK.example/x?a=1&b=2, https://u:p@ok.example/!',
  })
  expect(content).toContain(
    '<p>One<br>two (<a href="https://ok.example/a_(b)" rel="noopener nofollow ugc">https://ok.example/a_(b)</a>).</p>' +
      '<p>&lt;b&gt;Three&lt;/b&gt;: <a href="https://ok.example/x?a=1&amp;b=2" rel="noopener nofollow ugc">HTTPS://OK.example/x?a=1&amp;b=2</a>, https://u:p@ok.example/!</p>',
  )
})

const PICTURES: [photoUrl: string | null, image: string | null, type: string | null][] = [
  ['https://ok.example/a.JPG', 'https://ok.example/a.JPG', 'image/jpeg'],
  ['https://ok.example/a.png?w=1&h=2', 'https://ok.example/a.png?w=1&h=2', 'image/png'],
  ['https://ok.example/a', 'https://ok.example/a', null],
  ['https://ok.example/a.html', 'https://ok.example/a.html', null],
  ['https://ok.example/?a.png', 'https://ok.example/?a.png', null],
  ['javascript:hostile()//a.png', null, null],
  ['not an address.png', null, null],
  [null, null, null],
]

test.each(PICTURES)('the picture %p', async (photoUrl, image, type) => {
  const { rss, atom, json } = await mustBeSound(HEAD, [sample(1, { photoUrl })])
  const item = JSON.parse(json).items[0]
  expect(item.image ?? null).toBe(image)
  expect(item.content_html.includes('<img')).toBe(image !== null)
  const enclosures = all(one(one(readXml(rss), 'channel'), 'item'), 'enclosure')
  expect(enclosures.map(({ attributes }) => attributes)).toEqual(
    image && type ? [{ url: image, type, length: '0' }] : [],
  )
  const [, ...links] = all(one(readXml(atom), 'entry'), 'link')
  expect(links.map(({ attributes }) => attributes)).toEqual(
    image && type ? [{ rel: 'enclosure', href: image, type }] : [],
  )
})

test('where an event is', async () => {
  expect(await contentOf({ eventType: 'online', venue: null })).toContain('<p>Where: Online</p>')
  expect(await contentOf({ eventType: 'physical', venue: null })).toContain('<p>Where: To be announced</p>')
  expect(await contentOf({ eventType: 'hybrid' })).toContain('Portugal, and online</p>')
})

test('a summary is short, whole characters and one line', async () => {
  const { summary } = await itemOf({ description: `a\n\n\tb ${'👍'.repeat(1000)}` })
  expect(summary).toContain('a b 👍')
  expect(summary.length).toBeLessThan(320)
  expect(summary).toEndWith('👍...')
})
