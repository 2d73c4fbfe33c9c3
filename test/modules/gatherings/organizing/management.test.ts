import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { events } from '@/db/tables/events'
import { outbox } from '@/db/tables/outbox'
import { call, del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeEvent, makeStaffedGroup } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { HOUR_MS, later } from '../../../support/time'

const SCOPES = ['manage:events', 'write:events'] as const

async function stage() {
  const { group, owner, manager, volunteer } = await makeStaffedGroup([...SCOPES])
  const [stranger, admin] = [await makeCaller([...SCOPES]), await makeAdmin()]
  const path = `/v1/manage/groups/${group.id}/events`
  return {
    group,
    path,
    owner: owner.token,
    manager: manager.token,
    volunteer: volunteer.token,
    stranger: stranger.token,
    admin: admin.token,
    strangerId: stranger.user.id,
  }
}

const FULL = {
  title: ' Spring meeting ',
  description: 'Bring\r\na chair',
  startTime: '2031-03-29T18:00:00+01:00',
  endTime: '2031-03-29T20:30:00+01:00',
  timezone: 'europe/berlin',
  eventType: 'hybrid',
  maxAttendees: 12,
  venue: { name: 'Hall', city: 'Berlin', latitude: 52.5, longitude: 13.4, postalCode: '10115' },
  onlineUrl: 'https://meet.example/z',
  photoUrl: 'https://images.example/z.png',
  tags: ['talks', 'talks', 'food'],
}

const domainEventsOf = async (eventId: string) =>
  (await db.select().from(outbox))
    .filter(({ payload }) => (payload as { eventId?: string }).eventId === eventId)
    .map(({ type }) => type)
    .sort()

describe('creating', () => {
  test('gives a draft with a check-in code, unless it is published', async () => {
    const { path, manager, group } = await stage()
    const { status, body } = await post(path, { token: manager, json: FULL })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      title: 'Spring meeting',
      description: 'Bring\na chair',
      dateTime: '2031-03-29T17:00:00.000Z',
      endTime: '2031-03-29T19:30:00.000Z',
      duration: 'PT2H30M',
      timezone: 'Europe/Berlin',
      status: 'draft',
      tags: ['talks', 'food'],
      onlineUrl: 'https://meet.example/z',
      venue: {
        name: 'Hall',
        city: 'Berlin',
        latitude: 52.5,
        longitude: 13.4,
        address: null,
        state: null,
        isOnline: false,
      },
      checkinCode: { code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/), currentUses: 0, maxUses: null },
    })
    expect(await domainEventsOf(body.data.id)).toEqual(['event.created'])
    const published = await post(path, {
      token: manager,
      json: { title: 'Now', startTime: FULL.startTime, timezone: 'UTC', status: 'published' },
    })
    expect(published.body.data.status).toBe('published')
    expect(await domainEventsOf(published.body.data.id)).toEqual(['event.created', 'event.published'])
    expect((await get(`/v1/events?group=${group.urlname}`, { token: manager })).body.data).toHaveLength(1)
  })

  test('refuses what cannot be, with the name of the field', async () => {
    const { path, owner } = await stage()
    const bad: [Record<string, unknown>, string][] = [
      [{ title: '' }, 'title'],
      [{ startTime: 'tomorrow' }, 'startTime'],
      [{ startTime: '2031-02-30T18:00:00Z' }, 'startTime'],
      [{ startTime: '2031-03-29T18:00:00' }, 'startTime'],
      [{ endTime: FULL.startTime }, 'endTime'],
      [{ endTime: '2031-03-29T17:59:00+01:00' }, 'endTime'],
      [{ timezone: 'Mars/Olympus' }, 'timezone'],
      [{ timezone: '+01:00' }, 'timezone'],
      [{ maxAttendees: 0 }, 'maxAttendees'],
      [{ maxAttendees: 1.5 }, 'maxAttendees'],
      [{ eventType: 'party' }, 'eventType'],
      [{ venue: { city: 'x' } }, 'venue.name'],
      [{ venue: { name: 'x', latitude: 91 } }, 'venue.latitude'],
      [{ onlineUrl: 'javascript:1' }, 'onlineUrl'],
      [{ tags: Array(21).fill('x') }, 'tags'],
      [{ status: 'cancelled' }, 'status'],
    ]
    for (const [change, field] of bad) {
      const { status, body } = await post(path, { token: owner, json: { ...FULL, ...change } })
      expect([change, status, body.error?.split(' ')[0]]).toEqual([change, 400, field])
    }
    for (const missing of ['title', 'startTime', 'timezone'])
      expect((await post(path, { token: owner, json: { ...FULL, [missing]: undefined } })).body.error).toBe(
        `${missing} is required`,
      )
  })
})

describe('roles', () => {
  test('a stranger learns nothing, a volunteer may read, a manager may act, an administrator passes', async () => {
    const { group, path, volunteer, stranger, manager, admin } = await stage()
    const event = await makeEvent(group.id)
    const acts: [string, string, object?][] = [
      ['POST', path, FULL],
      ['PATCH', `${path}/${event.id}`, { title: 'x' }],
      ['POST', `${path}/${event.id}/cancel`, {}],
      ['DELETE', `${path}/${event.id}`],
      ['POST', `${path}/${event.id}/duplicate`, { startTimes: ['2031-01-01T00:00:00Z'] }],
    ]
    const reads: [string, string][] = [
      ['GET', path],
      ['GET', `${path}/${event.id}`],
    ]
    const nowhere = `/v1/manage/groups/${Bun.randomUUIDv7()}/events`
    for (const [method, url, json] of [...acts, ...reads] as [string, string, object?][]) {
      const hidden = await call(method, url, { token: stranger, json })
      const missing = await call(method, url.replace(path, nowhere), { token: stranger, json })
      expect([method, url, hidden.status, hidden.text]).toEqual([method, url, 404, missing.text])
    }
    for (const [method, url, json] of acts)
      expect([url, (await call(method, url, { token: volunteer, json })).status]).toEqual([url, 403])
    for (const [method, url] of reads)
      for (const token of [volunteer, manager, admin])
        expect((await call(method, url, { token })).status).toBe(200)
    expect(
      (await patch(`${path}/${event.id}`, { token: admin, json: { title: 'By an administrator' } })).status,
    ).toBe(200)
  })

  test("another group's event is not found through one's own group", async () => {
    const [mine, theirs] = [await stage(), await stage()]
    const event = await makeEvent(theirs.group.id)
    for (const [method, suffix, json] of [
      ['GET', '', undefined],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/cancel', {}],
    ] as const)
      expect(
        (await call(method, `${mine.path}/${event.id}${suffix}`, { token: mine.owner, json })).status,
      ).toBe(404)
  })
})

describe('changing', () => {
  test('without a difference emits nothing and does not raise SEQUENCE', async () => {
    const { path, owner } = await stage()
    const event = (await post(path, { token: owner, json: FULL })).body.data
    const sequence = async () =>
      (await db.select().from(events).where(eq(events.id, event.id)))[0]?.sequence as number
    const { status: _, ...same } = FULL as Record<string, unknown>
    expect((await patch(`${path}/${event.id}`, { token: owner, json: same })).status).toBe(200)
    expect([await sequence(), await domainEventsOf(event.id)]).toEqual([0, ['event.created']])
    await patch(`${path}/${event.id}`, { token: owner, json: { ...same, venue: null } })
    expect([await sequence(), await domainEventsOf(event.id)]).toEqual([
      1,
      ['event.created', 'event.updated'],
    ])
    await patch(`${path}/${event.id}`, { token: owner, json: { title: 'Another name' } })
    expect(await sequence()).toBe(1)
  })

  test('keeps what is not sent, publishes, and tells', async () => {
    const { path, owner } = await stage()
    const event = (await post(path, { token: owner, json: FULL })).body.data
    const changed = await patch(`${path}/${event.id}`, {
      token: owner,
      json: { status: 'published', venue: null },
    })
    expect(changed.body.data).toMatchObject({
      title: 'Spring meeting',
      status: 'published',
      venue: null,
      maxAttendees: 12,
      checkinCount: 0,
      rsvpSummary: { total: 0, confirmed: 0, waitlisted: 0, cancelled: 0, capacity: 12 },
    })
    expect(await domainEventsOf(event.id)).toEqual(['event.created', 'event.published', 'event.updated'])
    // The start moves past the end that was there: judged together.
    expect(
      (await patch(`${path}/${event.id}`, { token: owner, json: { startTime: '2031-03-29T21:00:00+01:00' } }))
        .body.error,
    ).toContain('endTime must be after')
    const open = await patch(`${path}/${event.id}`, { token: owner, json: { endTime: null } })
    expect(open.body.data).toMatchObject({ endTime: null, duration: null })
    expect((await patch(`${path}/${event.id}`, { token: owner, json: {} })).body).toEqual(open.body)
  })

  test('a published event can return to draft only without RSVPs', async () => {
    const { path, owner, group, stranger } = await stage()
    const event = await makeEvent(group.id)
    expect(
      (await patch(`${path}/${event.id}`, { token: owner, json: { status: 'draft' } })).body.data.status,
    ).toBe('draft')
    await patch(`${path}/${event.id}`, { token: owner, json: { status: 'published' } })
    await post(`/v1/events/${event.id}/rsvp`, { token: stranger })
    expect((await patch(`${path}/${event.id}`, { token: owner, json: { status: 'draft' } })).status).toBe(409)
  })

  test('one that was taken back and is published again was published when it first was', async () => {
    const { path, owner } = await stage()
    const { id } = (await post(path, { token: owner, json: FULL })).body.data
    const publishedAt = async () =>
      (await db.select().from(events).where(eq(events.id, id)))[0]?.publishedAt ?? null
    const set = (status: string) => patch(`${path}/${id}`, { token: owner, json: { status } })
    expect(await publishedAt()).toBeNull()
    await set('published')
    const first = await publishedAt()
    expect(Math.abs(Date.now() - (first?.getTime() ?? 0))).toBeLessThan(60_000)
    await set('draft')
    await later(HOUR_MS, () => set('published'))
    expect(await publishedAt()).toEqual(first)
  })

  test('one that is being cancelled waits, and finds it cancelled', async () => {
    const { path, owner, group } = await stage()
    const { id } = await makeEvent(group.id)
    const answer = await meanwhile(
      (tx) => tx.update(events).set({ status: 'cancelled' }).where(eq(events.id, id)),
      () => patch(`${path}/${id}`, { token: owner, json: { title: 'Too late' } }),
    )
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect((await db.select().from(events).where(eq(events.id, id)))[0]?.title).not.toBe('Too late')
  })

  test('calendars hear that an event was cancelled', async () => {
    const { path, owner, group } = await stage()
    const { id } = await makeEvent(group.id, { sequence: 3 })
    await post(`${path}/${id}/cancel`, { token: owner, json: {} })
    const [row] = await db.select().from(events).where(eq(events.id, id))
    expect([row?.status, row?.sequence]).toEqual(['cancelled', 4])
  })

  test('cancelled, synced and published ones are refused where the contract says so', async () => {
    const { path, owner, group } = await stage()
    const [event, synced, draft] = [
      await makeEvent(group.id),
      await makeEvent(group.id, { source: 'meetup' }),
      await makeEvent(group.id, { status: 'draft' }),
    ]
    expect((await del(`${path}/${event.id}`, { token: owner })).status).toBe(409)
    expect((await post(`${path}/${event.id}/cancel`, { token: owner, json: {} })).body).toEqual({
      data: { success: true },
    })
    expect((await post(`${path}/${event.id}/cancel`, { token: owner, json: {} })).status).toBe(409)
    expect((await patch(`${path}/${event.id}`, { token: owner, json: { title: 'x' } })).status).toBe(409)
    for (const answer of [
      await patch(`${path}/${synced.id}`, { token: owner, json: { title: 'x' } }),
      await post(`${path}/${synced.id}/cancel`, { token: owner, json: {} }),
    ])
      expect(answer.status).toBe(409)
    expect((await del(`${path}/${draft.id}`, { token: owner })).status).toBe(204)
    expect((await get(`${path}/${draft.id}`, { token: owner })).status).toBe(404)
  })

  test('copies are drafts that begin when they are asked to, take as long, and have codes of their own', async () => {
    const { path, admin, owner } = await stage()
    const event = (await post(path, { token: owner, json: { ...FULL, status: 'published' } })).body.data
    // One before and one after the clocks change: each is the moment that was asked for.
    const startTimes = ['2031-04-05T18:00:00+02:00', '2031-10-26T18:00:00+01:00']
    const { status, body } = await post(`${path}/${event.id}/duplicate`, {
      token: owner,
      json: { startTimes },
    })
    expect(status).toBe(201)
    expect(
      body.data.events.map(
        (copy: { dateTime: string; duration: string; status: string; venue: { name: string } }) => [
          copy.dateTime,
          copy.duration,
          copy.status,
          copy.venue.name,
        ],
      ),
    ).toEqual([
      ['2031-04-05T16:00:00.000Z', 'PT2H30M', 'draft', 'Hall'],
      ['2031-10-26T17:00:00.000Z', 'PT2H30M', 'draft', 'Hall'],
    ])
    for (const { id } of body.data.events)
      expect((await get(`${path}/${id}/checkin-codes`, { token: admin })).body.data).toHaveLength(1)
    for (const bad of [[], Array(53).fill(startTimes[0]), ['x']])
      expect(
        (await post(`${path}/${event.id}/duplicate`, { token: owner, json: { startTimes: bad } })).status,
      ).toBe(400)
  })

  test('copies over weeks keep the hour on the clock when clocks change, and so does the end of a night', async () => {
    const { path, owner } = await stage()
    // From 22:00 to 06:00 in Berlin.
    const night = {
      startTime: '2031-10-11T20:00:00Z',
      endTime: '2031-10-12T04:00:00Z',
      timezone: 'Europe/Berlin',
    }
    const event = (await post(path, { token: owner, json: { title: 'Night', ...night } })).body.data
    const copy = (json: object) => post(`${path}/${event.id}/duplicate`, { token: owner, json })
    const { body } = await copy({ startTimes: ['2031-10-18T20:00:00Z'], weeks: 3 })
    expect(
      body.data.events.map(({ dateTime, endTime }: Record<string, string>) => [dateTime, endTime]),
    ).toEqual([
      ['2031-10-18T20:00:00.000Z', '2031-10-19T04:00:00.000Z'],
      ['2031-10-25T20:00:00.000Z', '2031-10-26T05:00:00.000Z'],
      ['2031-11-01T21:00:00.000Z', '2031-11-02T05:00:00.000Z'],
    ])
    for (const weeks of [0, 53, 1.5])
      expect((await copy({ startTimes: [night.startTime], weeks })).status).toBe(400)
    const tooMany = await copy({ startTimes: [night.startTime, night.endTime], weeks: 27 })
    expect([tooMany.status, tooMany.body.error]).toEqual([400, 'weeks must give at most 52 copies in all'])
  })

  test('the list shows drafts to staff, by status, newest start first', async () => {
    const { path, volunteer, group } = await stage()
    await makeEvent(group.id, {
      title: 'Draft',
      status: 'draft',
      startTime: new Date(Date.now() + 5 * 86_400_000),
    })
    await makeEvent(group.id, { title: 'Published' })
    const { body } = await get(path, { token: volunteer })
    expect(
      body.data.map((row: { title: string; status: string; checkinCount: number }) => [
        row.title,
        row.status,
        row.checkinCount,
      ]),
    ).toEqual([
      ['Draft', 'draft', 0],
      ['Published', 'published', 0],
    ])
    expect((await get(`${path}?status=draft`, { token: volunteer })).body.data).toHaveLength(1)
  })
})
