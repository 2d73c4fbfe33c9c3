import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { advanceClock } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { webhookMessages } from '@/db/tables/webhooks'
import { startDispatcher } from '@/modules/webhooks/deliveries/dispatcher'
import { until } from '../../support/processes'
import { openReceiver } from '../../support/receiver'
import { makeListening } from './town'

let moved = 0
afterEach(() => {
  advanceClock(-moved)
  moved = 0
})

const queue = (webhookId: string, count: number) =>
  db.insert(webhookMessages).values(
    Array.from({ length: count }, () => ({
      id: newId(),
      webhookId,
      eventType: 'user.updated',
      body: '{}',
      nextAttemptAt: new Date(),
    })),
  )

test('a slow receiver is not sent a message whose lease ran out while it waited in line', async () => {
  const gate = Promise.withResolvers<void>()
  const receiver = openReceiver(async () => {
    await gate.promise
    return new Response('ok')
  })
  const { id } = await makeListening(receiver.url)
  await queue(id, 20)
  const dispatcher = startDispatcher()
  await until('as many are under way as may be', () => receiver.received.length === 16)
  // The four that wait in line have been leased for 25 of 30 seconds when a fifth comes in with a lease of its own.
  moved = 25_000
  advanceClock(moved)
  await queue(id, 1)
  dispatcher.wake()
  const [newest] = (await db.select().from(webhookMessages).where(eq(webhookMessages.webhookId, id))).slice(
    -1,
  )
  await until('the newest is in hand', async () => {
    const [row] = await db
      .select()
      .from(webhookMessages)
      .where(eq(webhookMessages.id, newest?.id as string))
    return row?.leaseUntil !== null
  })
  gate.resolve()
  await until('the newest was sent', () => receiver.received.some(({ id: sent }) => sent === newest?.id))
  await dispatcher.stop()
  // The four are left for whoever takes them when their lease is over; nothing was sent twice.
  expect(receiver.received.length).toBe(17)
  expect(new Set(receiver.received.map(({ id: sent }) => sent)).size).toBe(17)
  await db.delete(webhookMessages).where(eq(webhookMessages.webhookId, id))
  receiver.close()
})
