import { now } from '@/core/clock'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import type { Jobs } from '@/jobs/backend'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { fanOut } from '@/modules/developers/webhooks/fan-out'
import type { FanOut } from '@/outbox/relay'

const QUEUE = 'webhooks'

/** Sends webhooks. A job only says "look": another worker may have room while this one has none. */
export function startWebhookDeliveries(jobs: Jobs): { fanOut: FanOut; wake(): void; stop(): Promise<void> } {
  const dispatcher = startDispatcher()
  // Whoever added it has looked already.
  jobs.work(
    QUEUE,
    async ({ data }) => {
      if (data.by !== dispatcher.id) dispatcher.wake()
    },
    { concurrency: 1 },
  )
  return {
    fanOut: (tx, events) => fanOut(tx, events, now()),
    wake() {
      dispatcher.wake()
      // One that waits already says the same; one that cannot be added is made up for by a look every second.
      jobs
        .queue(QUEUE)
        .add('look', { by: dispatcher.id }, { jobId: 'look', removeOnFail: true })
        .catch((error) =>
          warnSparingly('webhooks: other workers cannot be woken, they look each second', reasonOf(error)),
        )
    },
    stop: dispatcher.stop,
  }
}
