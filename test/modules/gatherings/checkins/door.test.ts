import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { checkinCodes, checkins } from '@/db/tables/events'
import { outbox } from '@/db/tables/outbox'
import { get, post } from '../../../support/api'
import { makeCaller } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { inHours } from '../../../support/time'
import { makeCheckin, makeCode, makeGuest, makeStaffedEvent } from './fixtures'

const usesOf = async (codeId: string) =>
  (await db.select().from(checkinCodes).where(eq(checkinCodes.id, codeId)))[0]?.currentUses

const cameTo = async (eventId: string) =>
  (await db.select().from(checkins).where(eq(checkins.eventId, eventId))).length

const UNKNOWN = { error: 'Check-in code not found', code: 'not_found' }

describe('looking at a code', () => {
  test('shows the event and its group to anyone, in any case of letters', async () => {
    const { event, group } = await makeStaffedEvent({ photoUrl: 'https://example.org/event.png' })
    const { code } = await makeCode(event.id)
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
    for (const typed of [code, code.toLowerCase(), `${code.slice(0, 4).toLowerCase()}${code.slice(4)}`]) {
      const answer = await get(`/v1/checkin/${typed}`)
      expect([answer.status, answer.body.data]).toEqual([
        200,
        {
          event: {
            id: event.id,
            title: event.title,
            startTime: event.startTime.toISOString(),
            endTime: event.endTime?.toISOString(),
            timezone: 'Europe/Berlin',
            eventType: 'physical',
            photoUrl: 'https://example.org/event.png',
          },
          group: { id: group.id, name: group.name, urlname: group.urlname, photoUrl: group.photoUrl },
          checkinAvailable: true,
        },
      ])
    }
    expect(await statementsOf(() => get(`/v1/checkin/${code}`))).toBe(1)
  })

  test('an unknown code and the code of a draft are the same 404', async () => {
    const { event } = await makeStaffedEvent({ status: 'draft' })
    const { code } = await makeCode(event.id)
    const guest = await makeGuest()
    for (const typed of [code, 'AAAAAAAA', 'x', '%E2%84%AA', 'a'.repeat(100)]) {
      const [seen, used] = [
        await get(`/v1/checkin/${typed}`),
        await post(`/v1/checkin/${typed}`, { token: guest.token }),
      ]
      expect([seen.status, seen.body, used.status, used.body]).toEqual([404, UNKNOWN, 404, UNKNOWN])
    }
  })

  test('a code that is dead, early or late is there, and not available', async () => {
    const { event } = await makeStaffedEvent()
    const { event: cancelled } = await makeStaffedEvent({ status: 'cancelled' })
    const { event: early } = await makeStaffedEvent({ startTime: inHours(24.1) })
    const { event: late } = await makeStaffedEvent({ startTime: inHours(-30), endTime: inHours(-24.1) })
    const { event: lateWithoutEnd } = await makeStaffedEvent({ startTime: inHours(-27.1), endTime: null })
    const usedUp = await makeCode(event.id, { maxUses: 1 })
    await post(`/v1/checkin/${usedUp.code}`, { token: (await makeGuest()).token })
    const dead = [
      await makeCode(event.id, { expiresAt: new Date(Date.now() - 1) }),
      usedUp,
      await makeCode(cancelled.id),
      await makeCode(early.id),
      await makeCode(late.id),
      await makeCode(lateWithoutEnd.id),
    ]
    for (const { code } of dead) {
      const answer = await get(`/v1/checkin/${code}`)
      expect([answer.status, answer.body.data.checkinAvailable]).toEqual([200, false])
    }
  })
})

describe('checking in', () => {
  test('is 201 with method link, needs no RSVP, counts a use and emits a domain event', async () => {
    const { event, group } = await makeStaffedEvent()
    const code = await makeCode(event.id, { maxUses: 5 })
    const guest = await makeGuest()
    const answer = await post(`/v1/checkin/${code.code.toLowerCase()}`, { token: guest.token })
    expect([answer.status, answer.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        eventId: event.id,
        checkedInAt: expect.stringMatching(/^\d{4}-.*Z$/),
        method: 'link',
      },
    ])
    expect(Math.abs(Date.parse(answer.body.data.checkedInAt) - Date.now())).toBeLessThan(60_000)
    expect(await usesOf(code.id)).toBe(1)
    const domainEvents = (await db.select().from(outbox).where(eq(outbox.type, 'checkin.created')))
      .map(({ payload }) => payload as { eventId: string })
      .filter(({ eventId }) => eventId === event.id)
    expect(domainEvents).toEqual([
      {
        checkinId: answer.body.data.id,
        eventId: event.id,
        groupId: group.id,
        userId: guest.user.id,
        method: 'link',
      },
    ] as never)
  })

  test('takes the methods of the specification and no other', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    for (const method of ['link', 'qr', 'nfc']) {
      const answer = await post(`/v1/checkin/${code}`, { token: (await makeGuest()).token, json: { method } })
      expect([answer.status, answer.body.data.method]).toEqual([201, method])
    }
    for (const method of ['manual', '', null, 5])
      expect(
        (await post(`/v1/checkin/${code}`, { token: (await makeGuest()).token, json: { method } })).status,
      ).toBe(400)
    const reader = await makeCaller(['read:events'])
    expect((await post(`/v1/checkin/${code}`, { token: reader.token })).body.code).toBe('insufficient_scope')
  })

  test('again is 409 with every code of the event, and costs no use', async () => {
    const { event } = await makeStaffedEvent()
    const [first, second] = [await makeCode(event.id), await makeCode(event.id)]
    const { token } = await makeGuest()
    expect((await post(`/v1/checkin/${first.code}`, { token })).status).toBe(201)
    for (const { code } of [first, second]) {
      const again = await post(`/v1/checkin/${code}`, { token })
      expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    }
    expect([await usesOf(first.id), await usesOf(second.id), await cameTo(event.id)]).toEqual([1, 0, 1])
  })

  test('with an idempotency key is answered as the first time', async () => {
    const { event } = await makeStaffedEvent()
    const code = await makeCode(event.id)
    const { token } = await makeGuest()
    const enter = () => post(`/v1/checkin/${code.code}`, { token, headers: { 'idempotency-key': 'door' } })
    const [first, second] = [await enter(), await enter()]
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(await usesOf(code.id)).toBe(1)
  })
})

describe('refusals come in their order', () => {
  /** Somebody who is in and somebody who is not, at the same code. */
  const both = async (eventId: string, code: string) => {
    const [inside, outside] = [await makeGuest(), await makeGuest()]
    await makeCheckin(eventId, inside.user.id)
    const answers = [
      await post(`/v1/checkin/${code}`, { token: inside.token }),
      await post(`/v1/checkin/${code}`, { token: outside.token }),
    ]
    return answers.map(({ status, body }) => `${status} ${body.error ?? ''}`)
  }
  const CANCELLED = '410 This event was cancelled'
  const ALREADY = '409 You are checked in to this event already'
  const EXPIRED = '410 This code has expired'
  const USED_UP = '410 This code is used up'
  const CLOSED = '409 Check-in is open from 24 hours before the start until 24 hours after the end'

  test('cancelled comes before all others', async () => {
    const { event } = await makeStaffedEvent({ status: 'cancelled', startTime: inHours(100) })
    const { code } = await makeCode(event.id, { expiresAt: inHours(-1) })
    expect(await both(event.id, code)).toEqual([CANCELLED, CANCELLED])
  })

  test('already in comes before expired, used up and closed', async () => {
    const { event } = await makeStaffedEvent()
    const expired = await makeCode(event.id, { expiresAt: inHours(-1) })
    expect(await both(event.id, expired.code)).toEqual([ALREADY, EXPIRED])
    const usedUp = await makeCode(event.id, { maxUses: 1 })
    const { token } = await makeGuest()
    expect((await post(`/v1/checkin/${usedUp.code}`, { token })).status).toBe(201)
    expect(await both(event.id, usedUp.code)).toEqual([ALREADY, USED_UP])
    const retry = await post(`/v1/checkin/${usedUp.code}`, { token })
    expect(`${retry.status} ${retry.body.error}`).toBe(ALREADY)
    expect(await usesOf(usedUp.id)).toBe(1)
    const { event: early } = await makeStaffedEvent({ startTime: inHours(48) })
    expect(await both(early.id, (await makeCode(early.id)).code)).toEqual([ALREADY, CLOSED])
  })

  test('expired comes before closed', async () => {
    const { event } = await makeStaffedEvent({ startTime: inHours(48) })
    const { code } = await makeCode(event.id, { expiresAt: inHours(-1) })
    expect(await both(event.id, code)).toEqual([ALREADY, EXPIRED])
  })

  test('the door opens 24 hours before the start and closes 24 hours after the end', async () => {
    const minute = 1 / 60
    const tries: [Date, Date | null, number][] = [
      [inHours(24 + minute), inHours(30), 409],
      [inHours(24 - minute), inHours(30), 201],
      [inHours(-30), inHours(-24 + minute), 201],
      [inHours(-30), inHours(-24 - minute), 409],
      [inHours(-27 + minute), null, 201],
      [inHours(-27 - minute), null, 409],
    ]
    for (const [startTime, endTime, status] of tries) {
      const { event } = await makeStaffedEvent({ startTime, endTime })
      const { code } = await makeCode(event.id)
      const { token } = await makeGuest()
      const available = (await get(`/v1/checkin/${code}`)).body.data.checkinAvailable
      expect([available, (await post(`/v1/checkin/${code}`, { token })).status]).toEqual([
        status === 201,
        status,
      ])
    }
  })
})
