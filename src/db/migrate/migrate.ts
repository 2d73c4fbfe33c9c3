import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { databaseAddress } from '@/config/database-address'
import { findPending, settleHistory } from './history'
import { markUse, requireUse, type Use } from './installation'
import { migrationsFolder, readRelease } from './release'
import { readRepairs } from './repairs'
import { requireSuitable, requireTls } from './server-requirements'
import { untilThere } from './wait-for-server'

const LOCK = 0x666f6c6b

type Options = { onWait?: (fault: string) => void; use?: Use | undefined }

/**
 * Brings the schema up to date and, for a server, marks what the database is used for. Any number of processes may do
 * this at once: one works, the rest wait. Gives the names of the migrations that were run.
 */
export async function migrateDatabase(
  url: string,
  { onWait = () => {}, use }: Options = {},
): Promise<string[]> {
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
    const release = readRelease()
    const repairs = readRepairs(release)
    await settleHistory(client, release, repairs)
    const pending = await findPending(client, release, repairs)
    await migrate(drizzle(client), { migrationsFolder })
    if (use) await markUse(client, use)
    return pending.map(({ name }) => name)
  } finally {
    await client.end({ timeout: 3 })
  }
}
