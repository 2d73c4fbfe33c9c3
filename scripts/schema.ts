import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from './bootstrap'

await bootstrap({ development: true })
process.env.FOLKMOOT_MODE = 'test'
const { startEmbeddedPostgres } = await import('../src/db/embedded-postgres/start')
const { migrateDatabase } = await import('../src/db/migrate/migrate')
const { writeSchema } = await import('./schema/write')

/** Writes the current schema, so that reading a trigger needs no walk through the migrations. */
const file = join(import.meta.dir, '../docs/schema.sql')
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-schema-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings: { fsync: 'off' } })
try {
  await migrateDatabase(postgres.url)
  await Bun.write(file, await writeSchema(postgres.url))
  console.log(`Wrote ${file}`)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
