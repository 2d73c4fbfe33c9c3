import { describe, expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { webhookMessages, webhooks } from '@/db/tables/webhooks'
import { transaction } from '@/db/transaction'
import { startDispatcher } from '@/modules/webhooks/dispatch/dispatcher'
import { settle } from '@/modules/webhooks/dispatch/settle'
import { findWebhook, insertMessages } from '@/modules/webhooks/queries'
import { sweep } from '../../../workers/sweeps'
import { del, get, patch, post } from '../../support/api'
import { deliverDue } from '../../support/deliveries'
import { makeToken } from '../../support/make'
import { until } from '../../support/processes'
import { openReceiver } from '../../support/receiver'
import { makeListening, messagesOf, openGate, queue, resultOf, rowsFor } from './town'

const PATH = '/v1/developer/webhooks'

describe('what is in hand', () => {
  for (const [what, change] of [
    ['deleted', (id: string, token: string) => del(`${PATH}/${id}`, { token })],
    [
      'switched off',
      (id: string, token: string) => patch(`${PATH}/${id}`, { token, json: { isActive: false } }),
    ],
  ] as const)
    test(`does not go to a webhook that was ${what}`, async () => {
      const receiver = openGate()
      const { id, token } = await makeListening(receiver.url)
      await queue(id, 40)
      const dispatcher = startDispatcher()
      await until('as many are under way as may be', () => receiver.received.length === 16)
      expect((await change(id, token)).status).toBe(200)
      dispatcher.wake()
      // Whatever was not begun has gone back.
      await until('the leases are given back', async () =>
        (await messagesOf(id)).every(({ id: own, leaseOwner }) =>
          receiver.received.some((one) => one.id === own) ? true : leaseOwner === null,
        ),
      )
      receiver.open()
      await dispatcher.stop()
      expect(receiver.received.length).toBe(16)
      await db.delete(webhooks).where(eq(webhooks.id, id))
      receiver.close()
    })

  test('is signed with the secret that holds when it is sent', async () => {
    const receiver = openGate()
    const { id, token } = await makeListening(receiver.url)
    await queue(id, 20)
    const dispatcher = startDispatcher()
    await until('as many are under way as may be', () => receiver.received.length === 16)
    const signatures = (from: number) =>
      receiver.received.slice(from).map(({ signature }) => signature.split(' ').length)
    expect((await post(`${PATH}/${id}/rotate-secret`, { token })).status).toBe(200)
    const [before] = await db.select().from(webhooks).where(eq(webhooks.id, id))
    expect(before?.oldSecrets).toHaveLength(1)
    dispatcher.wake()
    // Another message makes it look again, so that the lane has heard of the new secret.
    await queue(id, 1)
    dispatcher.wake()
    await until('it was taken', async () =>
      (await messagesOf(id)).every(({ leaseOwner }) => leaseOwner !== null),
    )
    receiver.open()
    await until('all were sent', () => receiver.received.length === 21)
    await dispatcher.stop()
    expect(new Set(signatures(0).slice(0, 16))).toEqual(new Set([1]))
    expect(new Set(signatures(16))).toEqual(new Set([2]))
    await db.delete(webhooks).where(eq(webhooks.id, id))
    receiver.close()
  })

  test('goes back to others when a worker stops', async () => {
    const receiver = openGate()
    const { id } = await makeListening(receiver.url)
    await queue(id, 40)
    const dispatcher = startDispatcher()
    await until('as many are under way as may be', () => receiver.received.length === 16)
    const stopped = dispatcher.stop()
    receiver.open()
    await stopped
    const left = (await messagesOf(id)).filter(({ status }) => status === 'pending')
    expect([left.length, left.every(({ leaseOwner }) => leaseOwner === null)]).toEqual([24, true])
    await db.delete(webhooks).where(eq(webhooks.id, id))
    receiver.close()
  })
})

test('a secret that no longer opens fails alone, says so, and is mended by a new one', async () => {
  const receiver = openReceiver()
  const broken = await makeListening(receiver.url)
  const healthy = await makeListening(receiver.url)
  const garbage = new Uint8Array(60)
  await db.update(webhooks).set({ secret: garbage }).where(eq(webhooks.id, broken.id))
  await queue(broken.id, 1)
  await queue(healthy.id, 1)
  await deliverDue()
  expect(receiver.received.length).toBe(1)
  const [{ error }] = (await get(`${PATH}/${broken.id}/deliveries`, { token: broken.token })).body.data
    .deliveries
  expect(error).toBe('The secret can no longer be opened: give the webhook a new one')
  expect((await post(`${PATH}/${broken.id}/rotate-secret`, { token: broken.token })).status).toBe(200)
  const tested = await post(`${PATH}/${broken.id}/test`, { token: broken.token })
  expect(tested.body.data.success).toBe(true)
  await db.delete(webhooks).where(eq(webhooks.id, broken.id))
  receiver.close()
})

test('a credential that may hear less cannot turn a webhook elsewhere', async () => {
  const { id, user } = await makeListening('http://127.0.0.1:9/')
  const { token } = await makeToken(user.id, ['developer'])
  for (const json of [{ url: 'http://127.0.0.1:8/' }, { eventTypes: ['*'] }])
    expect((await patch(`${PATH}/${id}`, { token, json })).body.code).toBe('forbidden')
  expect((await patch(`${PATH}/${id}`, { token, json: { isActive: false } })).status).toBe(200)
})

test('what is to be told may be more than one statement can say', async () => {
  const { id } = await makeListening('http://127.0.0.1:9/')
  await queue(id, 14_000)
  expect((await messagesOf(id)).length).toBe(14_000)
  await db.delete(webhooks).where(eq(webhooks.id, id))
})

test('a webhook with a long history is deleted with all of it', async () => {
  const { id, token } = await makeListening('http://127.0.0.1:9/')
  await queue(id, 11_000)
  expect((await del(`${PATH}/${id}`, { token })).status).toBe(200)
  expect((await messagesOf(id)).length).toBe(0)
})

test('messages are kept for a month, and those that wait for a webhook that is on for as long as it takes', async () => {
  const [on, off] = [await makeListening('http://127.0.0.1:9/'), await makeListening('http://127.0.0.1:9/')]
  const old = { createdAt: new Date(Date.now() - 31 * 24 * 60 * 60 * 1000) }
  const done = { status: 'succeeded', nextAttemptAt: null } as const
  for (const { id } of [on, off])
    await transaction((tx) =>
      insertMessages(
        tx,
        rowsFor(id, 4).map((row, i) => ({ ...row, ...(i % 2 > 0 && done), ...(i < 2 && old) })),
      ),
    )
  await patch(`${PATH}/${off.id}`, { token: off.token, json: { isActive: false } })
  await sweep()
  const left = async (id: string) => (await messagesOf(id)).map(({ status }) => status)
  expect(await left(on.id)).toEqual(['pending', 'pending', 'succeeded'])
  expect(await left(off.id)).toEqual(['pending', 'succeeded'])
  await db.delete(webhooks).where(inArray(webhooks.id, [on.id, off.id]))
})

test('nothing goes out for somebody who is suspended, until they are back', async () => {
  const receiver = openReceiver()
  const { id, user } = await makeListening(receiver.url)
  await queue(id, 1)
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, user.id))
  const dispatcher = startDispatcher()
  const other = await makeListening(receiver.url)
  await queue(other.id, 1)
  dispatcher.wake()
  await until('others hear', () => receiver.received.length === 1)
  expect((await messagesOf(id)).map(({ attempts, leaseOwner }) => [attempts, leaseOwner])).toEqual([
    [0, null],
  ])
  await db.update(users).set({ suspendedAt: null }).where(eq(users.id, user.id))
  dispatcher.wake()
  await until('they hear', () => receiver.received.length === 2)
  await dispatcher.stop()
  receiver.close()
})

describe('writing down what came of messages', () => {
  test('does not wait for somebody who changes the webhook', async () => {
    const { id, user } = await makeListening('http://127.0.0.1:9/')
    const leaseOwner = newId()
    await queue(id, 1)
    await db.update(webhookMessages).set({ leaseOwner }).where(eq(webhookMessages.webhookId, id))
    const [message] = await messagesOf(id)
    await db.transaction(async (tx) => {
      await findWebhook(tx, user.id, id, true)
      await settle(leaseOwner, [resultOf(id, message?.id as string, true)])
    })
    expect((await messagesOf(id))[0]?.status).toBe('succeeded')
  })

  test('by two workers with the same receivers happens in turn, whoever failed for whom', async () => {
    const deadlocks = async () =>
      Number(
        (await db.execute(sql`select deadlocks from pg_stat_database where datname = current_database()`))[0]
          ?.deadlocks,
      )
    const before = await deadlocks()
    const hooks = [await makeListening('http://127.0.0.1:9/'), await makeListening('http://127.0.0.1:9/')]
    const ids = hooks.map(({ id }) => id)
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        [0, 1].map(async (turn) => {
          const leaseOwner = newId()
          const rows = ids.flatMap((id) => rowsFor(id, 1))
          await transaction((tx) =>
            insertMessages(
              tx,
              rows.map((row) => ({ ...row, leaseOwner })),
            ),
          )
          await settle(
            leaseOwner,
            rows.map(({ id, webhookId }, i) => resultOf(webhookId, id, i === turn)),
          )
        }),
      )
    }
    await db.execute(sql`select pg_stat_force_next_flush()`)
    expect((await deadlocks()) - before).toBe(0)
    for (const id of ids) await db.delete(webhooks).where(eq(webhooks.id, id))
  })

  test('keeps the attempt that somebody asked for meanwhile', async () => {
    const { id, token } = await makeListening('http://127.0.0.1:9/')
    const leaseOwner = newId()
    await queue(id, 1)
    await db.update(webhookMessages).set({ leaseOwner }).where(eq(webhookMessages.webhookId, id))
    const [message] = await messagesOf(id)
    const last = { ...resultOf(id, message?.id as string, false), nextAttemptAt: null }
    await Bun.sleep(2)
    expect((await post(`${PATH}/${id}/messages/${message?.id}/retry`, { token })).status).toBe(200)
    await settle(leaseOwner, [last])
    expect((await messagesOf(id))[0]?.status).toBe('pending')
    await db.delete(webhooks).where(eq(webhooks.id, id))
  })
})
