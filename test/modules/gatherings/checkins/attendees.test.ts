import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { checkinCodes } from '@/db/tables/events'
import { del, get, post } from '../../../support/api'
import { eventsAbout } from '../../../support/events'
import { makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { inHours } from '../../../support/time'
import { makeCheckin, makeCode, makeGuest, makeRsvp, makeStaffedEvent } from './fixtures'

type Row = { userId: string; status: string; waitlistPosition: number | null; user: { name: string } }

/** Guests of every kind, in the order of the list. */
async function makeParty(eventId: string) {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const people = {
    early: await makeUser(),
    hidden: await makeUser({ profileVisibility: 'private', avatarUrl: 'https://example.org/a.png' }),
    waitsSecond: await makeUser(),
    waitsFirst: await makeUser(),
    cancelled: await makeUser(),
    walkIn: await makeUser({ username: null }),
  }
  const rsvp = (id: string, minutes: number, fields = {}) =>
    makeRsvp(eventId, id, { rsvpAt: minutesAgo(minutes), ...fields })
  await rsvp(people.early.id, 60)
  const hiddenRsvp = await rsvp(people.hidden.id, 50)
  await rsvp(people.waitsSecond.id, 40, { status: 'waitlisted', waitlistNumber: 9 })
  await rsvp(people.waitsFirst.id, 30, { status: 'waitlisted', waitlistNumber: 4 })
  await rsvp(people.cancelled.id, 20, { status: 'cancelled' })
  const hiddenCheckin = await makeCheckin(eventId, people.hidden.id, { method: 'qr' })
  await makeCheckin(eventId, people.walkIn.id, { checkedInAt: minutesAgo(10) })
  return { people, hiddenRsvp, hiddenCheckin }
}

describe('the list of attendees', () => {
  test('has everyone who answered or came, private people included', async () => {
    const { at, event, volunteer } = await makeStaffedEvent()
    const { people, hiddenRsvp, hiddenCheckin } = await makeParty(event.id)
    const { body } = await get(`${at}/attendees`, { token: volunteer.token })
    expect(
      body.data.map(({ userId, status, waitlistPosition }: Row) => [userId, status, waitlistPosition]),
    ).toEqual([
      [people.early.id, 'confirmed', null],
      [people.hidden.id, 'confirmed', null],
      [people.waitsSecond.id, 'waitlisted', 2],
      [people.waitsFirst.id, 'waitlisted', 1],
      [people.cancelled.id, 'cancelled', null],
      [people.walkIn.id, 'walk_in', null],
    ])
    expect(body.data[1]).toEqual({
      rsvpId: hiddenRsvp.id,
      userId: people.hidden.id,
      guest: null,
      codeLabel: null,
      status: 'confirmed',
      rsvpAt: hiddenRsvp.rsvpAt.toISOString(),
      waitlistPosition: null,
      checkedIn: true,
      checkedInAt: hiddenCheckin.checkedInAt.toISOString(),
      method: 'qr',
      user: {
        username: people.hidden.username,
        name: people.hidden.name,
        avatarUrl: 'https://example.org/a.png',
        isPublic: false,
      },
    })
    expect(body.data[5]).toMatchObject({ rsvpId: null, rsvpAt: null, checkedIn: true, method: 'manual' })
    expect(body.data[0]).toMatchObject({ checkedIn: false, checkedInAt: null, method: null })
  })

  test('has no one of another event', async () => {
    const { at, event, volunteer } = await makeStaffedEvent()
    const other = await makeStaffedEvent()
    const guest = await makeUser()
    await makeRsvp(event.id, guest.id)
    // The same person is at another event.
    await makeCheckin(other.event.id, guest.id)
    await makeRsvp(other.event.id, (await makeUser()).id)
    const { body } = await get(`${at}/attendees`, { token: volunteer.token })
    expect(
      body.data.map(({ userId, checkedIn }: Row & { checkedIn: boolean }) => [userId, checkedIn]),
    ).toEqual([[guest.id, false]])
  })

  test('is filtered by status and searched literally', async () => {
    const { at, event, volunteer } = await makeStaffedEvent()
    const { people } = await makeParty(event.id)
    const { token } = volunteer
    const ids = async (query: string) =>
      (await get(`${at}/attendees?${query}`, { token })).body.data.map(({ userId }: Row) => userId)
    expect(await ids('status=confirmed')).toEqual([people.early.id, people.hidden.id])
    // A place in line does not depend on who else is looked at.
    const waiting = (await get(`${at}/attendees?status=waitlisted&limit=1`, { token })).body.data
    expect([waiting[0].userId, waiting[0].waitlistPosition]).toEqual([people.waitsSecond.id, 2])
    expect(await ids('status=cancelled')).toEqual([people.cancelled.id])
    expect(await ids('status=walk_in')).toEqual([people.walkIn.id])
    expect((await get(`${at}/attendees?status=here`, { token })).status).toBe(400)
    const mark = randomHex(4)
    const odd = await makeUser({ name: `100% ${mark}_x` })
    await makeRsvp(event.id, odd.id)
    const find = (text: string) => ids(`search=${encodeURIComponent(text)}`)
    expect(await find(`100% ${mark}`.toUpperCase())).toEqual([odd.id])
    expect(await find(`${mark}%x`)).toEqual([])
    expect(await find(`${mark}_x`)).toEqual([odd.id])
    expect(await find('%')).toEqual([odd.id])
    expect(await find('\\')).toEqual([])
    expect(await find((people.hidden.username as string).slice(3).toUpperCase())).toEqual([people.hidden.id])
  })

  test('is paged both ways without a skip or a repeat, in a constant number of statements', async () => {
    const { at, event, volunteer } = await makeStaffedEvent()
    const { token } = volunteer
    const same = new Date(Date.now() - 60_000)
    for (let i = 0; i < 4; i += 1) await makeRsvp(event.id, (await makeUser()).id, { rsvpAt: same })
    for (let i = 0; i < 3; i += 1) await makeCheckin(event.id, (await makeUser()).id, { checkedInAt: same })
    const whole = (await get(`${at}/attendees`, { token })).body.data
    expect(whole).toHaveLength(7)
    const seen: Row[] = []
    let [cursor, previous] = ['', '']
    do {
      const { body } = await get(`${at}/attendees?limit=2${cursor && `&cursor=${cursor}`}`, { token })
      seen.push(...body.data)
      cursor = body.pagination.nextCursor ?? ''
      previous = body.pagination.prevCursor ?? ''
      await makeCheckin(event.id, (await makeUser()).id, { checkedInAt: inHours(-1) })
    } while (cursor)
    expect(seen).toEqual(whole)
    const back = await get(`${at}/attendees?limit=2&before=${previous}`, { token })
    expect(back.body.data).toEqual(whole.slice(4, 6))
    const other = await get(`${at}/attendees?limit=2&status=walk_in&before=${previous}`, { token })
    expect(other.body.code).toBe('bad_request')
    const cost = (limit: number) => statementsOf(() => get(`${at}/attendees?limit=${limit}`, { token }))
    expect([await cost(1), await cost(7)]).toEqual([3, 3])
  })
})

describe('checking a person in manually', () => {
  const enter = (at: string, who: string | null, token: string, json: object = {}) =>
    post(`${at}/attendees/${who}/checkin`, { token, json })

  test('works by id and by username, with and without an RSVP', async () => {
    const { at, event, volunteer } = await makeStaffedEvent()
    const [guest, walkIn] = [await makeUser(), await makeUser()]
    await makeRsvp(event.id, guest.id)
    const first = await enter(at, guest.id, volunteer.token)
    expect([first.status, first.body.data]).toEqual([
      201,
      { id: expect.any(String), eventId: event.id, checkedInAt: expect.any(String), method: 'manual' },
    ])
    const second = await enter(at, (walkIn.username as string).toUpperCase(), volunteer.token, {
      method: 'nfc',
    })
    expect([second.status, second.body.data.method]).toEqual([201, 'nfc'])
    for (const who of [guest.username, walkIn.id]) {
      const again = await enter(at, who, volunteer.token)
      expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    }
    const { body } = await get(`${at}/attendees`, { token: volunteer.token })
    expect(body.data.map(({ userId, status }: Row) => [userId, status])).toEqual([
      [guest.id, 'confirmed'],
      [walkIn.id, 'walk_in'],
    ])
    expect((await enter(at, guest.id, volunteer.token, { method: 'magic' })).status).toBe(400)
  })

  test('emits the same domain event as any check-in', async () => {
    const { at, event, group, volunteer } = await makeStaffedEvent()
    const guest = await makeUser()
    const { id } = (await enter(at, guest.id, volunteer.token)).body.data
    expect((await eventsAbout(guest.id)).map(({ type, data }) => [type, data])).toEqual([
      [
        'checkin.created',
        { checkinId: id, eventId: event.id, groupId: group.id, userId: guest.id, method: 'manual' },
      ],
    ])
    await enter(at, guest.id, volunteer.token)
    expect(await eventsAbout(guest.id)).toHaveLength(1)
  })

  test('is possible from a day before the start, long after the end, and not when there is no event', async () => {
    const statuses: number[] = []
    for (const fields of [
      { startTime: inHours(24.1) },
      { startTime: inHours(23.9) },
      { startTime: inHours(-500) },
      { status: 'cancelled' as const },
      { status: 'draft' as const },
    ]) {
      const { at, volunteer } = await makeStaffedEvent(fields)
      statuses.push((await enter(at, (await makeUser()).id, volunteer.token)).status)
    }
    expect(statuses).toEqual([409, 201, 201, 410, 409])
  })

  test('does not reveal private people unrelated to the event', async () => {
    const { at, event, volunteer } = await makeStaffedEvent()
    const [hidden, coming] = [
      await makeUser({ profileVisibility: 'private' }),
      await makeUser({ profileVisibility: 'private' }),
    ]
    await makeRsvp(event.id, coming.id)
    const missing = await enter(at, 'nobody-of-that-name', volunteer.token)
    expect(missing.status).toBe(404)
    for (const who of [hidden.id, hidden.username, Bun.randomUUIDv7()]) {
      const answer = await enter(at, who, volunteer.token)
      expect([answer.status, answer.text]).toEqual([404, missing.text])
    }
    expect((await enter(at, coming.username, volunteer.token)).status).toBe(201)
  })

  test('of many at once for one person lets them in once', async () => {
    const { at, volunteer } = await makeStaffedEvent()
    const { id } = await makeUser()
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(at, id, volunteer.token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })
})

describe('undoing a check-in', () => {
  test('gives back a use of its code and lets the person in again', async () => {
    const { at, event, manager, volunteer } = await makeStaffedEvent()
    const code = await makeCode(event.id, { maxUses: 1 })
    const guest = await makeGuest()
    const uses = async () =>
      (await db.select().from(checkinCodes).where(eq(checkinCodes.id, code.id)))[0]?.currentUses
    const enter = () => post(`/v1/checkin/${code.code}`, { token: guest.token })
    const path = `${at}/attendees/${guest.user.username}/checkin`
    expect([(await enter()).status, await uses()]).toEqual([201, 1])
    expect((await del(path, { token: volunteer.token })).status).toBe(403)
    expect([(await del(path, { token: manager.token })).status, await uses()]).toEqual([204, 0])
    expect([(await del(path, { token: manager.token })).status, await uses()]).toEqual([404, 0])
    expect([(await enter()).status, await uses()]).toEqual([201, 1])
    // Ten people who undo the same give back one use.
    const undone = await Promise.all(Array.from({ length: 10 }, () => del(path, { token: manager.token })))
    expect(undone.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)])
    expect((await eventsAbout(guest.user.id)).map(({ type }) => type)).toEqual([
      'checkin.created',
      'checkin.undone',
      'checkin.created',
      'checkin.undone',
    ])
    expect(await uses()).toBe(0)
  })

  test('works without a code, and after the code is gone', async () => {
    const { at, manage, event, manager } = await makeStaffedEvent()
    const byHand = await makeUser()
    const { token } = manager
    await post(`${at}/attendees/${byHand.id}/checkin`, { token })
    expect((await del(`${at}/attendees/${byHand.id}/checkin`, { token })).status).toBe(204)
    const [code, guest] = [await makeCode(event.id), await makeGuest()]
    await post(`/v1/checkin/${code.code}`, { token: guest.token })
    await del(`${manage}/checkin-codes/${code.id}`, { token })
    expect((await del(`${at}/attendees/${guest.user.id}/checkin`, { token })).status).toBe(204)
    expect((await get(`${at}/attendees`, { token })).body.data).toEqual([])
  })
})
