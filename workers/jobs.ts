import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { type Job, runNextJob } from '@/jobs/job'
import { subscribe } from '@/outbox/bus'

const LOOK_MS = 1000
/** A run may take longer than a process may take to stop. Its lease runs out, and another process begins it again. */
const STOP_MS = 5000

/** Runs jobs, one at a time. A broadcast wakes it; a look every second finds what nobody woke it for. */
export function startJobs(
  kinds: readonly Job[],
  { leaseMs }: { leaseMs?: number } = {},
): { stop(): Promise<void> } {
  if (kinds.length === 0) return { stop: async () => {} }
  let stopped = false
  let wake = () => {}
  const unsubscribe = subscribe((messages) => {
    if (messages.some(({ type }) => type === 'job.queued')) wake()
  })

  const run = async () => {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const ran = await runNextJob(kinds, { leaseMs }).catch((error: Error) =>
        warnSparingly('jobs: cannot look for what is due', reasonOf(error)),
      )
      if (!ran) await Promise.race([woken, Bun.sleep(LOOK_MS)])
    }
  }
  const running = run()

  return {
    async stop() {
      stopped = true
      unsubscribe()
      wake()
      await Promise.race([running, Bun.sleep(STOP_MS)])
    },
  }
}
