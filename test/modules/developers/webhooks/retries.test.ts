import { afterEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { advanceClock, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { webhooks } from '@/db/tables/webhooks'
import { nextAttemptAt } from '@/outbound/retries'
import { get, patch, post } from '../../../support/api'
import { deliverDue, leaveOthersOut } from '../../../support/deliveries'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { mailsTo } from '../../access/sign-in/fixtures'
import { makeListening, messagesOf } from './fixtures'

leaveOthersOut()

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SCHEDULE = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

let moved = 0
const advance = (ms: number) => {
  moved += ms
  advanceClock(ms)
}
afterEach(() => {
  advanceClock(-moved)
  moved = 0
})

const messageOf = async (webhookId: string) => (await messagesOf(webhookId))[0]

const webhookOf = async (id: string) => (await db.select().from(webhooks).where(eq(webhooks.id, id)))[0]

/** Goes to the moment when the next attempt is due. */
async function untilNext(webhookId: string): Promise<void> {
  const due = (await messageOf(webhookId))?.nextAttemptAt as Date
  advance(Math.max(0, due.getTime() - nowMs()) + 1)
}

/** Between an answer and its place in the log a busy machine may do something else. */
const LATE = SECOND

/** From the last answer to the next attempt, as the log has it: the duration is known to the millisecond, and rounded. */
async function delayOf(webhookId: string, token: string): Promise<number> {
  const { body } = await get(`/v1/developer/webhooks/${webhookId}/deliveries?limit=1`, { token })
  const [{ deliveredAt, nextAttemptAt, durationMs }] = body.data.deliveries
  return Date.parse(nextAttemptAt) - Date.parse(deliveredAt) - durationMs
}

describe('the schedule of retries', () => {
  test('runs whole: ten attempts, each delay within a fifth, one id and one body, then it is given up', async () => {
    const receiver = openReceiver(() => new Response('', { status: 503 }))
    const { id, happen, token } = await makeListening(receiver.url)
    await happen()
    await deliverDue()
    for (const base of SCHEDULE) {
      const delay = await delayOf(id, token)
      expect(delay).toBeGreaterThanOrEqual(base * 0.8 - 2)
      expect(delay).toBeLessThanOrEqual(base * 1.2 + LATE)
      await untilNext(id)
      await deliverDue()
    }
    expect(receiver.received.length).toBe(10)
    expect(new Set(receiver.received.map(({ id, body }) => id + body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ timestamp }) => timestamp)).size).toBe(10)
    expect(await messageOf(id)).toMatchObject({ status: 'failed', attempts: 10, nextAttemptAt: null })
    const { deliveries } = (await get(`/v1/developer/webhooks/${id}/deliveries`, { token })).body.data
    expect(deliveries.map(({ attempt }: { attempt: number }) => attempt)).toEqual([
      10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ])
    receiver.close()
  })

  test('never brings all that failed together back together', () => {
    const at = new Date()
    for (const [attempt, base] of SCHEDULE.entries()) {
      const delays = Array.from(
        { length: 200 },
        () => (nextAttemptAt(attempt + 1, at, null)?.getTime() ?? 0) - at.getTime(),
      )
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(base * 0.8 - 1)
      expect(Math.max(...delays)).toBeLessThanOrEqual(base * 1.2 + 1)
      expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(base * 0.3)
    }
  })

  for (const [retryAfter, low, high] of [
    ['7', 7 * SECOND, 7 * SECOND],
    ['1', 5 * SECOND, 5 * SECOND],
    ['100000', 10 * SECOND, 10 * SECOND],
    ['1e9', 4 * SECOND, 6 * SECOND],
    ['-5', 4 * SECOND, 6 * SECOND],
    ['soon', 4 * SECOND, 6 * SECOND],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 5 * SECOND, 5 * SECOND],
  ] as const)
    test(`Retry-After: ${retryAfter} is honoured within the delay and twice the delay`, async () => {
      const receiver = openReceiver(
        () => new Response('', { status: 429, headers: { 'retry-after': retryAfter } }),
      )
      const { id, happen, token } = await makeListening(receiver.url)
      await happen()
      await deliverDue()
      const delay = await delayOf(id, token)
      expect(delay).toBeGreaterThanOrEqual(low - 2)
      expect(delay).toBeLessThanOrEqual(high + LATE)
      receiver.close()
    })
})

describe('a receiver that', () => {
  test('answers 410 is switched off at once, and its owner hears why elsewhere', async () => {
    const gone = openReceiver(() => new Response('', { status: 410 }))
    const well = openReceiver()
    const { id, happen, token, user } = await makeListening(gone.url)
    await post('/v1/developer/webhooks', { token, json: { url: well.url, eventTypes: ['webhook.disabled'] } })
    await happen()
    await deliverDue()
    await deliverDue()
    expect((await webhookOf(id))?.isActive).toBe(false)
    expect((await messageOf(id))?.status).toBe('failed')
    expect(well.received.map(({ body }) => JSON.parse(body).data)).toEqual([
      {
        webhookId: id,
        userId: expect.any(String),
        reason: 'It answered 410 Gone',
        sequence: expect.any(Number),
      },
    ])
    const mails = () => mailsTo(user.email as string)
    await until('the owner has mail', async () => (await mails()).length > 0)
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Your webhook was switched off'])
    await happen()
    await deliverDue()
    expect(gone.received.length).toBe(1)
    gone.close()
    well.close()
  })

  test('is switched off is told what had happened by then once it is on again, and nothing of what came after', async () => {
    const gate = Promise.withResolvers<void>()
    const gone = openReceiver(() => gate.promise.then(() => new Response('', { status: 410 })))
    const well = openReceiver()
    const { id, happen, token } = await makeListening(gone.url)
    await happen()
    const delivered = deliverDue()
    await until('it is asked', () => gone.received.length === 1)
    await happen()
    gate.resolve()
    await delivered
    await happen()
    await patch(`/v1/developer/webhooks/${id}`, { token, json: { isActive: true, url: well.url } })
    await deliverDue()
    expect([gone.received.length, well.received.length]).toEqual([1, 1])
    gone.close()
    well.close()
  })

  test('is no longer the address says nothing about the one that is', async () => {
    const gate = Promise.withResolvers<void>()
    const old = openReceiver(() => gate.promise.then(() => new Response('', { status: 410 })))
    const well = openReceiver()
    const { id, happen, token } = await makeListening(old.url)
    await happen()
    const delivered = deliverDue()
    await until('it is asked', () => old.received.length === 1)
    await patch(`/v1/developer/webhooks/${id}`, { token, json: { url: well.url } })
    gate.resolve()
    await delivered
    expect([old.received.length, well.received.length]).toEqual([1, 1])
    expect(await webhookOf(id)).toMatchObject({ isActive: true, failures: 0 })
    expect((await messageOf(id))?.status).toBe('succeeded')
    old.close()
    well.close()
  })

  test('moves, or is switched on again, begins with a clean slate', async () => {
    const { id, token } = await makeListening('http://127.0.0.1:9/')
    const path = `/v1/developer/webhooks/${id}`
    const slateAfter = async (json: object) => {
      const failing = { failures: 7, failingSince: new Date(Date.now() - 4 * DAY) }
      await db.update(webhooks).set(failing).where(eq(webhooks.id, id))
      expect((await patch(path, { token, json })).status).toBe(200)
      const { failures, failingSince } = (await webhookOf(id)) ?? {}
      return [failures, failingSince === null]
    }
    expect(await slateAfter({ eventTypes: ['user.*'] })).toEqual([7, false])
    expect(await slateAfter({ isActive: true })).toEqual([7, false])
    expect(await slateAfter({ url: 'http://127.0.0.1:8/' })).toEqual([0, true])
    await patch(path, { token, json: { isActive: false } })
    expect(await slateAfter({ isActive: true })).toEqual([0, true])
  })

  test('only fails for five days is switched off; one success in between begins anew', async () => {
    let healthy = false
    const receiver = openReceiver(() => new Response('', { status: healthy ? 200 : 500 }))
    const { id, happen, token } = await makeListening(receiver.url)
    const day = async () => {
      advance(DAY)
      await happen()
      await deliverDue()
    }
    for (let i = 0; i < 4; i += 1) await day()
    expect((await webhookOf(id))?.isActive).toBe(true)
    healthy = true
    await day()
    expect(await webhookOf(id)).toMatchObject({ isActive: true, failures: 0, failingSince: null })
    healthy = false
    for (let i = 0; i < 5; i += 1) await day()
    expect((await webhookOf(id))?.isActive).toBe(true)
    await day()
    expect((await webhookOf(id))?.isActive).toBe(false)
    const domainEvents = await db.select().from(outbox).where(eq(outbox.type, 'webhook.disabled'))
    expect(domainEvents.map(({ payload }) => payload)).toContainEqual({
      webhookId: id,
      userId: expect.any(String),
      reason: 'It failed for five days',
    })
    // Switched on again it has a clean slate.
    healthy = true
    await patch(`/v1/developer/webhooks/${id}`, { token, json: { isActive: true } })
    expect(await webhookOf(id)).toMatchObject({ isActive: true, failures: 0, failingSince: null })
    await happen()
    await deliverDue()
    expect((await webhookOf(id))?.isActive).toBe(true)
    receiver.close()
  })

  test("has had a message is not sent it again by way of another webhook, a stranger's or one's own", async () => {
    const receiver = openReceiver()
    const mine = await makeListening(receiver.url)
    await mine.happen()
    await deliverDue()
    const message = await messageOf(mine.id)
    const other = await makeListening('http://127.0.0.1:9/')
    const second = await post('/v1/developer/webhooks', {
      token: mine.token,
      json: { url: 'http://127.0.0.1:9/', eventTypes: ['badge.*'] },
    })
    const retry = (webhookId: string, messageId: string | undefined, token: string) =>
      post(`/v1/developer/webhooks/${webhookId}/messages/${messageId}/retry`, { token })
    const missing = await retry(other.id, Bun.randomUUIDv7(), other.token)
    expect(missing.body.code).toBe('not_found')
    for (const foreign of [
      await retry(other.id, message?.id, other.token),
      await retry(second.body.data.id, message?.id, mine.token),
    ])
      expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    expect((await retry(mine.id, message?.id, other.token)).status).toBe(404)
    expect(await messageOf(mine.id)).toEqual(message)
    receiver.close()
  })

  test('was down is sent a message again when asked, with the same id', async () => {
    let healthy = false
    const receiver = openReceiver(() => new Response('', { status: healthy ? 200 : 500 }))
    const { id, happen, token } = await makeListening(receiver.url)
    await happen()
    await deliverDue()
    healthy = true
    const message = await messageOf(id)
    const path = `/v1/developer/webhooks/${id}/messages/${message?.id}/retry`
    expect((await post(path, { token })).body).toEqual({ data: { success: true } })
    await deliverDue()
    expect(receiver.received.map(({ id }) => id)).toEqual([message?.id, message?.id] as string[])
    expect((await messageOf(id))?.status).toBe('succeeded')
    receiver.close()
  })
})
