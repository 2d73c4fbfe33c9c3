import { describe, expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { webhookMessages, webhooks } from '@/db/tables/webhooks'
import { countDeliveries } from '@/modules/developers/webhooks/deliveries/queries'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { recordResults } from '@/modules/developers/webhooks/dispatch/record-results'
import { findWebhook } from '@/modules/developers/webhooks/queries'
import { runSweeps } from '../../../../workers/sweeps'
import { del, get, patch, post } from '../../../support/api'
import { deliverDue, leaveOthersOut } from '../../../support/deliveries'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { usualDeadlines } from '../../../support/usual-deadlines'
import { makeListening, messagesOf, openGate, queue, resultOf, rowsFor } from './fixtures'

leaveOthersOut()

const PATH = '/v1/developer/webhooks'

describe('what is claimed', () => {
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
    // The look that takes a message reads the secret after that; once a second message is taken, that look is over.
    for (const _ of ['while the first look goes on', 'after it']) {
      await queue(id, 1)
      dispatcher.wake()
      await until('it was taken', async () =>
        (await messagesOf(id)).every(({ leaseOwner }) => leaseOwner !== null),
      )
    }
    receiver.open()
    await until('all were sent', () => receiver.received.length === 22)
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

test('a secret opens for its own webhook alone', async () => {
  const receiver = openReceiver()
  const [mine, theirs] = [await makeListening(receiver.url), await makeListening(receiver.url)]
  const [stolen] = await db.select().from(webhooks).where(eq(webhooks.id, theirs.id))
  await db.update(webhooks).set({ secret: stolen?.secret }).where(eq(webhooks.id, mine.id))
  await queue(mine.id, 1)
  await deliverDue()
  expect(receiver.received).toEqual([])
  const { deliveries } = (await get(`${PATH}/${mine.id}/deliveries`, { token: mine.token })).body.data
  expect(deliveries[0].error).toBe('The secret can no longer be opened: give the webhook a new one')
  await db.delete(webhooks).where(inArray(webhooks.id, [mine.id, theirs.id]))
  receiver.close()
})

test('a webhook with a long history is deleted with all of it', async () => {
  const { id, token } = await makeListening('http://127.0.0.1:9/')
  await queue(id, 11_000)
  expect((await del(`${PATH}/${id}`, { token })).status).toBe(200)
  expect((await messagesOf(id)).length).toBe(0)
})

test('messages are kept for a month, and those that wait for somebody who hears for as long as it takes', async () => {
  const before = (await countDeliveries(db, now())).due
  const [on, off, away] = [
    await makeListening('http://127.0.0.1:9/'),
    await makeListening('http://127.0.0.1:9/'),
    await makeListening('http://127.0.0.1:9/'),
  ]
  const old = { createdAt: new Date(Date.now() - 31 * 24 * 60 * 60 * 1000) }
  const done = { status: 'succeeded', nextAttemptAt: null } as const
  for (const { id } of [on, off, away])
    await db
      .insert(webhookMessages)
      .values(rowsFor(id, 4).map((row, i) => ({ ...row, ...(i % 2 > 0 && done), ...(i < 2 && old) })))
  await patch(`${PATH}/${off.id}`, { token: off.token, json: { isActive: false } })
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, away.user.id))
  await runSweeps()
  const left = async (id: string) => (await messagesOf(id)).map(({ status }) => status)
  expect(await left(on.id)).toEqual(['pending', 'pending', 'succeeded'])
  expect(await left(off.id)).toEqual(['pending', 'succeeded'])
  expect(await left(away.id)).toEqual(['pending', 'succeeded'])
  // Who watches over the queue is not told of what waits for nobody.
  expect((await countDeliveries(db, now())).due - before).toBe(2)
  await db.delete(webhooks).where(inArray(webhooks.id, [on.id, off.id, away.id]))
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

async function deadlocks(): Promise<number> {
  await db.execute(sql`select pg_stat_force_next_flush()`)
  const [row] = await db.execute(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  )
  return Number(row?.deadlocks)
}

describe('writing down what came of messages', () => {
  test('does not wait for somebody who changes the webhook', async () => {
    const { id, user } = await makeListening('http://127.0.0.1:9/')
    const leaseOwner = newId()
    await queue(id, 1)
    await db.update(webhookMessages).set({ leaseOwner }).where(eq(webhookMessages.webhookId, id))
    const [message] = await messagesOf(id)
    await db.transaction(async (tx) => {
      await findWebhook(tx, { userId: user.id, grantId: null }, id, true)
      await recordResults(leaseOwner, [resultOf(id, message?.id as string, true)])
    })
    expect((await messagesOf(id))[0]?.status).toBe('succeeded')
  })

  test('by two workers with the same receivers happens in turn, whoever failed for whom', async () => {
    const before = await deadlocks()
    const hooks = [await makeListening('http://127.0.0.1:9/'), await makeListening('http://127.0.0.1:9/')]
    const ids = hooks.map(({ id }) => id)
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        [0, 1].map(async (turn) => {
          const leaseOwner = newId()
          const rows = ids.flatMap((id) => rowsFor(id, 1))
          await db.insert(webhookMessages).values(rows.map((row) => ({ ...row, leaseOwner })))
          await recordResults(
            leaseOwner,
            rows.map(({ id, webhookId }, i) => resultOf(webhookId, id, i === turn)),
          )
        }),
      )
    }
    expect((await deadlocks()) - before).toBe(0)
    for (const id of ids) await db.delete(webhooks).where(eq(webhooks.id, id))
  })

  test('is held up by a change of one receiver for that one alone, however many there are', async () => {
    using _ = usualDeadlines()
    const { user } = await makeListening('http://127.0.0.1:9/')
    const url = 'http://127.0.0.1:9/'
    const row = { ownerId: user.id, url, eventTypes: ['*'], scopes: ['user'], secret: new Uint8Array(52) }
    const hooks = await db
      .insert(webhooks)
      .values(Array.from({ length: 300 }, () => ({ ...row, id: newId() })))
      .returning({ id: webhooks.id })
    const leaseOwner = newId()
    const rows = hooks.flatMap(({ id }) => rowsFor(id, 1))
    await db.insert(webhookMessages).values(rows.map((one) => ({ ...one, leaseOwner })))
    const held = hooks[7]?.id as string
    await db.transaction(async (tx) => {
      await tx.select().from(webhooks).where(eq(webhooks.id, held)).for('update')
      await recordResults(
        leaseOwner,
        rows.map(({ id, webhookId }) => resultOf(webhookId, id, true)),
      )
    })
    const waiting = await db
      .select({ webhookId: webhookMessages.webhookId })
      .from(webhookMessages)
      .where(eq(webhookMessages.leaseOwner, leaseOwner))
    expect(waiting).toEqual([{ webhookId: held }])
    await db.delete(webhooks).where(eq(webhooks.ownerId, user.id))
  })

  test('does not get in the way of deleting the webhook', async () => {
    const faults: unknown[] = []
    const before = await deadlocks()
    for (let round = 0; round < 8; round += 1) {
      const { id, token } = await makeListening('http://127.0.0.1:9/')
      const leaseOwner = newId()
      const rows = rowsFor(id, 1500)
      await db.insert(webhookMessages).values(rows.map((row) => ({ ...row, leaseOwner })))
      const results = rows.map((row) => resultOf(id, row.id, true)).toSorted(() => Math.random() - 0.5)
      const [gone] = await Promise.all([
        del(`${PATH}/${id}`, { token }),
        ...[0, 500, 1000].map((from) =>
          recordResults(leaseOwner, results.slice(from, from + 500)).catch((fault) => faults.push(fault)),
        ),
      ])
      expect(gone.status).toBe(200)
    }
    expect(faults).toEqual([])
    expect((await deadlocks()) - before).toBe(0)
  })

  test('is up to whoever has the message now: one whose lease ran out is too late', async () => {
    const { id, token } = await makeListening('http://127.0.0.1:9/')
    const [late, holder] = [newId(), newId()]
    await queue(id, 2)
    await db.update(webhookMessages).set({ leaseOwner: holder }).where(eq(webhookMessages.webhookId, id))
    const before = await messagesOf(id)
    for (const [index, { id: messageId }] of before.entries())
      await recordResults(late, [resultOf(id, messageId, index === 0)])
    expect(await messagesOf(id)).toEqual(before)
    expect((await get(`${PATH}/${id}/deliveries`, { token })).body.data.deliveries).toEqual([])
    const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, id))
    expect([webhook?.failures, webhook?.failingSince]).toEqual([0, null])
    for (const { id: messageId } of before) await recordResults(holder, [resultOf(id, messageId, true)])
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
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
    await recordResults(leaseOwner, [last])
    expect((await messagesOf(id))[0]?.status).toBe('pending')
    await db.delete(webhooks).where(eq(webhooks.id, id))
  })
})
