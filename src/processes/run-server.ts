import { type Config, config } from '../config/config'
import { flushLog, log } from '../core/log'
import { lockDataFolder } from '../db/data-lock'
import { type Say, startEmbeddedPostgres } from '../db/embedded-postgres/start'
import { requireFinishedFolder } from '../db/migrate/unfinished-restore'
import { bringUpToDate } from '../db/migrate/up-to-date'
import type { Order, OrderToStop } from '../lifecycle/order-to-stop'
import { requirePorts } from '../lifecycle/ports'
import type { Running } from './start-api'

const EXIT_MS = 10_000
/** Longer with a worker inside: running webhooks may take ten seconds, and are recorded. */
const EXIT_WITH_WORKER_MS = 20_000

type Parts = { database?: Promise<Database>; api?: Promise<Running>; workers?: { stop(): Promise<void> } }

type Database = { url: string; close(): Promise<void> }

/** Runs the server until it is stopped, maybe before it is ready. */
export async function run(order: OrderToStop): Promise<void> {
  const parts: Parts = {}
  void order.given.then((how) => leave(parts, how)).catch(() => process.exit(1))
  try {
    await start(parts, order.signal)
  } catch (error) {
    // A stopping process closes everything itself.
    if (order.signal.aborted) return
    await close(parts, false)
    throw error
  }
}

/** Starts database, API and worker in this order, and nothing after an order to stop. */
async function start(parts: Parts, signal: AbortSignal): Promise<void> {
  await requirePorts(config)
  signal.throwIfAborted()
  parts.database = openDatabase(config, signal)
  const { url } = await parts.database
  signal.throwIfAborted()
  // Loading the routes and querying the database run in parallel.
  const [open] = await Promise.all([loadApi(), bringUpToDate(url, config.use)])
  signal.throwIfAborted()
  const greet = config.mode === 'demo' ? await (await import('../demo/welcome')).prepareDemo(url) : undefined
  signal.throwIfAborted()
  parts.api = open(url, signal)
  const api = await parts.api
  signal.throwIfAborted()
  if (config.worker === 'embedded') {
    // Imported lazily: queues take a third of the start time.
    const { startWorkers } = await import('../../workers/all')
    signal.throwIfAborted()
    parts.workers = startWorkers({ redisUrl: config.redisUrl, databaseUrl: url })
  }
  log.info('ready', { url: api.url, mode: config.mode, processes: config.processes })
  greet?.()
}

/** Only processes that answer load the routes. */
const loadApi = async (): Promise<(url: string, signal: AbortSignal) => Promise<Running>> => {
  if (config.processes > 1) return (await import('./start-processes')).startProcesses
  const { startApi } = await import('./start-api')
  return (url) => startApi(url)
}

async function leave(parts: Parts, order: Order): Promise<void> {
  // At a terminal, do not wait for open requests.
  const drain = config.mode === 'production' && (order === 'SIGTERM' || order === 'launcher gone')
  // A hanging part must not delay the exit: a supervisor waits for it.
  setTimeout(() => process.exit(1), drain && parts.workers ? EXIT_WITH_WORKER_MS : EXIT_MS).unref()
  log.info('stopping', { order })
  await close(parts, drain)
  flushLog()
  process.exit(0)
}

async function close({ api, workers, database }: Parts, drain: boolean): Promise<void> {
  // Some of several processes may serve before all are ready.
  const running = await api?.catch(() => undefined)
  await Promise.all([running?.stop({ drain }), workers?.stop()])
  await running?.disconnect()
  const opened = await database?.catch(() => undefined)
  await opened?.close()
}

export async function withDatabase<T>(
  where: Config,
  work: (url: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const database = await openDatabase(where, signal)
  try {
    return await work(database.url)
  } finally {
    await database.close()
  }
}

async function openDatabase(where: Config, signal?: AbortSignal): Promise<Database> {
  const { databaseUrl, dataDir, mode } = where
  if (databaseUrl !== null) return { url: databaseUrl, close: async () => {} }
  const unlock = lockDataFolder(dataDir)
  try {
    requireFinishedFolder(dataDir)
    const say: Say = (sentence, level = 'info') =>
      mode === 'demo' ? console.log(sentence) : log[level](`database: ${sentence}`)
    const postgres = await startEmbeddedPostgres({ dataDir, log: say, signal, settings: settingsFor(where) })
    return {
      url: postgres.url,
      async close() {
        await postgres.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Connections of all processes: their pools, queues and notify channels. */
const settingsFor = ({ processes, databasePool, workerPool }: Config) => ({
  max_connections: String(Math.max(100, processes * (databasePool + 5) + workerPool + 30)),
})
