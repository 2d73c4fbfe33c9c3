import type { Jobs } from '@/jobs/backend'
import { log } from '@/log'
import { sweep } from './sweeps'

type Schedule = { name: string; everyMs: number; run: () => Promise<void> }

/** The list of repeating jobs. */
const SCHEDULES: Schedule[] = [{ name: 'sweep', everyMs: 10 * 60_000, run: sweep }]

const QUEUE = 'schedules'
const RENEW_MS = 30_000

/** However many workers there are, each job runs once per period. Schedules that Redis lost are made anew. */
export function startSchedules(jobs: Jobs): { stop(): void } {
  const queue = jobs.queue(QUEUE)
  jobs.work(QUEUE, async ({ name }) => SCHEDULES.find((schedule) => schedule.name === name)?.run(), {
    concurrency: 1,
  })
  const renew = async () => {
    for (const { name, everyMs } of SCHEDULES)
      await queue
        .upsertJobScheduler(name, { every: everyMs }, { name })
        .catch(() => log.debug('schedules: cannot renew'))
  }
  void renew()
  const timer = setInterval(renew, RENEW_MS)
  return { stop: () => clearInterval(timer) }
}
