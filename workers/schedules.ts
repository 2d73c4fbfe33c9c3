import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { compactTallies } from '@/db/tallies'
import type { Jobs } from '@/jobs/backend'
import { SNAPSHOTS } from './leaderboard-snapshots'
import { sweep } from './sweeps'

type Schedule = { name: string; everyMs: number; run: () => Promise<void> }

/** The list of repeating jobs. */
export const SCHEDULES: Schedule[] = [
  { name: 'sweep', everyMs: 10 * 60_000, run: sweep },
  { name: 'compact-tallies', everyMs: 60_000, run: () => compactTallies(db) },
  SNAPSHOTS,
]

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
  const timer = setInterval(renew, RENEW_MS)
  return { stop: () => clearInterval(timer) }
}
