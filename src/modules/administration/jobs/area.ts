import { Elysia } from 'elysia'
import { sampled } from '@/core/metrics'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { findPendingReactions } from '@/outbox/queries'
import { readJobs } from './actions'
import { countRetried, findOutboxFigures } from './queries'

/** Prometheus lines of unrelayed domain events and unfinished reactions. */
async function outboxLines(): Promise<string[]> {
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

const allJobsTools = toolbox({
  admin_jobs: [
    readJobs,
    {
      title: 'Read background work',
      description:
        'Counts waiting, running and failed work by queue, and worker heartbeats. Use it when something seems stuck.',
    },
  ],
})

const jobRoutes = new Elysia({ prefix: '/v1/admin/jobs', tags: ['Administration'] }).get(
  '',
  ...serve(readJobs),
)

export const administeredJobsArea = {
  routes: jobRoutes,
  tools: allJobsTools,
  metrics: [outboxLines],
}
