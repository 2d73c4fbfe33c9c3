import {
  type ConnectionOptions,
  createPostgresBackend,
  type Processor,
  Queue,
  Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq'
import { redisAddress } from '@/config/redis-address'
import { log, warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { patientClient } from '@/db/patient-client'
import { direct } from '@/db/servers/direct'

type Job = Record<string, string | number>

export type Jobs = {
  /** Call it for each use: a queue that failed to open is reopened for the next caller. */
  queue(name: string): Queue<Job>
  work(name: string, processor: Processor<Job>, options?: { concurrency?: number }): void
  close(): Promise<void>
}

const CLOSE_MS = 5000
const REOPEN_MS = 1000

/** Jobs of a crashed worker are retried soon and without limit; finished jobs are removed. */
const WORKING = {
  lockDuration: 15_000,
  stalledInterval: 5000,
  maxStalledCount: 1000,
} satisfies Partial<WorkerOptions>
const KEEPING = { removeOnComplete: true, removeOnFail: { age: 24 * 60 * 60 }, attempts: 1 }

type Where = { redisUrl: string | null; databaseUrl: string }
type Pool = { max: number; connectionTimeoutMillis?: number; query_timeout?: number }

type Part = { on(event: 'error', hear: (error: Error) => void): unknown; close(): Promise<unknown> }

/** BullMQ on Redis if configured, otherwise on its PostgreSQL backend. */
export function openJobs(where: Where, pool: Pool = { max: 3 }): Jobs {
  const { openQueue, openWorker } = backendOf(where, pool)
  const store = where.redisUrl === null ? 'PostgreSQL' : 'Redis'
  const opened = new Set<Part>()
  const queues = new Map<string, Queue<Job>>()
  let closed = false

  function kept<T extends Part>(part: T): T {
    part.on('error', (error) => warnSparingly(`jobs: the queues in ${store} cannot be used`, reasonOf(error)))
    opened.add(part)
    return part
  }

  function give(part: Part) {
    opened.delete(part)
    void part.close().catch(() => {})
  }

  /**
   * BullMQ caches a failed first connection, and its worker would then loop without delay. So a queue that fails to open is
   * discarded and replaced.
   */
  async function work(name: string, processor: Processor<Job>, concurrency: number) {
    while (!closed) {
      const worker = kept(openWorker(name, processor, concurrency))
      try {
        await worker.waitUntilReady()
        return void worker
          .run()
          .catch((error) => log.error('jobs: a worker has stopped', { name, ...reasonOf(error) }))
      } catch (error) {
        warnSparingly(`jobs: the queues in ${store} cannot be opened`, reasonOf(error))
        give(worker)
        await Bun.sleep(REOPEN_MS)
      }
    }
  }

  return {
    queue(name) {
      const known = queues.get(name)
      if (known) return known
      const queue = kept(openQueue(name))
      queues.set(name, queue)
      queue.waitUntilReady().catch(() => {
        queues.delete(name)
        give(queue)
      })
      return queue
    },
    work: (name, processor, { concurrency = 4 } = {}) => void work(name, processor, concurrency),
    async close() {
      closed = true
      // Closing hangs while the server is unreachable.
      const closing = [...opened].map((part) => part.close())
      await Promise.race([Promise.allSettled(closing), Bun.sleep(CLOSE_MS)])
    },
  }
}

function backendOf({ redisUrl, databaseUrl }: Where, pool: Pool) {
  if (redisUrl !== null)
    return {
      openQueue: (name: string) =>
        new Queue<Job>(name, {
          connection: redisConnection(redisUrl, 'queue'),
          defaultJobOptions: KEEPING,
        }),
      openWorker: (name: string, processor: Processor<Job>, concurrency: number) =>
        new Worker<Job>(name, processor, {
          connection: redisConnection(redisUrl, 'worker'),
          concurrency,
          autorun: false,
          ...WORKING,
        }),
    }
  const onPostgres = withBackend(createPostgresBackend)
  const connection = {
    migrate: true,
    ...pool,
    Client: patientClient(direct(databaseUrl)),
    application_name: 'folkmoot-jobs',
  }
  return {
    openQueue: (name: string) =>
      new onPostgres.Queue<Job>(name, { connection, defaultJobOptions: KEEPING }) as unknown as Queue<Job>,
    openWorker: (name: string, processor: Processor<Job>, concurrency: number) =>
      new onPostgres.Worker<Job>(name, processor, {
        connection,
        concurrency,
        autorun: false,
        ...WORKING,
      }) as unknown as Worker<Job>,
  }
}

/** Queues fail fast, because PostgreSQL is authoritative and a sweep enqueues lost jobs; workers wait. */
function redisConnection(url: string, kind: 'queue' | 'worker'): ConnectionOptions {
  const address = redisAddress(url)
  const retryStrategy = (attempt: number) => Math.min(50 * 2 ** attempt, 1000)
  return kind === 'worker'
    ? { ...address, maxRetriesPerRequest: null, retryStrategy }
    : { ...address, maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 1000, retryStrategy }
}
