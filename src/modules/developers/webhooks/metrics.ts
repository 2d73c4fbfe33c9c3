import { now } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { db } from '@/db/client'
import { countDeliveries } from './deliveries/queries'

/** The Prometheus lines of messages to webhooks. */
export async function deliveryLines(): Promise<string[]> {
  const { due, dead } = await countDeliveries(db, now())
  return sampled(
    'gauge',
    'folkmoot_webhook_messages',
    'Messages to webhooks: due, or dead, which were given up.',
    [
      [{ state: 'due' }, due],
      [{ state: 'dead' }, dead],
    ],
  )
}
