import { type Config, config } from './config'
import { lockDataFolder } from './db/data-lock'
import { startEmbeddedPostgres } from './db/embedded'
import { bringUpToDate } from './db/up-to-date'
import { flushLog, log } from './log'
import { requirePorts } from './ports'
import type { Running } from './start'

const EXIT_MS = 10_000
/** With a worker inside: webhooks that are under way may take ten seconds, and are written down. */
const EXIT_WITH_WORKER_MS = 20_000

/** Runs the server until it is told to stop: database, API, worker, in that order, and back. */
export async function run(): Promise<void> {
  await requirePorts(config)
  const database = await openDatabase(config)
  let api: Running
  try {
    // Loading the routes and asking the database take their time side by side.
    const migrated = bringUpToDate(database.url, config.use)
    const [{ startApi }] = await Promise.all([import('./start'), migrated])
    api = await startApi(database.url)
  } catch (error) {
    await database.close()
    throw error
  }
  const workers =
    config.worker === 'embedded'
      ? await startWorker({ redisUrl: config.redisUrl, databaseUrl: database.url })
      : undefined

  stopOnSignal(async (drain) => {
    // Nothing that hangs may keep the process: whoever sent the signal waits.
    const waitMs = drain && workers ? EXIT_WITH_WORKER_MS : EXIT_MS
    setTimeout(() => process.exit(1), waitMs).unref()
    log.info('stopping')
    await Promise.all([api.stop({ drain }), workers?.stop()])
    await api.disconnect()
    await database.close()
    flushLog()
    process.exit(0)
  })

  log.info('ready', { url: api.url, mode: config.mode })
  if (config.mode === 'demo') {
    const { welcome } = await import('./demo/welcome')
    await welcome()
  }
}

/** Imported when it is needed: queues are a third of the time that it takes to be ready. */
async function startWorker(where: { redisUrl: string | null; databaseUrl: string }) {
  const { startWorkers } = await import('../workers/start')
  return startWorkers(where)
}

export async function withDatabase<T>(where: Config, work: (url: string) => Promise<T>): Promise<T> {
  const database = await openDatabase(where)
  try {
    return await work(database.url)
  } finally {
    await database.close()
  }
}

async function openDatabase({
  databaseUrl,
  dataDir,
  mode,
}: Config): Promise<{ url: string; close(): Promise<void> }> {
  if (databaseUrl !== null) return { url: databaseUrl, close: async () => {} }
  const unlock = lockDataFolder(dataDir)
  try {
    const say =
      mode === 'demo' ? (line: string) => console.log(line) : (line: string) => log.info(`database: ${line}`)
    const postgres = await startEmbeddedPostgres({ dataDir, log: say })
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

function stopOnSignal(stop: (drain: boolean) => Promise<void>) {
  let stopping = false
  const begin = (drain: boolean) => {
    if (stopping) return
    stopping = true
    void stop(drain)
  }
  // At a terminal nobody waits for other people's requests.
  process.on('SIGINT', () => begin(false))
  process.on('SIGHUP', () => begin(false))
  process.on('SIGTERM', () => begin(config.mode === 'production'))
  if (config.mode === 'demo') leaveWithParent(() => begin(false))
}

/** `bun run` and `npx` stand between a terminal and us; when they are killed, nobody is left to stop us. */
function leaveWithParent(leave: () => void) {
  const parent = process.ppid
  if (parent <= 1) return
  setInterval(() => {
    if (process.ppid !== parent) leave()
  }, 1000).unref()
}
