import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { databaseAddress } from '@/config/database-address'
import { settleHistory } from './history'
import { markUse, requireUse, type Use } from './installation'
import { readRepairs } from './repairs'
import { requireSuitable, requireTls } from './server-requirements'
import { untilThere } from './wait-for-server'

const LOCK = 0x666f6c6b
const migrationsFolder = join(import.meta.dir, '../../../migrations')

type Options = { onWait?: (fault: string) => void; use?: Use | undefined }

/**
 * Brings the schema up to date and, for a server, marks what the database is used for. Any number of processes may do
 * this at once: one works, the rest wait.
 */
export async function migrateDatabase(url: string, { onWait = () => {}, use }: Options = {}): Promise<void> {
  const { address, ssl } = databaseAddress(url)
  if (ssl) await requireTls(address)
  const client = postgres(address, { max: 1, ssl, onnotice: () => {}, connect_timeout: 5 })
  try {
    await untilThere(client, onWait)
    await requireSuitable(client)
    await client`select pg_advisory_lock(${LOCK})`
    // A migration that waits for a busy table would make everyone else wait behind it.
    await client`set lock_timeout = '3s'`
    if (use) await requireUse(client, use)
    const release = readMigrationFiles({ migrationsFolder })
    await settleHistory(client, release, readRepairs(migrationsFolder, release))
    await migrate(drizzle(client), { migrationsFolder })
    if (use) await markUse(client, use)
  } finally {
    await client.end({ timeout: 3 })
  }
}
