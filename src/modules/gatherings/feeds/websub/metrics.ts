import { now } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { db } from '@/db/client'
import { findSubscriptionFigures } from './queries'

const STATES = ['due', 'failing', 'unverified'] as const

/** The Prometheus lines of subscriptions to feeds. */
export async function subscriptionLines(): Promise<string[]> {
  const figures = await findSubscriptionFigures(db, now())
  return sampled(
    'gauge',
    'folkmoot_feed_subscriptions',
    'Subscriptions to feeds: a push is due, the last one failed, or the callback has yet to confirm.',
    STATES.map((state) => [{ state }, figures[state]] as const),
  )
}
