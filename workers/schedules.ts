import { schedules } from '@/areas'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import type { Jobs } from '@/jobs/backend'
import { SWEEP } from './sweeps'

const SCHEDULES = [SWEEP, ...schedules]
const QUEUE = 'schedules'
const RENEW_MS = 30_000

/** Each schedule runs once per period across all workers. Recreates schedules that Redis lost. */
export function startSchedules(jobs: Jobs): { stop(): void } {
  jobs.work(QUEUE, async ({ name }) => SCHEDULES.find((schedule) => schedule.name === name)?.run(), {
    concurrency: 1,
  })
  const renew = async () => {
    for (const { name, everyMs } of SCHEDULES)
      await jobs
        .queue(QUEUE)
        .upsertJobScheduler(name, { every: everyMs }, { name })
        .catch((error) => warnSparingly('schedules: cannot be renewed', reasonOf(error)))
  }
  void renew()
  const timer = setInterval(renew, RENEW_MS)
  return { stop: () => clearInterval(timer) }
}
