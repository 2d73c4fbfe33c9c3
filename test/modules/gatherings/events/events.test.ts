import { describe, expect, test } from 'bun:test'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { randomHex } from '@/core/codes'
import { wordsMatch } from '@/modules/gatherings/events/list/queries'
import { get, patch, post } from '../../../support/api'
import { makeCaller, makeEvent, makeGroup, makeMember } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { walk } from '../../../support/walk'

const DAY_MS = 86_400_000
const at = (days: number) => new Date(Date.now() + days * DAY_MS)
const titles = (answer: { body: { data: { title: string }[] } }) => answer.body.data.map(({ title }) => title)

/** A group of its own, so that other tests' events do not matter. */
async function stage() {
  const viewer = await makeCaller(['read:events', 'write:events'])
  const group = await makeGroup({ tags: ['x'] })
  const list = (query = '') =>
    get(`/v1/events?group=${group.urlname}${query && `&${query}`}`, { token: viewer.token })
  return { viewer, group, list }
}

describe('the list of events', () => {
  test('shows what is not over, by start, with every field of the specification', async () => {
    const { group, list } = await stage()
    const soon = await makeEvent(group.id, {
      title: 'Soon',
      tags: ['a', 'b'],
      maxAttendees: 9,
      description: 'Words',
    })
    await makeEvent(group.id, { title: 'Later', startTime: at(3) })
    await makeEvent(group.id, { title: 'Ongoing', startTime: at(-0.05), endTime: at(0.1) })
    await makeEvent(group.id, { title: 'Ongoing without an end', startTime: at(-0.1), endTime: null })
    await makeEvent(group.id, { title: 'Over without an end', startTime: at(-0.2), endTime: null })
    await makeEvent(group.id, { title: 'Draft', status: 'draft' })
    await makeEvent(group.id, { title: 'Cancelled', status: 'cancelled' })
    await makeEvent(group.id, { title: 'Long ago', startTime: at(-30) })
    const answer = await list()
    expect(titles(answer)).toEqual(['Ongoing without an end', 'Ongoing', 'Soon', 'Later'])
    expect(answer.body.data[2]).toEqual({
      id: soon.id,
      title: 'Soon',
      description: 'Words',
      dateTime: soon.startTime.toISOString(),
      endTime: soon.endTime?.toISOString(),
      timezone: 'Europe/Berlin',
      eventUrl: `http://localhost/events/${soon.id}`,
      platformEventUrl: null,
      photoUrl: null,
      eventType: 'physical',
      rsvpCount: 0,
      localRsvpCount: 0,
      upstreamRsvpCount: null,
      maxAttendees: 9,
      status: 'published',
      venue: null,
      tags: ['a', 'b'],
      group: { id: group.id, name: group.name, urlname: group.urlname },
    })
    expect(titles(await list('status=past'))).toEqual(['Over without an end', 'Long ago'])
    expect(titles(await list('status=past&direction=asc'))).toEqual(['Long ago', 'Over without an end'])
    expect(titles(await list('cancelled=include'))).toContain('Cancelled')
    expect((await list('status=all&cancelled=include')).body.data).toHaveLength(7)
    for (const query of ['status=all', 'status=all&cancelled=include', 'search=draft'])
      expect(titles(await list(query))).not.toContain('Draft')
  })

  test('is searched by words of title, description and venue, which follow every change', async () => {
    const { list, group } = await stage()
    const manager = await makeCaller(['manage:events'])
    await makeMember(group.id, manager.user.id, 'manager')
    const event = await makeEvent(group.id, {
      title: 'Offener Abend',
      description: 'Wir backen **Sauerteigbrot** und reden.\n\nBring a jar.',
      venueName: 'Gemeindehaus',
      venueAddress: 'Lindenstraße 7',
      venueCity: 'Freiburg im Breisgau',
    })
    await makeEvent(group.id, { title: 'Other' })
    const finds = async (search: string) =>
      titles(await list(`search=${encodeURIComponent(search)}`)).includes('Offener Abend')
    for (const search of [
      'sauerteigbrot',
      'SAUER',
      'gemeindehaus',
      'lindenstraße',
      'freiburg',
      'jar abend',
      'fene',
    ])
      expect([search, await finds(search)]).toEqual([search, true])
    for (const search of ['teigbrot', 'jar missing', "'); drop", '!!', "'", ':*', '&|', '\\'])
      expect([search, await finds(search)]).toEqual([search, false])
    const change = { description: 'Nothing but soup.' }
    const path = `/v1/manage/groups/${group.id}/events/${event.id}`
    expect((await patch(path, { token: manager.token, json: change })).status).toBe(200)
    expect([await finds('sauerteigbrot'), await finds('soup')]).toEqual([false, true])
  })

  test('is searched by an index for each condition', async () => {
    const client = postgres(process.env.DATABASE_URL as string, {
      max: 1,
      connection: { enable_seqscan: 'off' },
    })
    const scansFor = async (search: string) => {
      const { sql, params } = new PgDialect().sqlToQuery(wordsMatch(search) as SQL)
      const rows = await client.unsafe(
        `explain select event_id from event_words where ${sql}`,
        params as string[],
      )
      return rows.flatMap((row) => /Index Scan on (\w+)/.exec(String(row['QUERY PLAN']))?.[1] ?? [])
    }
    expect(await scansFor('sour bread')).toEqual(['event_words_search', 'event_words_title'])
    // Two letters have no trigram: titles would be read one by one.
    expect(await scansFor('br')).toEqual(['event_words_search'])
    await client.end()
  })

  test('is narrowed by every filter', async () => {
    const { viewer, group, list } = await stage()
    const featured = await makeGroup({ isFeatured: true })
    await makeEvent(group.id, {
      title: '50% Off_Topic night',
      tags: ['talks'],
      venueName: 'Hall',
      venueCity: 'Porto',
      eventType: 'hybrid',
    })
    await makeEvent(group.id, { title: 'Online only', eventType: 'online', startTime: at(10) })
    await makeEvent(featured.id, { title: 'Featured one', tags: ['talks'] })
    expect(titles(await list('search=off_topic'))).toEqual(['50% Off_Topic night'])
    expect(titles(await list('search=50%25'))).toHaveLength(1)
    expect(titles(await list('search=offxtopic'))).toEqual([])
    expect(titles(await list('tag=talks'))).toEqual(['50% Off_Topic night'])
    expect(titles(await list('city=pORTO'))).toEqual(['50% Off_Topic night'])
    expect(titles(await list('type=online'))).toEqual(['Online only'])
    expect(titles(await list(`from=${at(5).toISOString()}`))).toEqual(['Online only'])
    expect(titles(await list(`to=${at(5).toISOString()}`))).toEqual(['50% Off_Topic night'])
    const both = await get(
      `/v1/events?group=${group.urlname.toUpperCase()},${featured.urlname}&featured=true`,
      { token: viewer.token },
    )
    expect(titles(both)).toEqual(['Featured one'])
    for (const bad of [
      'status=soon',
      'type=odd',
      'sort=odd',
      'from=yesterday',
      'featured=maybe',
      'direction=up',
      'cancelled=yes',
    ])
      expect([bad, (await list(bad)).status]).toEqual([bad, 400])
  })

  test('is sorted by start, RSVPs and age, and pages never skip or repeat in any of them', async () => {
    const { group, list, viewer } = await stage()
    for (let i = 0; i < 7; i += 1)
      await makeEvent(group.id, {
        title: `E${i}`,
        startTime: at(1 + (i >> 1)),
        upstreamRsvpCount: (i * 3) % 4,
      })
    for (const order of [
      'sort=start',
      'sort=start&direction=desc',
      'sort=rsvps',
      'sort=created&direction=asc',
    ]) {
      const whole = titles(await list(order))
      const pages = await walk(`/v1/events?group=${group.urlname}&${order}&limit=2`, viewer.token)
      const seen = pages.map(({ title }) => title)
      expect([order, seen]).toEqual([order, whole])
      expect(seen).toHaveLength(7)
    }
    const counts = (await list('sort=rsvps')).body.data.map((event: { rsvpCount: number }) => event.rsvpCount)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  })

  test('leaves out the events of unlisted groups, and costs one statement or none', async () => {
    const { viewer, list, group } = await stage()
    const hidden = await makeGroup({ isListed: false })
    const secret = await makeEvent(hidden.id)
    expect((await get(`/v1/events?group=${hidden.urlname}`, { token: viewer.token })).body.data).toEqual([])
    expect((await get(`/v1/events/${secret.id}`, { token: viewer.token })).status).toBe(404)
    for (let i = 0; i < 5; i += 1) await makeEvent(group.id)
    let asked = 0
    for (const limit of [1, 50])
      expect(await statementsOf(() => list(`limit=${limit}&to=${at(20 + asked++).toISOString()}`))).toBe(1)
    await list('limit=7')
    expect(await statementsOf(() => list('limit=7'))).toBe(0)
  })
})

describe('an event', () => {
  test('has every field of the specification', async () => {
    const { viewer, group } = await stage()
    const startTime = new Date('2030-03-30T23:30:00Z')
    const event = await makeEvent(group.id, {
      startTime,
      endTime: new Date('2030-03-31T02:15:00Z'),
      venueName: 'Hall',
      venueCity: 'Berlin',
      venueLatitude: 52.5,
      onlineUrl: 'https://meet.example/x',
      eventType: 'hybrid',
    })
    const { body } = await get(`/v1/events/${event.id}`, { token: viewer.token })
    expect(body.data).toMatchObject({
      dateTime: '2030-03-30T23:30:00.000Z',
      endTime: '2030-03-31T02:15:00.000Z',
      duration: 'PT2H45M',
      source: 'native',
      cancelReason: null,
      onlineUrl: null,
      group: { id: group.id, name: group.name, urlname: group.urlname, photoUrl: null },
      venue: {
        name: 'Hall',
        address: null,
        city: 'Berlin',
        state: null,
        latitude: 52.5,
        longitude: null,
        isOnline: false,
      },
    })
  })

  test('tells where to join online only to those who come and those who run it', async () => {
    const { viewer, group } = await stage()
    const event = await makeEvent(group.id, { onlineUrl: 'https://meet.example/y', maxAttendees: 1 })
    const late = await makeCaller(['write:events'])
    const staff = await makeCaller(['read:events'])
    await makeMember(group.id, staff.user.id, 'volunteer')
    const link = async (token: string) => (await get(`/v1/events/${event.id}`, { token })).body.data.onlineUrl
    expect(await link(viewer.token)).toBeNull()
    await post(`/v1/events/${event.id}/rsvp`, { token: viewer.token })
    await post(`/v1/events/${event.id}/rsvp`, { token: late.token })
    expect([await link(viewer.token), await link(late.token), await link(staff.token)]).toEqual([
      'https://meet.example/y',
      null,
      'https://meet.example/y',
    ])
  })

  test('that is a draft is the same 404 as none, everywhere', async () => {
    const { viewer, group } = await stage()
    const draft = await makeEvent(group.id, { status: 'draft' })
    const paths = ['', '/attendees', '/rsvp', '/rsvp-summary']
    for (const path of paths) {
      const [hidden, missing] = [
        await get(`/v1/events/${draft.id}${path}`, { token: viewer.token }),
        await get(`/v1/events/${Bun.randomUUIDv7()}${path}`, { token: viewer.token }),
      ]
      expect([path, hidden.status, hidden.text]).toEqual([path, 404, missing.text])
    }
    expect((await post(`/v1/events/${draft.id}/rsvp`, { token: viewer.token })).status).toBe(404)
  })
})

describe('the next event of a group', () => {
  test('is there for anyone, and follows what happens at once', async () => {
    const owner = await makeCaller(['manage:events'])
    const group = await makeGroup({}, owner.user.id)
    const path = `/v1/public/groups/${group.urlname}/next-event`
    expect((await get(path)).status).toBe(404)
    const make = async (title: string, days: number) =>
      (
        await post(`/v1/manage/groups/${group.id}/events`, {
          token: owner.token,
          json: { title, startTime: at(days).toISOString(), timezone: 'UTC', status: 'published' },
        })
      ).body.data
    await make('Second', 5)
    expect((await get(path)).body.data.title).toBe('Second')
    const first = await make('First', 2)
    expect((await get(path)).body.data).toMatchObject({ id: first.id, title: 'First', onlineUrl: null })
    await post(`/v1/manage/groups/${group.id}/events/${first.id}/cancel`, { token: owner.token, json: {} })
    expect((await get(path)).body.data.title).toBe('Second')
    const unlisted = await makeGroup({ isListed: false })
    await makeEvent(unlisted.id)
    const [hidden, missing] = [
      await get(`/v1/public/groups/${unlisted.urlname}/next-event`),
      await get(`/v1/public/groups/none-${randomHex(4)}/next-event`),
    ]
    expect([hidden.status, hidden.text]).toEqual([404, missing.text])
  })
})
