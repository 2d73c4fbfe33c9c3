import { now } from '@/core/clock'
import { db } from '@/db/client'
import { countJobs, type JobCounts } from './queries'

/** The BullMQ queues, by name. */
export const QUEUES = ['reactions', 'schedules'] as const

/** The kinds of jobs, each with its queue. */
export const KINDS = ['pass-sheet', 'data-export'] as const

const NONE: JobCounts = { waiting: 0, active: 0, delayed: 0, failed: 0, oldestSeconds: null }

/** Status of long work by kind. Kinds of a newer release appear with their first job. */
export async function readLongWork(): Promise<({ name: string } & JobCounts)[]> {
  const found = new Map((await countJobs(db, now())).map(({ kind, ...counts }) => [kind, counts]))
  return [...new Set([...KINDS, ...found.keys()])].map((name) => ({ name, ...(found.get(name) ?? NONE) }))
}
