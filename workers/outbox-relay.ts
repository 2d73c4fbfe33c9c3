import { isDomainEvent } from '@/core/domain-events'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { startLoop } from '@/delivery/engine'
import type { Jobs } from '@/jobs/backend'
import type { Listener } from '@/outbox/listener'
import type { ReactionJob } from '@/outbox/queries'
import { EVENTS_AT_ONCE, type FanOut, react, relayEvents, sweepReactions } from '@/outbox/relay'

const QUEUE = 'reactions'
/** Named as in the previous release, whose workers share the queue during a rolling upgrade. */
const OUTBOX_ID = 'factId'

/** Outbox rows → one job per listener. Domain events wake it. */
export function startOutboxRelay(
  jobs: Jobs,
  listeners: readonly Listener[],
  fanOut: FanOut = async () => {},
): { stop(): Promise<void> } {
  jobs.work(QUEUE, ({ data }) => react(listeners, String(data[OUTBOX_ID]), String(data.listener)), {
    concurrency: 8,
  })

  const urgent = new Set(listeners.filter(({ isUrgent }) => isUrgent).map(({ name }) => name))
  const enqueue = async (reactions: ReactionJob[]) => {
    if (reactions.length === 0) return
    const added = reactions.map(({ outboxId, listener, attempts }) => ({
      name: listener,
      data: { [OUTBOX_ID]: outboxId, listener },
      // Failed jobs are removed: their id would block every later one.
      opts: {
        jobId: `r-${outboxId}-${listener}-${attempts}`,
        removeOnFail: true,
        lifo: urgent.has(listener),
      },
    }))
    // The reaction is stored, so the sweep finds it if its job cannot be added.
    await jobs
      .queue(QUEUE)
      .addBulk(added)
      .catch((error) =>
        warnSparingly('relay: jobs cannot be added, reactions wait for the sweep', reasonOf(error)),
      )
  }

  let taken = 0
  const countAndFanOut: FanOut = async (tx, events) => {
    taken += events.length
    await fanOut(tx, events)
  }

  const relay = startLoop({
    name: 'relay',
    wakesOn: isDomainEvent,
    async look() {
      do {
        taken = 0
        await enqueue(await relayEvents(listeners, countAndFanOut))
      } while (taken >= EVENTS_AT_ONCE)
    },
  })
  // Lost jobs are rare, so the poll alone looks for them.
  const sweep = startLoop({
    name: 'relay',
    wakesOn: () => false,
    look: async () => enqueue(await sweepReactions()),
  })
  return { stop: async () => void (await Promise.all([relay.stop(), sweep.stop()])) }
}
