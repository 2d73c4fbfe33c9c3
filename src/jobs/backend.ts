import {
  type ConnectionOptions,
  createPostgresBackend,
  type Processor,
  Queue,
  Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq'
import { PatientClient } from '@/db/patient-client'
import { log } from '@/log'

type Job = Record<string, string | number>

export type Jobs = {
  queue(name: string): Queue<Job>
  work(name: string, processor: Processor<Job>, options?: { concurrency?: number }): void
  close(): Promise<void>
}

const CLOSE_MS = 5000

/** A crashed worker's jobs come back soon and as often as needed; finished ones are not kept. */
const WORKING = {
  lockDuration: 15_000,
  stalledInterval: 5000,
  maxStalledCount: 1000,
} satisfies Partial<WorkerOptions>
const KEEPING = { removeOnComplete: true, removeOnFail: { age: 24 * 60 * 60 }, attempts: 1 }

/** BullMQ on Redis where there is one, else on its PostgreSQL backend: the same queues and the same code. */
export function openJobs(
  { redisUrl, databaseUrl }: { redisUrl: string | null; databaseUrl: string },
  pool: { max: number; connectionTimeoutMillis?: number; query_timeout?: number } = { max: 3 },
): Jobs {
  const onPostgres = withBackend(createPostgresBackend)
  const stored = {
    connectionString: databaseUrl,
    migrate: true,
    ...pool,
    Client: PatientClient,
    application_name: 'folkmoot-jobs',
  }
  const opened: { close(): Promise<unknown> }[] = []
  const queues = new Map<string, Queue<Job>>()

  function quiet<
    T extends { on(event: 'error', hear: (error: Error) => void): unknown; close(): Promise<unknown> },
  >(part: T): T {
    part.on('error', (error) => log.debug('jobs: connection trouble', { reason: error.name }))
    opened.push(part)
    return part
  }

  const openQueue = (name: string): Queue<Job> =>
    quiet(
      redisUrl === null
        ? (new onPostgres.Queue<Job>(name, {
            connection: stored,
            defaultJobOptions: KEEPING,
          }) as unknown as Queue<Job>)
        : new Queue<Job>(name, {
            connection: redisConnection(redisUrl, 'queue'),
            defaultJobOptions: KEEPING,
          }),
    )

  return {
    queue(name) {
      const known = queues.get(name) ?? openQueue(name)
      queues.set(name, known)
      return known
    },
    work(name, processor, { concurrency = 4 } = {}) {
      if (redisUrl === null)
        quiet(
          new onPostgres.Worker<Job>(name, processor, {
            connection: stored,
            concurrency,
            ...WORKING,
          }) as unknown as Worker<Job>,
        )
      else
        quiet(
          new Worker<Job>(name, processor, {
            connection: redisConnection(redisUrl, 'worker'),
            concurrency,
            ...WORKING,
          }),
        )
    },
    async close() {
      // Closing waits for ever while the server is unreachable.
      await Promise.race([Promise.allSettled(opened.map((part) => part.close())), Bun.sleep(CLOSE_MS)])
    },
  }
}

/** A queue fails fast, because the truth is in PostgreSQL and a sweeper will ring again; a worker waits. */
function redisConnection(url: string, kind: 'queue' | 'worker'): ConnectionOptions {
  const retryStrategy = (attempt: number) => Math.min(50 * 2 ** attempt, 1000)
  return kind === 'worker'
    ? { url, maxRetriesPerRequest: null, retryStrategy }
    : { url, maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 1000, retryStrategy }
}
