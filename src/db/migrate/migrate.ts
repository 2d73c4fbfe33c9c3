import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { findPending, settleHistory } from './history'
import { markUse, requireUse, type Use } from './installation'
import { migrationsFolder, readRelease, readRepairs } from './release'
import { requireSuitable } from './server-requirements'
import { openSession } from './session'
import { waitForServer } from './wait-for-server'

/** The migrations that a start would run; refuses what a start would refuse, and changes nothing. */
export async function checkMigrations(url: string): Promise<string[]> {
  const client = await openSession(url)
  try {
    await requireSuitable(client)
    const release = readRelease()
    return (await findPending(client, release, readRepairs(release))).map(({ name }) => name)
  } finally {
    await client.end({ timeout: 3 })
  }
}

/** Held by schema changes and restores. */
export const LOCK = 0x666f6c6b

type Options = { onWait?: (fault: string) => void; use?: Use | undefined }

/**
 * Migrates the schema and, for a server, marks the use of the database. Concurrent processes wait for each other. Returns the
 * names of the migrations it ran.
 */
export async function migrateDatabase(
  url: string,
  { onWait = () => {}, use }: Options = {},
): Promise<string[]> {
  const client = await waitForServer(() => openSession(url), onWait)
  try {
    await requireSuitable(client)
    await client`select pg_advisory_lock(${LOCK})`
    // A migration that waits for a busy table blocks all statements behind it.
    await client`set lock_timeout = '3s'`
    if (use) await requireUse(client, use)
    const release = readRelease()
    const repairs = readRepairs(release)
    await settleHistory(client, release, repairs)
    const pending = await findPending(client, release, repairs)
    if (pending.length > 0) await migrate(drizzle(client), { migrationsFolder })
    if (use) await markUse(client, use)
    return pending.map(({ name }) => name)
  } finally {
    await client.end({ timeout: 3 })
  }
}
