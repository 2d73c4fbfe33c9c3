import { sampled } from '@/core/metrics'
import { db } from '@/db/client'
import { findPendingReactions } from '@/outbox/queries'
import { countRetried, findOutboxFigures } from './queries'

/** The Prometheus lines of domain events that no worker has relayed, and of reactions that are not done. */
export async function outboxLines(): Promise<string[]> {
  const [{ pending, oldestSeconds }, retried, reactions] = await Promise.all([
    findOutboxFigures(db),
    countRetried(db),
    findPendingReactions(db),
  ])
  return [
    ...sampled(
      'gauge',
      'folkmoot_reactions_pending',
      'Reactions to domain events that are not done.',
      reactions.pending,
    ),
    ...sampled(
      'gauge',
      'folkmoot_reactions_oldest_seconds',
      'How long ago the event of the oldest of them happened.',
      reactions.oldestSeconds ?? 0,
    ),
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
