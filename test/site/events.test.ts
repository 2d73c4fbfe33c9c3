import { describe, expect, test } from 'bun:test'
import { randomHex } from '@/core/codes'
import { type Answer, get, patch, post } from '../support/api'
import { makeCaller, makeEvent, makeGroup } from '../support/make'
import { inHours } from '../support/time'

const HOSTILE = `"><script>alert(1)</script>&`

const linksIn = ({ text }: Answer) =>
  [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => (href as string).replaceAll('&amp;', '&'))

const titlesIn = ({ text }: Answer) =>
  [...text.matchAll(/<h3 dir="auto"><a [^>]*>(.*?)<\/a>/g)].map(([, title]) => title)

/** A group whose events no other test sees. */
async function aGroup() {
  const owner = await makeCaller(['manage:events'])
  const group = await makeGroup({}, owner.user.id)
  return { owner, group, path: `/events?group=${group.urlname}` }
}

describe('the list of events', () => {
  test('shows what comes by days, in two languages, and is the same bytes for strangers', async () => {
    const { group, path } = await aGroup()
    const soon = await makeEvent(group.id, {
      startTime: inHours(1),
      venueName: 'The Shed',
      venueCity: 'Berlin',
    })
    const later = await makeEvent(group.id, { startTime: inHours(24 * 9), maxAttendees: 3 })
    await makeEvent(group.id, { startTime: inHours(-30), title: 'Long ago', upstreamRsvpCount: 3 })
    await makeEvent(group.id, { status: 'draft', title: 'A draft' })
    const page = await get(path)
    expect(page.status).toBe(200)
    expect(titlesIn(page)).toEqual([soon.title, later.title])
    for (const said of ['The Shed, Berlin', '3 spots left', 'class="day"', group.name])
      expect(page.text).toContain(said)
    const german = await get(path, { headers: { 'accept-language': 'de' } })
    for (const said of ['Veranstaltungen', 'Noch 3 Plätze', 'Demnächst', 'Abonnieren'])
      expect(german.text).toContain(said)
    const etag = page.headers.get('etag') as string
    expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const past = await get(`${path}&status=past`)
    expect([titlesIn(past), past.text.includes('3 RSVPs'), past.text.includes('are going')]).toEqual([
      ['Long ago'],
      true,
      false,
    ])
  })

  test('follows what is published, changed and cancelled at once', async () => {
    const { owner, group, path } = await aGroup()
    expect((await get(path)).text).toContain('Nothing found')
    const made = await post(`/v1/manage/groups/${group.id}/events`, {
      token: owner.token,
      json: { title: 'First', startTime: inHours(50).toISOString(), timezone: 'UTC', status: 'published' },
    })
    expect(made.status).toBe(201)
    expect(titlesIn(await get(path))).toEqual(['First'])
    const at = `/v1/manage/groups/${group.id}/events/${made.body.data.id}`
    await patch(at, { token: owner.token, json: { title: 'Second' } })
    expect(titlesIn(await get(path))).toEqual(['Second'])
    await post(`${at}/cancel`, { token: owner.token, json: {} })
    expect(titlesIn(await get(path))).toEqual([])
  })

  test('goes on page by page, by links that programs know as well', async () => {
    const { group, path } = await aGroup()
    for (let i = 0; i < 23; i += 1)
      await makeEvent(group.id, { startTime: inHours(24 + i), title: `No ${i}.` })
    const first = await get(path)
    expect(titlesIn(first)).toHaveLength(20)
    const next = /<link rel="next" href="([^"]*)">/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') as string
    expect(linksIn(first).filter((href) => href === next)).toHaveLength(2)
    const second = await get(`/events${next}`)
    expect(titlesIn(second)).toEqual(['No 20.', 'No 21.', 'No 22.'])
    const back = /<link rel="prev" href="([^"]*)">/.exec(second.text)?.[1]?.replaceAll('&amp;', '&') as string
    expect(titlesIn(await get(`/events${back}`))).toEqual(titlesIn(first))
  })

  test('has filters in its address, and the feeds of the very same filter', async () => {
    const { group, path } = await aGroup()
    const word = randomHex(6)
    await makeEvent(group.id, { title: `Online ${word}`, eventType: 'online' })
    await makeEvent(group.id, {
      title: `Here ${word}`,
      venueName: 'A',
      venueCity: 'Porto',
      startTime: inHours(24 * 40),
    })
    expect(titlesIn(await get(`${path}&type=online`))).toEqual([`Online ${word}`])
    expect(titlesIn(await get(`${path}&city=porto`))).toEqual([`Here ${word}`])
    expect(titlesIn(await get(`/events?search=${word}`))).toHaveLength(2)
    const day = inHours(24 * 39)
      .toISOString()
      .slice(0, 10)
    const from = await get(`${path}&from=${day}&to=&type=&city=`)
    expect(titlesIn(from)).toEqual([`Here ${word}`])
    const feed = linksIn(from).find((href) => href.includes('/feeds/events.ics?')) as string
    expect(new URL(feed).searchParams.get('group')).toBe(group.urlname)
    const { pathname, search } = new URL(feed)
    const calendar = await get(pathname + search)
    expect(calendar.text).toContain(`Here ${word}`)
    expect(calendar.text).not.toContain(`Online ${word}`)
  })

  test('shows a month, with ways to the ones around it', async () => {
    const { group, path } = await aGroup()
    // The last hours of a month in one zone are the first of another elsewhere.
    const startTime = new Date('2031-01-31T23:30:00Z')
    await makeEvent(group.id, { title: 'In Lisbon', timezone: 'Europe/Lisbon', startTime })
    await makeEvent(group.id, { title: 'In Tokyo', timezone: 'Asia/Tokyo', startTime })
    const january = await get(`${path}&month=2031-01`)
    expect(titlesIn(january)).toEqual(['In Lisbon'])
    expect(january.text).toContain('Events in January 2031')
    expect(january.text).toContain('href="#day-2031-01-31"')
    expect(january.text.match(/<td/g)).toHaveLength(35)
    const next = linksIn(january).find((href) => href.includes('month=2031-02')) as string
    const february = await get(next)
    expect(titlesIn(february)).toEqual(['In Tokyo'])
    expect(february.text).toContain('href="#day-2031-02-01"')
    const german = await get(`${path}&month=2031-03`, { headers: { 'accept-language': 'de' } })
    expect(german.text).toContain('Veranstaltungen im März 2031')
    expect(german.text).toContain('In diesem Monat ist nichts geplant.')
  })

  test('passes over what makes no sense, and echoes nothing that was typed as markup', async () => {
    const odd = `/events?search=${encodeURIComponent(HOSTILE)}&group=${encodeURIComponent(HOSTILE)}&tag=${encodeURIComponent(HOSTILE)}`
    const page = await get(odd)
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<script>alert')
    expect(page.text).toContain('Nothing found')
    expect(page.text).toContain('Clear all filters')
    for (const query of [
      'month=2026-13',
      'month=0001-01',
      'from=2026-02-31',
      'to=yesterday',
      'type=odd',
      'status=odd',
      'featured=odd',
      `search=${'x'.repeat(300)}`,
      'search=%00',
      'city=a%0Ab',
    ])
      expect([query, (await get(`/events?${query}`)).status]).toEqual([query, 200])
    expect((await get('/events?cursor=odd')).status).toBe(400)
  })
})

test('over-long parameters are cut and not repeated in links', async () => {
  const usual = (await get('/events')).text.length
  for (const query of [
    `group=${'a-group,'.repeat(900)}`,
    `search=${'x'.repeat(7000)}`,
    'tag=kite&'.repeat(900),
  ]) {
    const { status, text } = await get(`/events?${query}`)
    expect([status, query.slice(0, 12), text.length < usual + 30_000]).toEqual([
      200,
      query.slice(0, 12),
      true,
    ])
  }
})
