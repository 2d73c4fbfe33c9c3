import type { Config } from '@/config/config'
import { ConfigError } from '@/config/error'
import { closeDatabase, connectDatabase } from '@/db/client'
import { findEmbeddedPostgres, hasEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { requireFinishedFolder } from '@/db/migrate/unfinished-restore'
import { closeQueues } from '@/jobs/figures'
import { mayBeginStorage } from '@/modules/people/uploads/begin'
import { useMayBegin } from '@/outbound/storage/current'
import { withDatabase } from '@/run-server'

const STATEMENT_MS = 30_000

/** Connects a command to the database of a server that runs or, where none does, to one that is opened for it. */
export async function connected<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if (config.databaseUrl === null) requireFinishedFolder(config.dataDir)
  if (config.databaseUrl === null && !hasEmbeddedPostgres(config.dataDir))
    throw new ConfigError(
      `There is no database in ${config.dataDir}: give DATA_DIR or DATABASE_URL as the server has them; "folkmoot migrate" makes a first one.`,
    )
  return withAddress(config, (url) => on(url, work))
}

/** The same for work that connects by itself. An embedded database that does not exist yet is made. */
export function withAddress<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const running = config.databaseUrl ?? findEmbeddedPostgres(config.dataDir)
  return running === undefined ? withDatabase(config, work) : work(running)
}

async function on<T>(url: string, work: () => Promise<T>): Promise<T> {
  connectDatabase(url, {
    max: 2,
    waitMs: STATEMENT_MS,
    statementTimeoutMs: STATEMENT_MS,
    name: 'folkmoot-cli',
  })
  useMayBegin(mayBeginStorage)
  try {
    return await work()
  } finally {
    await closeQueues()
    await closeDatabase()
  }
}
