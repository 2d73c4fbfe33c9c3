import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { apiUrl, type Json } from '../support/api'
import { demandPackage, hasModule, PYTHON } from '../support/packages'
import { HOSTILE_TITLE, openNewsroom } from './newsroom'

beforeAll(() => demandPackage('python3-feedparser', hasModule('feedparser')))

const script = join(import.meta.dir, 'read-feed.py')

/** Python must not block the server, which runs in this very process. */
async function parse(url: string, etag = '', modified = ''): Promise<Json> {
  const child = Bun.spawn([PYTHON, script, url, etag, modified], { stdout: 'pipe', stderr: 'inherit' })
  const text = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return JSON.parse(text)
}

const idsOf = ({ entries }: Json) => entries.map(({ id }: Json) => id).sort()

const FORMATS = [
  ['rss', 'rss20'],
  ['atom', 'atom10'],
] as const

test.each(FORMATS)('feedparser reads %s twice and sees nothing new', async (format, version) => {
  const room = await openNewsroom()
  const url = apiUrl() + room.path(format)
  const once = await parse(url)
  expect(once).toMatchObject({ status: 200, bozo: false, why: '', version })
  expect(idsOf(once)).toEqual(room.ids)
  expect(once.links.map(([rel]: [string]) => rel).toSorted()).toEqual(['alternate', 'hub', 'self'])
  expect(JSON.stringify(once.entries.map(({ content }: Json) => content))).not.toContain('<script')
  expect(once.entries.filter(({ title }: Json) => title.startsWith(HOSTILE_TITLE))).toHaveLength(1)

  const first = once.entries.find(({ id }: Json) => id.endsWith(room.first.id))
  expect(first).toMatchObject({
    ...(format === 'rss' && { guidislink: false }),
    author: 'Rust & Lisbon',
    tags: ['rust', 'a&b'],
    enclosures: [{ href: 'https://moot.example/uploads/a.jpg?w=1&h=2', type: 'image/jpeg' }],
  })
  expect(first.link).toEndWith(`/events/${room.first.id}`)
  expect(once.entries.filter(({ title }: Json) => title.startsWith('Cancelled: Third'))).toHaveLength(1)

  for (const held of [
    [once.etag, ''],
    ['', once.modified],
  ])
    expect(await parse(url, ...held)).toMatchObject({ status: 304, bozo: false, entries: [] })
  expect(await parse(url)).toEqual(once)
})

test.each(FORMATS)('an edited event is the same entry of %s for feedparser', async (format) => {
  const room = await openNewsroom()
  const url = apiUrl() + room.path(format)
  const before = await parse(url)
  expect((await room.retitle('Another title')).status).toBe(200)
  const edited = await parse(url, before.etag)
  expect(edited).toMatchObject({ status: 200, bozo: false })
  expect(idsOf(edited)).toEqual(room.ids)
  const entryIn = ({ entries }: Json) => entries.find(({ id }: Json) => id.endsWith(room.first.id))
  expect(entryIn(edited).title).toStartWith('Another title · ')
  expect(entryIn(edited).published).toBe(entryIn(before).published)
  if (format === 'atom') expect(entryIn(edited).updated > entryIn(before).updated).toBe(true)

  expect((await room.cancel()).status).toBe(200)
  const cancelled = await parse(url, edited.etag)
  expect(idsOf(cancelled)).toEqual(room.ids)
  expect(entryIn(cancelled).title).toStartWith('Cancelled: Another title · ')
})
