import { afterEach, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import { db } from '@/db/client'
import { openJobs } from '@/jobs/backend'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { fanOut } from '@/modules/developers/webhooks/fan-out/fan-out'
import { isConnected } from '@/outbox/bus'
import { startOutboxRelay } from '../../../../workers/outbox-relay'
import { leaveOthersOut, tellWebhooks } from '../../../support/deliveries'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { makeListening, messagesOf } from './fixtures'

leaveOthersOut()

const open: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
})

/** A receiver that was told something, so that its dispatcher has looked once, and looks again only when it is woken. */
async function makeAsleep() {
  const receiver = openReceiver()
  const { id, happen } = await makeListening(receiver.url)
  await happen()
  await tellWebhooks()
  open.push(startDispatcher({ pollMs: 600_000 }))
  await until('it has sent the first', async () => (await messagesOf(id))[0]?.status === 'succeeded')
  return { receiver, happen }
}

test('a dispatcher sends at once what the relay of its own process has written', async () => {
  const { receiver, happen } = await makeAsleep()
  const jobs = openJobs({ redisUrl: null, databaseUrl: process.env.DATABASE_URL as string })
  open.push(startOutboxRelay(jobs, [], (tx, events) => fanOut(tx, events, now())))
  open.push({ stop: () => jobs.close() })
  await happen()
  await until('it was sent', () => receiver.received.length === 2)
  receiver.close()
})

test('a dispatcher sends at once what the relay of another process has written', async () => {
  const { receiver } = await makeAsleep()
  await until('other processes are heard', isConnected)
  await db.execute(sql`update webhook_messages set status = 'pending', next_attempt_at = now()`)
  const message = JSON.stringify({ from: 'another', facts: [{ type: 'webhooks.due', data: {} }] })
  await db.execute(sql`select pg_notify('folkmoot_facts', ${message}::text)`)
  await until('it was sent', () => receiver.received.length === 2)
  receiver.close()
})
