import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { get } from '../../../support/api'
import { idsIn, readFeed } from '../../../support/feeds'
import { makeCaller, makeEvent, makeGroup } from '../../../support/make'
import { inHours } from '../../../support/time'

const inDays = (days: number) => inHours(days * 24)

/** A group of its own with events of every kind. */
async function stage() {
  const viewer = await makeCaller(['read:events'])
  const tag = `tag-${randomHex(4)}`
  const city = `City ${randomHex(4)}`
  const group = await makeGroup({ isFeatured: true })
  const other = await makeGroup()
  const soon = await makeEvent(group.id, { tags: [tag], eventType: 'online' })
  const later = await makeEvent(group.id, { startTime: inDays(40), venueName: 'Hall', venueCity: city })
  const ongoing = await makeEvent(group.id, {
    startTime: inHours(-1),
    endTime: inHours(1),
    title: `Talk ${tag}`,
  })
  const past = await makeEvent(group.id, { startTime: inDays(-30), tags: [tag] })
  const old = await makeEvent(group.id, { startTime: inDays(-95) })
  const cancelled = await makeEvent(group.id, { status: 'cancelled', tags: [tag] })
  const draft = await makeEvent(group.id, { status: 'draft', tags: [tag] })
  const elsewhere = await makeEvent(other.id, { tags: [tag] })
  return { viewer, tag, city, group, other, soon, later, ongoing, past, old, cancelled, draft, elsewhere }
}

describe('a feed', () => {
  test('with the filters of a list has the events of that list', async () => {
    const { viewer, tag, city, group, other } = await stage()
    const both = `group=${group.urlname},${other.urlname}`
    for (const filter of [
      both,
      `${both}&status=upcoming`,
      `${both}&status=past`,
      `${both}&status=all`,
      `${both}&status=all&cancelled=include`,
      `${both}&cancelled=include`,
      `tag=${tag}`,
      `tag=${tag}&status=all`,
      `city=${encodeURIComponent(city.toLowerCase())}`,
      `search=${encodeURIComponent(`talk ${tag}`)}`,
      `${both}&type=online`,
      `${both}&from=${inDays(10).toISOString()}`,
      `${both}&to=${inDays(10).toISOString()}`,
      `${both}&status=all&from=${inDays(-40).toISOString()}&to=${inDays(1).toISOString()}`,
      `${both}&featured=true`,
    ]) {
      const list = await get(`/v1/events?limit=100&${filter}`, { token: viewer.token })
      const ids = (list.body.data as { id: string }[]).map(({ id }) => id).sort()
      expect(ids.length).toBeGreaterThan(0)
      const feed = await readFeed(`/feeds/events.json?${filter}`)
      expect({ filter, ids: idsIn(feed) }).toEqual({ filter, ids })
    }
  })

  test('without filters has the last ninety days, what comes, and what was cancelled', async () => {
    const { group, soon, later, ongoing, past, cancelled, draft } = await stage()
    const expected = [soon, later, ongoing, past, cancelled].map(({ id }) => id).sort()
    expect(idsIn(await readFeed(`/feeds/groups/${group.urlname}.json`))).toEqual(expected)
    expect(idsIn(await readFeed(`/feeds/groups/${group.urlname.toUpperCase()}.json?utm_source=x`))).toEqual(
      expected,
    )
    // Other tests leave more events behind than it can hold, so it has the one that began first.
    const all = idsIn(await readFeed('/feeds/events.json'))
    expect(all).toContain(ongoing.id)
    expect(all).not.toContain(draft.id)
  })

  test('of a group takes filters, and only of that group', async () => {
    const { group, other, soon } = await stage()
    const online = `/feeds/groups/${group.urlname}.json?type=online`
    expect(idsIn(await readFeed(online))).toEqual([soon.id])
    expect(idsIn(await readFeed(`${online}&group=${other.urlname}`))).toEqual([soon.id])
  })

  test('has one address, however it was asked for', async () => {
    const { group, tag } = await stage()
    const asked = `/feeds/events.json?tag=${tag}&status=all&group=${group.urlname.toUpperCase()},&utm_source=x`
    const { body } = await readFeed(asked)
    expect(body.feed_url).toBe(
      `http://localhost/feeds/events.json?group=${group.urlname}&status=all&tag=${tag}`,
    )
  })

  test('keeps what comes when there is more than it can hold', async () => {
    const group = await makeGroup()
    await db.execute(sql`insert into events (id, group_id, title, timezone, status, published_at, start_time, over_at)
      select uuidv7(), ${group.id}::uuid, 'Event ' || n, 'Europe/Berlin', 'published', now(),
        now() + n * interval '1 hour', now() + (n + 3) * interval '1 hour' from generate_series(-600, 600) n`)
    const { body } = await readFeed(`/feeds/groups/${group.urlname}.json`)
    const numbers = (body.items as { title: string }[]).map(({ title }) =>
      Number(/Event (-?\d+)/.exec(title)?.[1]),
    )
    expect(numbers.length).toBe(1000)
    expect(Math.max(...numbers)).toBe(600)
    expect(Math.min(...numbers)).toBe(-399)
  })

  test('shows the beginning of a long text', async () => {
    const group = await makeGroup()
    await makeEvent(group.id, { description: `${'word 😀 '.repeat(1500)}end` })
    const { body } = await readFeed(`/feeds/groups/${group.urlname}.json`)
    const html = body.items[0].content_html as string
    expect(html.length).toBeGreaterThan(1500)
    expect(html.length).toBeLessThan(2500)
    expect(html).toContain(' …')
    expect(html.isWellFormed()).toBe(true)
  })

  test('is named after its filters', async () => {
    const { body } = await readFeed('/feeds/events.json?tag=rust&city=Lisbon&type=online&search=tea')
    expect(body.title).toBe('Events · rust · Lisbon · “tea” · online · Folkmoot')
  })

  test('is refused in words where there is none', async () => {
    const hidden = await makeGroup({ isListed: false })
    const refusals: [string, number][] = [
      ['/feeds/events.xml', 404],
      ['/feeds/events', 404],
      ['/feeds/.ics', 404],
      ['/feeds/other.ics', 404],
      ['/feeds/groups/nobody-here.ics', 404],
      [`/feeds/groups/${hidden.urlname}.ics`, 404],
      ['/feeds/groups/%00.ics', 404],
      ['/feeds/me/fm_feed_nonsense.ics', 404],
      ['/feeds/events.ics?status=soon', 400],
      ['/feeds/events.ics?from=yesterday', 400],
      ['/feeds/events.ics?tag=a&tag=b', 400],
      [`/feeds/events.ics?search=${'x'.repeat(101)}`, 400],
    ]
    for (const [path, status] of refusals) {
      const answer = await readFeed(path)
      expect({ path, status: answer.status }).toEqual({ path, status })
      expect(Object.keys(answer.body)).toEqual(['error', 'code'])
    }
    const [missing, unlisted] = [
      await readFeed('/feeds/groups/nobody-here.ics'),
      await readFeed(`/feeds/groups/${hidden.urlname}.ics`),
    ]
    expect(unlisted.text).toBe(missing.text)
  })

  test('goes by short names, too', async () => {
    for (const [name, format] of Object.entries({
      rss: 'rss',
      feed: 'rss',
      atom: 'atom',
      ics: 'ics',
      ical: 'ics',
    })) {
      const answer = await readFeed(`/${name}?type=online`)
      expect(answer.status).toBe(308)
      expect(answer.headers.get('location')).toBe(`/feeds/events.${format}?type=online`)
    }
    expect((await readFeed('/rss')).headers.get('location')).toBe('/feeds/events.rss')
  })
})
