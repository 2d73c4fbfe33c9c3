import type { Queue } from 'bullmq'
import { config } from '@/config/config'
import { nowMs } from '@/core/clock'
import { unavailable } from '@/core/errors'
import { log } from '@/core/log'
import { patience, patientTimeout } from '@/core/patience'
import { reasonOf } from '@/core/reason'
import { databaseUrl } from '@/db/client'
import type { Jobs } from './backend'
import { QUEUES } from './long-work'
import type { JobCounts } from './queries'

export type QueueFigures = { name: string } & JobCounts

/** The statement timeout is shorter, so that its error arrives before the overall timeout. */
let limits = { readMs: 2000, statementMs: 1500 }

/** For operator commands, which run when the server is busy. */
export const readQueuesPatiently = (ms: number) => {
  limits = { readMs: ms, statementMs: ms }
}

let opened: Jobs | undefined
let closing: Promise<void> = Promise.resolve()
let looking: Promise<QueueFigures[]> | undefined

/**
 * Counts of all queues. This process may run no worker, so it opens its own connection to each queue on the first call. Concurrent
 * callers share one read, which times out with 503.
 */
export const readQueues = (): Promise<QueueFigures[]> => {
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}

async function look(): Promise<QueueFigures[]> {
  // Imported before the timer starts: on a small machine the import alone may take as long.
  const backend = await import('./backend')
  const late = Promise.withResolvers<never>()
  const timer = patientTimeout(limits.readMs, () =>
    late.reject(new Error('Reading the queues takes too long')),
  )
  try {
    return await Promise.race([readAll(backend), late.promise])
  } catch (error) {
    log.warn('jobs: cannot read the queues', reasonOf(error))
    // A queue that failed to open stays broken, so close it; the next call opens a new one.
    void closeQueues()
    throw unavailable()
  } finally {
    timer.clear()
  }
}

/** Closes the queues, if open. */
export function closeQueues(): Promise<void> {
  const ending = opened
  opened = undefined
  if (ending) closing = ending.close().catch(() => {})
  return closing
}

async function readAll(backend: Backend): Promise<QueueFigures[]> {
  await closing
  opened ??= open(backend)
  const jobs = opened
  return Promise.all(QUEUES.map((name) => readQueue(jobs.queue(name))))
}

/** Imported lazily: BullMQ takes a third of the start time. */
type Backend = typeof import('./backend')

const open = ({ openJobs }: Backend) => {
  const statementMs = limits.statementMs * patience()
  const hurried = { max: 1, connectionTimeoutMillis: statementMs, query_timeout: statementMs }
  return openJobs({ redisUrl: config.redisUrl, databaseUrl: databaseUrl() }, hurried)
}

async function readQueue(queue: Queue): Promise<QueueFigures> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed')
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts
  const oldestSeconds = waiting === 0 ? null : await oldestWait(queue, waiting)
  return { name: queue.name, waiting, active, delayed, failed, oldestSeconds }
}

/** The order of the list depends on the backend, so it reads both ends. */
async function oldestWait(queue: Queue, waiting: number): Promise<number | null> {
  const ends = await Promise.all([0, waiting - 1].map((at) => queue.getJobs(['waiting'], at, at, true)))
  const times = ends.flat().map(({ timestamp }) => timestamp)
  return times.length === 0 ? null : Math.max(0, Math.floor((nowMs() - Math.min(...times)) / 1000))
}
