import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { EVENT_TYPES } from '@/core/domain-events'
import { db } from '@/db/client'
import { webhooks } from '@/db/tables/webhooks'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller } from '../../../support/make'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { openGate } from './fixtures'

const PATH = '/v1/developer/webhooks'
const url = 'http://127.0.0.1:9/hook'

describe('webhooks', () => {
  test('are made, listed, changed and deleted by their owner alone', async () => {
    const [owner, other] = [await makeCaller(['developer']), await makeCaller(['developer'])]
    const made = await post(PATH, { token: owner.token, json: { url } })
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      id: expect.any(String),
      url,
      eventTypes: ['*'],
      isActive: true,
      disabledReason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      createdAt: expect.any(String),
    })
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { id, secret, ...shown } = made.body.data
    const { token } = owner
    expect((await get(PATH, { token })).body.data).toEqual({ webhooks: [{ id, ...shown }] })
    expect((await get(PATH, { token: other.token })).body.data).toEqual({ webhooks: [] })
    const path = `${PATH}/${id}`
    for (const foreign of [
      await patch(path, { token: other.token, json: { isActive: false } }),
      await del(path, { token: other.token }),
      await get(`${path}/deliveries`, { token: other.token }),
      await post(`${path}/test`, { token: other.token }),
      await post(`${path}/rotate-secret`, { token: other.token }),
    ])
      expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
    const changed = await patch(path, {
      token,
      json: { eventTypes: ['rsvp.*'], isActive: false, secret: 'mine', ownerId: other.user.id },
    })
    expect(changed.body.data).toEqual({ id, ...shown, eventTypes: ['rsvp.*'], isActive: false })
    expect((await patch(path, { token, json: {} })).body.data).toEqual(changed.body.data)
    const rotated = await post(`${path}/rotate-secret`, { token })
    expect([rotated.status, rotated.body.data.secret === secret]).toEqual([200, false])
    expect((await del(path, { token })).body).toEqual({ data: { success: true } })
    expect((await del(path, { token })).status).toBe(404)
  })

  test('keep their secrets encrypted', async () => {
    const { token } = await makeCaller(['developer'])
    const { id, secret } = (await post(PATH, { token, json: { url } })).body.data
    const raw = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id))
    expect(Buffer.from(row?.secret as Uint8Array).includes(raw)).toBe(false)
    const [text] = await db.execute<{ all: string }>(
      sql`select w::text as all from webhooks w where id = ${id}`,
    )
    expect(text?.all).not.toContain(secret)
    expect(text?.all).not.toContain(raw.toString('hex'))
  })

  test('are twenty at most, also when made at once', async () => {
    const { token } = await makeCaller(['developer'])
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await post(PATH, { token, json: { url } })).status),
    )
    expect(statuses.filter((status) => status === 201).length).toBe(20)
    expect(statuses.filter((status) => status === 409).length).toBe(10)
  })

  for (const [what, json] of Object.entries({
    'no url': {},
    'an empty list': { url, eventTypes: [] },
    'an empty name': { url, eventTypes: [''] },
    'a list of numbers': { url, eventTypes: [1] },
    'too many names': { url, eventTypes: Array.from({ length: 101 }, (_, i) => `a.${i}`) },
    'something that is no url': { url: 'example' },
  }))
    test(`refuse ${what}`, async () => {
      const { token } = await makeCaller(['developer'])
      const answer = await post(PATH, { token, json })
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_error'])
    })
})

describe('a test delivery', () => {
  test('shows what the receiver answers, is logged, and is not repeated', async () => {
    const receiver = openReceiver(() => new Response('x'.repeat(5000), { status: 202 }))
    const { token, user } = await makeCaller(['developer'])
    const { id } = (await post(PATH, { token, json: { url: receiver.url } })).body.data
    const headers = { 'idempotency-key': id }
    const answer = await post(`${PATH}/${id}/test`, { token, headers })
    expect((await post(`${PATH}/${id}/test`, { token, headers })).body).toEqual(answer.body)
    expect(receiver.received.length).toBe(1)
    expect(answer.body.data).toEqual({ success: true, statusCode: 202, responseBody: 'x'.repeat(2048) })
    expect(JSON.parse(receiver.received[0]?.body as string)).toEqual({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { webhookId: id, userId: user.id, sequence: expect.any(Number) },
    })
    await post(`${PATH}/${id}/test`, { token, json: { eventType: 'rsvp.confirmed' } })
    expect(Object.keys(JSON.parse(receiver.received[1]?.body as string).data)).toEqual([
      'rsvpId',
      'eventId',
      'groupId',
      'userId',
      'sequence',
    ])
    const { deliveries } = (await get(`${PATH}/${id}/deliveries`, { token })).body.data
    expect(deliveries.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
      'rsvp.confirmed',
      'webhook.test',
    ])
    expect((await get(`${PATH}/${id}/deliveries?status=pending`, { token })).body.data.deliveries).toEqual([])
    receiver.close()
  })

  test('of a webhook that is deleted meanwhile finds it gone', async () => {
    const receiver = openGate()
    const { token } = await makeCaller(['developer'])
    const { id } = (await post(PATH, { token, json: { url: receiver.url } })).body.data
    const tested = post(`${PATH}/${id}/test`, { token })
    await until('it is under way', () => receiver.received.length === 1)
    expect((await del(`${PATH}/${id}`, { token })).status).toBe(200)
    receiver.open()
    expect((await tested).body).toEqual({ error: 'Webhook not found', code: 'not_found' })
    receiver.close()
  })

  test('tells no more than that it failed', async () => {
    const failing = openReceiver(() => new Response('no', { status: 500 }))
    const { token } = await makeCaller(['developer'])
    const refused = (await post(PATH, { token, json: { url: 'http://127.0.0.1:1/' } })).body.data.id
    const failed = (await post(PATH, { token, json: { url: failing.url } })).body.data.id
    const logged = async () => (await get(`${PATH}/${refused}/deliveries`, { token })).body.data.deliveries
    const startedAt = performance.now()
    const tested = post(`${PATH}/${refused}/test`, { token })
    await until('it is logged', async () => (await logged()).length > 0)
    // The log does not tell either how soon the connection was refused.
    expect(performance.now() - startedAt).toBeGreaterThan(3000)
    expect((await tested).body.data).toEqual({
      success: false,
      statusCode: null,
      responseBody: null,
    })
    expect((await post(`${PATH}/${failed}/test`, { token })).body.data).toEqual({
      success: false,
      statusCode: 500,
      responseBody: 'no',
    })
    expect(await logged()).toMatchObject([{ error: 'The receiver could not be reached', durationMs: 3000 }])
    failing.close()
  })
})

test('the catalogue has every type, with a sample that fits its schema', async () => {
  const { token } = await makeCaller(['developer'])
  const { data } = (await get('/v1/developer/event-types', { token })).body
  expect(data.map(({ type }: { type: string }) => type)).toEqual(EVENT_TYPES)
  for (const { type, schemaUrl, sample } of data) {
    const schema = (await get(new URL(schemaUrl).pathname)).body
    expect(schema.properties.type).toEqual({ const: type })
    expect(Object.keys(sample.data).sort()).toEqual([...schema.properties.data.required].sort())
  }
})
