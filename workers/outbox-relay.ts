import { isDomainEvent } from '@/core/domain-events'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import type { Jobs } from '@/jobs/backend'
import { subscribe } from '@/outbox/bus'
import type { Listener } from '@/outbox/listener'
import type { ReactionJob } from '@/outbox/queries'
import { EVENTS_AT_ONCE, type FanOut, react, relayEvents, sweepReactions } from '@/outbox/relay'

const LOOK_MS = 1000
const QUEUE = 'reactions'
/** As workers of the release before this one call it: while an upgrade rolls, they share the queue. */
const OUTBOX_ID = 'factId'

/** Outbox rows → one job per listener. Domain events wake it; a look every second finds what nobody woke it for. */
export function startOutboxRelay(
  jobs: Jobs,
  listeners: readonly Listener[],
  fanOut: FanOut = async () => {},
): { stop(): Promise<void> } {
  jobs.work(QUEUE, ({ data }) => react(listeners, String(data[OUTBOX_ID]), String(data.listener)), {
    concurrency: 8,
  })

  const urgent = new Set(listeners.filter(({ isUrgent }) => isUrgent).map(({ name }) => name))
  let stopped = false
  let wake = () => {}
  subscribe((messages) => {
    if (messages.some(isDomainEvent)) wake()
  })

  const enqueue = async (reactions: ReactionJob[]) => {
    if (reactions.length === 0) return
    const added = reactions.map(({ outboxId, listener, attempts }) => ({
      name: listener,
      data: { [OUTBOX_ID]: outboxId, listener },
      // One that failed must not be kept: its id would keep out every later one.
      opts: {
        jobId: `r-${outboxId}-${listener}-${attempts}`,
        removeOnFail: true,
        lifo: urgent.has(listener),
      },
    }))
    // A job that cannot be added is no loss: the reaction is written down and the sweep finds it.
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

  let sweptAt = 0
  const look = async () => {
    do {
      taken = 0
      await enqueue(await relayEvents(listeners, countAndFanOut))
    } while (taken >= EVENTS_AT_ONCE)
    // Lost jobs are rare: however much happens, it is enough to look for them now and then.
    if (performance.now() - sweptAt < LOOK_MS) return
    await enqueue(await sweepReactions())
    sweptAt = performance.now()
  }

  const run = async () => {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await look().catch((error: Error) => warnSparingly('relay: cannot look for events', reasonOf(error)))
      await Promise.race([woken, Bun.sleep(LOOK_MS)])
    }
  }
  const running = run()

  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
