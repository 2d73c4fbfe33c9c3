import { schedules, sweeps } from '@/areas'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import type { Jobs } from '@/jobs/backend'
import { runSweeps, SWEEP } from './sweeps'

const SCHEDULES = [SWEEP, ...schedules]
const QUEUE = 'schedules'
const RENEW_MS = 30_000

/** However many workers there are, each job runs once per period. Schedules that Redis lost are made anew. */
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
  // Outside the queue: interrupted work must not wait for a count of a million people.
  let isResuming = false
  const resume = async () => {
    if (isResuming) return
    isResuming = true
    await runSweeps(sweeps.filter(({ resumes }) => resumes))
    isResuming = false
  }
  void resume()
  const timers = [setInterval(renew, RENEW_MS), setInterval(resume, RENEW_MS)]
  return { stop: () => timers.forEach(clearInterval) }
}
