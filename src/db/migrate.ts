import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { untilThere } from './arrival'
import { settleHistory } from './history'
import { readRepairs } from './repairs'

const LOCK = 0x666f6c6b
const migrationsFolder = join(import.meta.dir, '../../migrations')

/** Brings the schema up to date. Any number of processes may do this at once: one works, the rest wait. */
export async function migrateDatabase(
  url: string,
  onWait: (fault: string) => void = () => {},
): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 5 })
  try {
    await untilThere(client, onWait)
    await client`select pg_advisory_lock(${LOCK})`
    // A migration that waits for a busy table would make everyone else wait behind it.
    await client`set lock_timeout = '3s'`
    const release = readMigrationFiles({ migrationsFolder })
    await settleHistory(client, release, readRepairs(migrationsFolder, release))
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end({ timeout: 3 })
  }
}
