import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import type { Jobs } from '@/jobs/backend'
import { subscribe } from '@/outbox/bus'
import type { Listener } from '@/outbox/listener'
import { type Bell, EVENTS_AT_ONCE, react, relayEvents, sweepReactions, type Tell } from '@/outbox/relay'

const LOOK_MS = 1000
const QUEUE = 'reactions'

/** Whoever tells others of domain events: webhooks. */
type Outside = { tell: Tell; ring(): void }

const NOBODY: Outside = { tell: async () => {}, ring: () => {} }

/** Outbox rows → one job per listener. Domain events wake it; a look every second finds what nobody rang for. */
export function startOutboxRelay(
  jobs: Jobs,
  listeners: readonly Listener[],
  outside: Outside = NOBODY,
): { stop(): Promise<void> } {
  jobs.work(QUEUE, ({ data }) => react(listeners, String(data.outboxId), String(data.listener)), {
    concurrency: 8,
  })

  let stopped = false
  let wake = () => {}
  subscribe(() => wake())

  const ring = async (bells: Bell[]) => {
    if (bells.length === 0) return
    const calls = bells.map(({ outboxId, listener, attempts }) => ({
      name: listener,
      data: { outboxId, listener },
      // One that failed must not be kept: its id would silence every later bell.
      opts: { jobId: `r-${outboxId}-${listener}-${attempts}`, removeOnFail: true },
    }))
    // A bell that cannot be rung is no loss: the reaction is written down and the sweeper comes by.
    await jobs
      .queue(QUEUE)
      .addBulk(calls)
      .catch((error) =>
        warnSparingly('relay: jobs cannot be added, reactions wait for the sweep', reasonOf(error)),
      )
  }

  const taken = { facts: 0, told: false }
  const tell: Tell = async (tx, facts) => {
    taken.facts += facts.length
    if ((await outside.tell(tx, facts)) === true) taken.told = true
  }

  let sweptAt = 0
  const look = async () => {
    do {
      taken.facts = 0
      taken.told = false
      const bells = await relayEvents(listeners, tell)
      if (taken.told) outside.ring()
      await ring(bells)
    } while (taken.facts >= EVENTS_AT_ONCE)
    // Nobody rings for a job that got lost, so however much happens it is enough to look now and then.
    if (performance.now() - sweptAt < LOOK_MS) return
    await ring(await sweepReactions())
    sweptAt = performance.now()
  }

  const run = async () => {
    while (!stopped) {
      const rung = new Promise<void>((resolve) => {
        wake = resolve
      })
      await look().catch((error: Error) => warnSparingly('relay: cannot look for facts', reasonOf(error)))
      await Promise.race([rung, Bun.sleep(LOOK_MS)])
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
