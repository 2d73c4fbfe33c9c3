import { afterEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { advanceClock } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { webhookMessages, webhooks } from '@/db/tables/webhooks'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { recordResults } from '@/modules/developers/webhooks/dispatch/record-results'
import { leaveOthersOut } from '../../../support/deliveries'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { makeListening, messagesOf, openGate, queue, resultOf } from './fixtures'

leaveOthersOut()

let moved = 0
afterEach(() => {
  advanceClock(-moved)
  moved = 0
})

test('a slow receiver is not sent a message whose lease ran out while it waited in line', async () => {
  const receiver = openGate()
  const { id } = await makeListening(receiver.url)
  await queue(id, 20)
  const dispatcher = startDispatcher()
  await until('as many are under way as may be', () => receiver.received.length === 16)
  // The four that wait in line have been leased for 25 of 30 seconds when a fifth comes in with a lease of its own.
  moved = 25_000
  advanceClock(moved)
  await queue(id, 1)
  dispatcher.wake()
  const newest = (await messagesOf(id)).at(-1)
  await until('the newest is claimed', async () => {
    const [row] = await db
      .select()
      .from(webhookMessages)
      .where(eq(webhookMessages.id, newest?.id as string))
    return row?.leaseUntil !== null
  })
  receiver.open()
  await until('the newest was sent', () => receiver.received.some(({ id: sent }) => sent === newest?.id))
  await dispatcher.stop()
  // The four are left for whoever takes them when their lease is over; nothing was sent twice.
  expect(receiver.received.length).toBe(17)
  expect(new Set(receiver.received.map(({ id: sent }) => sent)).size).toBe(17)
  await db.delete(webhookMessages).where(eq(webhookMessages.webhookId, id))
  receiver.close()
})

test('a receiver that keeps failing is tried one message after the other, with a rest after each', async () => {
  let [busy, most] = [0, 0]
  const receiver = openReceiver(async (_, count) => {
    busy += 1
    if (count > 20) most = Math.max(most, busy)
    await Bun.sleep(1)
    busy -= 1
    return new Response(null, { status: 500 })
  })
  const { id } = await makeListening(receiver.url)
  await queue(id, 40)
  const dispatcher = startDispatcher()
  // The first come at once, before it is known how it answers.
  await until('it was tried some times more', () => receiver.received.length >= 24)
  await dispatcher.stop()
  expect(most).toBe(1)
  const [before, last] = receiver.received.slice(-2).map(({ at }) => at) as [number, number]
  expect(last - before).toBeGreaterThanOrEqual(240)
  await db.delete(webhookMessages).where(eq(webhookMessages.webhookId, id))
  receiver.close()
})

test('nothing more is claimed while results cannot be recorded', async () => {
  const receiver = openReceiver()
  const { id } = await makeListening(receiver.url)
  await queue(id, 3000)
  const dispatcher = startDispatcher()
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table webhook_attempts in share mode`)
    await until('half of what may be in progress was sent', () => receiver.received.length > 1024)
    for (let looks = 0; looks < 50; looks += 1) {
      dispatcher.wake()
      await db.execute(sql`select pg_sleep(0.02)`)
    }
    expect(receiver.received.length).toBeLessThan(1024 + 128)
  })
  await until('all is recorded', async () =>
    (await messagesOf(id)).every(({ status }) => status === 'succeeded'),
  )
  await dispatcher.stop()
  expect(receiver.received).toHaveLength(3000)
  await db.delete(webhooks).where(eq(webhooks.id, id))
  receiver.close()
})

test('deleting a webhook and writing down what came of its messages wait for each other in turn', async () => {
  const { id } = await makeListening('http://127.0.0.1:9/')
  await db.update(webhooks).set({ failures: 1 }).where(eq(webhooks.id, id))
  await queue(id, 1)
  const [message] = await messagesOf(id)
  const leaseOwner = newId()
  await db.update(webhookMessages).set({ leaseOwner }).where(eq(webhookMessages.webhookId, id))
  let settled: Promise<unknown> | undefined
  let deleted: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await tx.select().from(webhookMessages).where(eq(webhookMessages.webhookId, id)).for('update')
    settled = recordResults(leaseOwner, [resultOf(id, message?.id as string, true)])
    await until('one waits', async () => (await waiting()) === 1)
    deleted = db.delete(webhooks).where(eq(webhooks.id, id)).execute()
    await until('both wait', async () => (await waiting()) === 2)
  })
  expect(await settled).toEqual([])
  await deleted
})

const waiting = async () =>
  Number(
    (
      await db.execute(
        sql`select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    )[0]?.count,
  )
