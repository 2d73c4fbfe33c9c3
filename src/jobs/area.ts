import { DAY_MS } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { readLongWork } from './long-work'
import { deleteOldHeartbeats, deleteOldJobs, findHeartbeatAge } from './queries'

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const

/** Prometheus lines of jobs. */
async function jobLines(): Promise<string[]> {
  const kinds = await readLongWork()
  return [
    ...sampled(
      'gauge',
      'folkmoot_jobs',
      'Long work by kind and state.',
      kinds.flatMap((figures) =>
        STATES.map((state) => [{ kind: figures.name, state }, figures[state]] as const),
      ),
    ),
    ...sampled(
      'gauge',
      'folkmoot_jobs_oldest_seconds',
      'How long the oldest job of a kind has waited.',
      kinds.map(({ name, oldestSeconds }) => [{ kind: name }, oldestSeconds ?? 0] as const),
    ),
  ]
}

/** Prometheus lines of worker heartbeats; none before the first heartbeat. */
async function heartbeatLines(): Promise<string[]> {
  const age = await findHeartbeatAge(db)
  if (age === null) return []
  return sampled(
    'gauge',
    'folkmoot_worker_heartbeat_age_seconds',
    'Seconds since any worker last wrote that it lives.',
    age,
  )
}

export const jobsArea = {
  sweeps: [
    sweep({
      name: 'finished jobs',
      keeps: { ms: DAY_MS, after: 'it ended' },
      run: (before) => deleteOldJobs(db, before),
    }),
    sweep({
      name: 'heartbeats',
      keeps: { ms: DAY_MS, after: 'the last one' },
      run: (before) => deleteOldHeartbeats(db, before),
    }),
  ],
  metrics: [heartbeatLines, jobLines],
}
