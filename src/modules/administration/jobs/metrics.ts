import { sampled } from '@/core/metrics'
import { db } from '@/db/client'
import { countRetried, findOutboxFigures } from './queries'

/** The Prometheus lines of domain events that no worker has relayed. */
export async function outboxLines(): Promise<string[]> {
  const [{ pending, oldestSeconds }, retried] = await Promise.all([findOutboxFigures(db), countRetried(db)])
  return [
    ...sampled('gauge', 'folkmoot_outbox_pending', 'Domain events that no worker has relayed.', pending),
    ...sampled(
      'gauge',
      'folkmoot_outbox_oldest_seconds',
      'How long the oldest of them has waited.',
      oldestSeconds ?? 0,
    ),
    ...sampled(
      'gauge',
      'folkmoot_outbox_retried',
      'Those of them that could not be relayed and are tried again.',
      retried,
    ),
  ]
}
