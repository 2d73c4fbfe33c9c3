import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { webhookMessages } from '@/db/tables/webhooks'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { leaveOthersOut } from '../../../support/deliveries'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { makeListening, messagesOf, queue } from './fixtures'

leaveOthersOut()

/** A message that another worker has claimed, whose last heartbeat was so long ago. */
async function heldBy(url: string, silence: string | null) {
  const { id } = await makeListening(url)
  await queue(id, 1)
  const leaseOwner = newId()
  const leaseUntil = new Date(Date.now() + 25_000)
  await db.update(webhookMessages).set({ leaseOwner, leaseUntil }).where(eq(webhookMessages.webhookId, id))
  if (silence !== null)
    await db.execute(
      sql`insert into heartbeats (worker, at) values (${`webhooks ${leaseOwner}`}, now() - ${silence}::interval)`,
    )
  return id
}

const statusOf = async (webhookId: string) => (await messagesOf(webhookId))[0]?.status

test('what a worker had claimed is taken over when its heartbeat is missed, long before its lease runs out', async () => {
  const receiver = openReceiver()
  const dead = await heldBy(receiver.url, '6 seconds')
  // Controls: one that lives, and one of a release that had no heartbeat.
  const others = [await heldBy(receiver.url, '1 second'), await heldBy(receiver.url, null)]
  const dispatcher = startDispatcher()
  await until('it was taken over', async () => (await statusOf(dead)) === 'succeeded')
  await dispatcher.stop()
  expect(receiver.received).toHaveLength(1)
  for (const id of others) expect(await statusOf(id)).toBe('pending')
  for (const id of [dead, ...others])
    await db.delete(webhookMessages).where(eq(webhookMessages.webhookId, id))
  receiver.close()
})

test('a worker beats while it runs, and leaves no heartbeat when it stops', async () => {
  const dispatcher = startDispatcher()
  const beats = () =>
    db.execute(sql`select at from heartbeats where worker = ${`webhooks ${dispatcher.id}`}`) as Promise<
      unknown[]
    >
  await until('it beats', async () => (await beats()).length === 1)
  await dispatcher.stop()
  expect(await beats()).toEqual([])
})
