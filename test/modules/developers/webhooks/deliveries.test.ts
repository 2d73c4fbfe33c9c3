import { afterEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { db } from '@/db/client'
import { webhookMessages, webhooks } from '@/db/tables/webhooks'
import { get, patch, post } from '../../../support/api'
import { deliverDue, leaveOthersOut, tellWebhooks } from '../../../support/deliveries'
import { makeCaller } from '../../../support/make'
import { openReceiver, type Received } from '../../../support/receiver'
import { HOUR_MS, later } from '../../../support/time'

leaveOthersOut()

const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const receiver = (...given: Parameters<typeof openReceiver>) => {
  const made = openReceiver(...given)
  open.push(made)
  return made
}

async function subscribe(token: string, url: string, eventTypes?: string[]) {
  const made = await post('/v1/developer/webhooks', { token, json: { url, eventTypes } })
  expect(made.status).toBe(201)
  return made.body.data as { id: string; secret: string }
}

/** A delivery to a receiver that answers so. */
async function deliverTo(answer: () => Response) {
  const { url } = receiver(answer)
  const { token } = await makeCaller(['user', 'developer'])
  const { id } = await subscribe(token, url, ['user.*'])
  await patch('/v1/profile', { token, json: { bio: 'x' } })
  await deliverDue()
  return { token, id }
}

const lastOf = async (id: string, token: string) =>
  (await get(`/v1/developer/webhooks/${id}/deliveries`, { token })).body.data.deliveries[0]

const verify = (secret: string, { id, timestamp, signature, body }: Received) => {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  const svix = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signature }
  expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new SvixWebhook(secret).verify(body, svix)).not.toThrow()
}

describe('a delivery', () => {
  test('is signed so that the libraries of others accept it, in rotation too', async () => {
    const { received, url } = receiver()
    const { token } = await makeCaller(['user', 'developer'])
    const { id, secret } = await subscribe(token, url, ['user.*'])
    await patch('/v1/profile', { token, json: { bio: 'one' } })
    await deliverDue()
    expect(received.length).toBe(1)
    verify(secret, received[0] as Received)
    expect(JSON.parse(received[0]?.body as string)).toEqual({
      type: 'user.updated',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { userId: expect.any(String), fields: ['bio'], sequence: expect.any(Number) },
    })

    const rotated = await post(`/v1/developer/webhooks/${id}/rotate-secret`, { token })
    await patch('/v1/profile', { token, json: { bio: 'two' } })
    await deliverDue()
    expect(received.length).toBe(2)
    verify(secret, received[1] as Received)
    verify(rotated.body.data.secret, received[1] as Received)
    expect(received[1]?.signature.split(' ').length).toBe(2)
  })

  test('is signed with every secret of the last day, and with no more than six', async () => {
    const { received, url } = receiver()
    const { token } = await makeCaller(['user', 'developer'])
    const { id, secret } = await subscribe(token, url, ['user.*'])
    const secrets = [secret]
    const rotate = async () => {
      const rotated = await post(`/v1/developer/webhooks/${id}/rotate-secret`, { token })
      secrets.unshift(rotated.body.data.secret)
    }
    const deliver = async () => {
      await patch('/v1/profile', { token, json: { bio: crypto.randomUUID() } })
      await deliverDue()
      return received.at(-1) as Received
    }
    await rotate()
    await rotate()
    const delivery = await deliver()
    for (const each of secrets) verify(each, delivery)
    for (let i = 0; i < 5; i += 1) await rotate()
    expect((await deliver()).signature.split(' ').length).toBe(6)
    expect((await later(23.9 * HOUR_MS, deliver)).signature.split(' ').length).toBe(6)
    expect((await later(24 * HOUR_MS, deliver)).signature.split(' ').length).toBe(1)
  })

  for (const status of [200, 202, 204, 299])
    test(`that is answered with ${status} has arrived`, async () => {
      const { token, id } = await deliverTo(() => new Response(null, { status }))
      expect(await lastOf(id, token)).toMatchObject({
        statusCode: status,
        success: true,
        nextAttemptAt: null,
      })
    })

  for (const status of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 429, 500, 503])
    test(`that is answered with ${status} has not, and comes again`, async () => {
      const headers = { location: 'http://127.0.0.1:9/elsewhere' }
      const { token, id } = await deliverTo(() => new Response(null, { status, headers }))
      expect(await lastOf(id, token)).toMatchObject({
        statusCode: status,
        success: false,
        error: expect.stringContaining(`It answered ${status}`),
        nextAttemptAt: expect.any(String),
      })
    })

  test('that fails comes again with the same id and bytes until it succeeds', async () => {
    const { received, url } = receiver((_, count) => new Response('', { status: count < 3 ? 500 : 204 }))
    const { token, user } = await makeCaller(['user', 'developer'])
    const { id } = await subscribe(token, url)
    await patch('/v1/profile', { token, json: { bio: 'x' } })
    await deliverDue()
    for (let i = 0; i < 2; i += 1) {
      await db
        .update(webhookMessages)
        .set({ nextAttemptAt: new Date() })
        .where(eq(webhookMessages.webhookId, id))
      await deliverDue()
    }
    expect(received.length).toBe(3)
    expect(new Set(received.map(({ id, body }) => id + body)).size).toBe(1)
    const { deliveries } = (await get(`/v1/developer/webhooks/${id}/deliveries`, { token })).body.data
    expect(
      deliveries.map(({ attempt, statusCode, success, error }: Record<string, unknown>) => [
        attempt,
        statusCode,
        success,
        error,
      ]),
    ).toEqual([
      [3, 204, true, null],
      [2, 500, false, 'It answered 500'],
      [1, 500, false, 'It answered 500'],
    ])
    const [row] = await db.select().from(webhooks).where(eq(webhooks.ownerId, user.id))
    expect([row?.failures, row?.failingSince]).toEqual([0, null])
  })
})

test('people hear of themselves, not of others', async () => {
  const mine = receiver()
  const { token } = await makeCaller(['user', 'developer'])
  await subscribe(token, mine.url)
  const other = await makeCaller(['user'])
  await patch('/v1/profile', { token: other.token, json: { bio: 'not yours' } })
  await tellWebhooks()
  await deliverDue()
  expect(mine.received).toEqual([])
})
