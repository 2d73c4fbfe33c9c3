import { describe, expect, test } from 'bun:test'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller, makeEvent, makeGroup } from '../../../support/make'
import { statementsOf } from '../../../support/statements'

const SCOPES = ['write:events', 'user'] as const

async function stage(maxAttendees: number | null, people: number) {
  const owner = await makeCaller(['manage:events', 'write:events'])
  const group = await makeGroup({}, owner.user.id)
  const event = await makeEvent(group.id, { maxAttendees })
  const guests = await Promise.all(Array.from({ length: people }, () => makeCaller([...SCOPES])))
  const path = `/v1/events/${event.id}`
  const join = (i: number) => post(`${path}/rsvp`, { token: guests[i]?.token })
  const leave = (i: number) => del(`${path}/rsvp`, { token: guests[i]?.token })
  const mine = async (i: number) => (await get(`${path}/rsvp`, { token: guests[i]?.token })).body.data.rsvp
  const states = async () =>
    Promise.all(
      guests.map(async (_, i) => ((r) => (r ? [r.status, r.waitlistPosition] : null))(await mine(i))),
    )
  const manage = `/v1/manage/groups/${group.id}/events/${event.id}`
  const domainEvents = async () =>
    (await db.select().from(outbox))
      .filter(({ payload }) => (payload as { eventId?: string }).eventId === event.id)
      .map(({ type }) => type)
      .filter((type) => type.startsWith('rsvp.'))
  return { owner, group, event, guests, path, join, leave, mine, states, manage, domainEvents }
}

describe('an RSVP', () => {
  test('is a seat while there is one, then a place in line; a second one is 409', async () => {
    const { join, states, mine, event, path, guests } = await stage(2, 4)
    const first = await join(0)
    expect([first.status, first.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        eventId: event.id,
        status: 'confirmed',
        rsvpAt: expect.any(String),
        waitlistPosition: null,
      },
    ])
    expect((await join(0)).body.code).toBe('conflict')
    await join(1)
    expect((await join(2)).body.data).toMatchObject({ status: 'waitlisted', waitlistPosition: 1 })
    expect((await join(2)).status).toBe(409)
    await join(3)
    expect(await states()).toEqual([
      ['confirmed', null],
      ['confirmed', null],
      ['waitlisted', 1],
      ['waitlisted', 2],
    ])
    expect(await mine(0)).toEqual(first.body.data)
    expect((await get(`${path}/rsvp-summary`, { token: guests[0]?.token })).body.data).toEqual({
      total: 4,
      confirmed: 2,
      waitlisted: 2,
      cancelled: 0,
      capacity: 2,
    })
    expect((await get(path, { token: guests[0]?.token })).body.data).toMatchObject({
      rsvpCount: 2,
      localRsvpCount: 2,
    })
  })

  test('that is cancelled promotes the first in line; rejoining goes to the end', async () => {
    const { join, leave, states, domainEvents, path } = await stage(1, 4)
    for (let i = 0; i < 4; i += 1) await join(i)
    const gone = await leave(0)
    expect([gone.status, gone.body]).toEqual([200, { data: { success: true } }])
    expect(await states()).toEqual([
      ['cancelled', null],
      ['confirmed', null],
      ['waitlisted', 1],
      ['waitlisted', 2],
    ])
    expect((await join(0)).body.data).toMatchObject({ status: 'waitlisted', waitlistPosition: 3 })
    await leave(2)
    expect(await states()).toEqual([
      ['waitlisted', 2],
      ['confirmed', null],
      ['cancelled', null],
      ['waitlisted', 1],
    ])
    expect((await leave(2)).status).toBe(404)
    expect((await domainEvents()).sort()).toEqual([
      'rsvp.cancelled',
      'rsvp.cancelled',
      'rsvp.confirmed',
      'rsvp.promoted',
      ...Array(4).fill('rsvp.waitlisted'),
    ])
    expect(path).toBeString()
  })

  test('is null before the first one', async () => {
    const { mine, leave } = await stage(null, 1)
    expect(await mine(0)).toBeNull()
    expect((await leave(0)).status).toBe(404)
  })

  test('is promoted in order when the capacity is raised or cleared, and never demoted', async () => {
    const { join, leave, states, manage, owner, domainEvents } = await stage(1, 5)
    for (let i = 0; i < 5; i += 1) await join(i)
    const set = (maxAttendees: number | null) => patch(manage, { token: owner.token, json: { maxAttendees } })
    expect((await set(3)).body.data.rsvpSummary).toEqual({
      total: 5,
      confirmed: 3,
      waitlisted: 2,
      cancelled: 0,
      capacity: 3,
    })
    expect(await states()).toEqual([
      ['confirmed', null],
      ['confirmed', null],
      ['confirmed', null],
      ['waitlisted', 1],
      ['waitlisted', 2],
    ])
    await set(1)
    expect((await states()).filter((state) => state?.[0] === 'confirmed')).toHaveLength(3)
    await leave(0)
    await leave(1)
    // One is left for one seat: still full.
    expect((await states()).map((state) => state?.[0])).toEqual([
      'cancelled',
      'cancelled',
      'confirmed',
      'waitlisted',
      'waitlisted',
    ])
    await set(null)
    expect((await states()).map((state) => state?.[0])).toEqual([
      'cancelled',
      'cancelled',
      'confirmed',
      'confirmed',
      'confirmed',
    ])
    expect((await domainEvents()).filter((type) => type === 'rsvp.promoted')).toHaveLength(4)
  })

  test('to a cancelled event is 410, to one that is over 409; cancelling keeps RSVPs and stops promotion', async () => {
    const { join, leave, states, manage, owner, event, guests } = await stage(1, 3)
    await join(0)
    await join(1)
    expect((await post(`${manage}/cancel`, { token: owner.token, json: { reason: 'Rain' } })).status).toBe(
      200,
    )
    expect((await join(2)).body.code).toBe('gone')
    expect((await leave(0)).status).toBe(200)
    expect(await states()).toEqual([['cancelled', null], ['waitlisted', 1], null])
    const group = await makeGroup()
    const over = await makeEvent(group.id, { startTime: new Date(Date.now() - 9 * 3_600_000) })
    expect((await post(`/v1/events/${over.id}/rsvp`, { token: guests[0]?.token })).body.code).toBe('conflict')
    expect((await get(`/v1/events/${event.id}`, { token: guests[0]?.token })).body.data).toMatchObject({
      status: 'cancelled',
      cancelReason: 'Rain',
    })
  })
})

describe('an event of a group that is not listed', () => {
  test('is invisible to strangers and open to its staff', async () => {
    const owner = await makeCaller([...SCOPES])
    const stranger = await makeCaller([...SCOPES])
    const group = await makeGroup({ isListed: false }, owner.user.id)
    const event = await makeEvent(group.id, { maxAttendees: 1 })
    const missing = `/v1/events/${Bun.randomUUIDv7()}`
    for (const ask of [get, post, del]) {
      const [hidden, none] = [
        await ask(`/v1/events/${event.id}/rsvp`, { token: stranger.token }),
        await ask(`${missing}/rsvp`, { token: stranger.token }),
      ]
      expect([hidden.status, hidden.text]).toEqual([404, none.text])
    }
    for (const part of ['', '/rsvp-summary', '/attendees'])
      expect((await get(`/v1/events/${event.id}${part}`, { token: stranger.token })).status).toBe(404)
    expect((await post(`/v1/events/${event.id}/rsvp`, { token: owner.token })).body.data.status).toBe(
      'confirmed',
    )
  })
})

describe('who comes', () => {
  test('are confirmed guests with public profiles, in order, at a constant cost', async () => {
    const { join, guests, path } = await stage(3, 5)
    await patch('/v1/profile', { token: guests[1]?.token, json: { profileVisibility: 'private' } })
    for (let i = 0; i < 5; i += 1) await join(i)
    const { body } = await get(`${path}/attendees`, { token: guests[0]?.token })
    expect(body.data).toEqual(
      [0, 2].map((i) => ({
        username: guests[i]?.user.username,
        name: guests[i]?.user.name,
        avatarUrl: null,
        rsvpAt: expect.any(String),
      })),
    )
    expect(body.pagination.total).toBeUndefined()
    for (const limit of [1, 100])
      expect(
        await statementsOf(() => get(`${path}/attendees?limit=${limit}`, { token: guests[0]?.token })),
      ).toBe(1)
  })

  test('my RSVPs come with their events, by status and by when', async () => {
    const { join, leave, guests, event } = await stage(null, 1)
    const group = await makeGroup()
    const me = guests[0] as { token: string }
    const second = await makeEvent(group.id, { startTime: new Date(Date.now() + 9 * 3_600_000) })
    await join(0)
    await post(`/v1/events/${second.id}/rsvp`, { token: me.token })
    const list = async (query = '') =>
      (await get(`/v1/me/rsvps${query}`, { token: me.token })).body.data.map(
        (row: { event: { id: string } }) => row.event.id,
      )
    expect(await list()).toEqual([second.id, event.id])
    expect(await list('?status=cancelled')).toEqual([])
    await leave(0)
    expect(await list('?status=cancelled')).toEqual([event.id])
    expect(await list('?when=upcoming&status=confirmed')).toEqual([second.id])
    expect(await list('?when=past')).toEqual([])
    for (const limit of [1, 50])
      expect(await statementsOf(() => get(`/v1/me/rsvps?limit=${limit}`, { token: me.token }))).toBe(1)
  })
})
