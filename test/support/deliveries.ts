import { now } from '@/core/clock'
import { db } from '@/db/client'
import { react, relayFacts } from '@/jobs/relay'
import { listeners } from '@/listeners'
import { countDeliveries } from '@/modules/webhooks/deliveries/queries'
import { startDispatcher } from '@/modules/webhooks/dispatch/dispatcher'
import { fanOut } from '@/modules/webhooks/fan-out'
import { until } from './processes'

/** Takes up every fact, lets listeners react, and writes down what webhooks are to be told. */
export async function tellWebhooks(): Promise<void> {
  for (let taken = true; taken; ) {
    taken = false
    const bells = await relayFacts(listeners, async (tx, facts) => {
      taken = true
      return fanOut(tx, facts, now())
    })
    for (const { factId, listener } of bells) await react(listeners, factId, listener)
  }
}

/** Sends everything that is due and waits until nothing is. */
export async function deliverDue(): Promise<void> {
  await tellWebhooks()
  const dispatcher = startDispatcher()
  try {
    await until('everything due is delivered', async () => (await countDeliveries(db, now())).due === 0)
  } finally {
    await dispatcher.stop()
  }
}
