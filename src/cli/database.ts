import type { Config } from '@/config/config'
import { ConfigError } from '@/config/error'
import { closeDatabase, connectDatabase } from '@/db/client'
import { isLocked } from '@/db/data-lock'
import { findEmbeddedPostgres, hasEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { requireFinishedFolder } from '@/db/migrate/unfinished-restore'
import { closeQueues, readQueuesPatiently } from '@/jobs/figures'
import { mayBeginStorage } from '@/modules/people/uploads/present'
import { useMayBegin } from '@/outbound/storage/current'
import { withDatabase } from '@/processes/run-server'

const STATEMENT_MS = 30_000
const START_MS = 30_000
const LOOK_MS = 100

/** Connects a command to the database of a running server, or opens one for it. */
export async function connected<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if (config.databaseUrl === null) requireFinishedFolder(config.dataDir)
  const running = await findRunning(config)
  if (running === undefined && !hasEmbeddedPostgres(config.dataDir))
    throw new ConfigError(
      `There is no database in ${config.dataDir}: give DATA_DIR or DATABASE_URL as the server has them; "folkmoot migrate" makes a first one.`,
    )
  return at(running, config, (url) => on(url, work))
}

/** The same for work with its own connections. Creates a missing embedded database. */
export async function withAddress<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  return at(await findRunning(config), config, work)
}

const at = <T>(running: string | undefined, config: Config, work: (url: string) => Promise<T>) =>
  running === undefined ? withDatabase(config, work) : work(running)

/** The database of a running server. Waits for one that is starting or stopping, as the lock of the data folder shows. */
async function findRunning({ databaseUrl, dataDir }: Config): Promise<string | undefined> {
  if (databaseUrl !== null) return databaseUrl
  const giveUpAt = performance.now() + START_MS
  for (;;) {
    const url = findEmbeddedPostgres(dataDir)
    if (url !== undefined || !isLocked(dataDir)) return url
    if (performance.now() > giveUpAt)
      throw new ConfigError(
        `A server or another command is starting or stopping on the data folder ${dataDir}, and its database was not up within ${START_MS / 1000} seconds: try again in a moment, and look into the log of the server.`,
      )
    await Bun.sleep(LOOK_MS)
  }
}

async function on<T>(url: string, work: () => Promise<T>): Promise<T> {
  connectDatabase(url, {
    max: 2,
    waitMs: STATEMENT_MS,
    statementTimeoutMs: STATEMENT_MS,
    name: 'folkmoot-cli',
  })
  useMayBegin(mayBeginStorage)
  readQueuesPatiently(STATEMENT_MS)
  try {
    return await work()
  } finally {
    await closeQueues()
    await closeDatabase()
  }
}
