import postgres from 'postgres'
import { databaseAddress } from '@/config/database-address'
import { findPending } from './history'
import { readRelease } from './release'
import { readRepairs } from './repairs'
import { requireSuitable, requireTls } from './server-requirements'

/** The names of the migrations that a start would run; refuses a database as a start would, and changes nothing. */
export async function checkMigrations(url: string): Promise<string[]> {
  const { address, ssl } = databaseAddress(url)
  if (ssl) await requireTls(address)
  const client = postgres(address, { max: 1, ssl, onnotice: () => {}, connect_timeout: 5 })
  try {
    await requireSuitable(client)
    const release = readRelease()
    return (await findPending(client, release, readRepairs(release))).map(({ name }) => name)
  } finally {
    await client.end({ timeout: 3 })
  }
}
