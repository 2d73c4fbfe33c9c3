import { expect, test } from 'bun:test'
import { join } from 'node:path'
import postgres from 'postgres'
import { writeSchema } from '../../scripts/schema/write'
import { cloneDatabase, databaseNamed } from '../support/template'
import { schemaOf } from '../support/upgrades/schema'

const committed = join(import.meta.dir, '../../docs/schema.sql')
const adminUrl = process.env.TEST_DATABASE_URL as string

test('docs/schema.sql is the schema after all migrations', async () => {
  const written = await writeSchema(await cloneDatabase(adminUrl))
  // On a difference: `bun run generate` rewrites the file.
  expect((await Bun.file(committed).text()).split('\n')).toEqual(written.split('\n'))
})

test('docs/schema.sql recreates the same schema in an empty database', async () => {
  const loaded = await emptyDatabase()
  const sql = postgres(loaded, { max: 1, onnotice: () => {} })
  await sql.unsafe(await Bun.file(committed).text())
  await sql.end()
  const migrated = await schemaOf(await cloneDatabase(adminUrl))
  expect(migrated.length).toBeGreaterThan(100)
  expect(await schemaOf(loaded)).toEqual(migrated.filter((line) => !line.startsWith('migration ')))
})

/** Without a history of migrations, but with a place for one, where `schemaOf` looks. */
async function emptyDatabase(): Promise<string> {
  const name = `schema_${Bun.randomUUIDv7().replaceAll('-', '')}`
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  const url = databaseNamed(adminUrl, name)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(
    'create schema drizzle; create table drizzle.__drizzle_migrations (hash text, created_at bigint)',
  )
  await sql.end()
  return url
}
