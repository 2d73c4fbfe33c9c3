import { afterEach, beforeEach } from 'bun:test'
import { listeners } from '@/areas'
import { now } from '@/core/clock'
import { db } from '@/db/client'
import { webhooks } from '@/db/tables/webhooks'
import { countDeliveries } from '@/modules/developers/webhooks/deliveries/queries'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { fanOut } from '@/modules/developers/webhooks/fan-out/fan-out'
import { react, relayEvents } from '@/outbox/relay'
import { until } from './processes'

/** Takes up every domain event, lets listeners react, and writes a message for each webhook that is to get it. */
export async function tellWebhooks(): Promise<void> {
  for (let taken = true; taken; ) {
    taken = false
    const reactions = await relayEvents(listeners, async (tx, events) => {
      taken = true
      return fanOut(tx, events, now())
    })
    for (const { outboxId, listener } of reactions) await react(listeners, outboxId, listener)
  }
}

let isAlone = false

/**
 * For files that deliver: each test begins without the webhooks of others. An administrator's hears what everyone does,
 * in all tests before, and one whose receiver is gone is tried for days.
 */
export function leaveOthersOut(): void {
  beforeEach(async () => {
    await db.delete(webhooks)
    isAlone = true
  })
  afterEach(() => {
    isAlone = false
  })
}

/** Sends everything that is due and waits until nothing is. */
export async function deliverDue(): Promise<void> {
  if (!isAlone)
    throw new Error('Call leaveOthersOut() at the top of this file: others left more than is waited for')
  await tellWebhooks()
  const dispatcher = startDispatcher({ pollMs: 100 })
  try {
    await until('everything due is delivered', async () => (await countDeliveries(db, now())).due === 0)
  } finally {
    await dispatcher.stop()
  }
}
