import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from './bootstrap'

await bootstrap({ development: true })
process.env.FOLKMOOT_MODE = 'test'
const { default: client } = await import('postgres')
const { startEmbeddedPostgres } = await import('../src/db/embedded-postgres/start')
const { migrateDatabase } = await import('../src/db/migrate/migrate')
const { connectDatabase, closeDatabase } = await import('../src/db/client')
const { seedDemo } = await import('../src/demo/seed')
const { backUp } = await import('../src/backup/back-up')
const { version } = await import('../package.json')

/**
 * Stores a database of this release with the demo community for the upgrade tests of later releases. An argument replaces the
 * version as its name.
 */
const name = process.argv[2] ?? version
const file = join(import.meta.dir, `../test/upgrades/releases/${name}.backup`)
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-release-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings: { fsync: 'off' } })
try {
  await migrateDatabase(postgres.url)
  connectDatabase(postgres.url, { max: 2, statementTimeoutMs: 30_000, name: 'keep-release' })
  await seedDemo()
  await closeDatabase()
  // Lets a production server accept it.
  const sql = client(postgres.url, { max: 1 })
  await sql`insert into installation (use) values ('production')`
  await sql.end()
  await backUp({
    file,
    at: new Date(),
    databaseUrl: postgres.url,
    secretKey: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E',
    onProgress: () => {},
  })
  console.log(`Wrote ${file}`)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
