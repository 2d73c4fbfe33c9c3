import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { migrateDatabase } from '@/db/migrate/migrate'
import { explained } from '../support/explained'
import { ownDatabase } from '../support/processes'
import { seedPeople } from '../support/seed'
import { databaseOf, emptyDatabase, HISTORIES, type History } from '../support/upgrades/histories'
import { schemaOf } from '../support/upgrades/schema'

const IN_REAL_USE = /^This database is in real use, and the demo would add people to it .* "bun run start"\.$/
const IS_THE_DEMO =
  /^This database is the demo, whose tokens lie open in demo\.json: set DATA_DIR or DATABASE_URL/

const withPeople = async (email: string | null = null) => {
  const url = await ownDatabase()
  const [person] = await seedPeople(url, 1)
  const sql = postgres(url, { max: 1 })
  await sql`update users set email = ${email} where id = ${person?.id as string}`
  await sql.end()
  return url
}

describe('the use of a database', () => {
  test('is that of its first start, with or without people', async () => {
    const [demo, production] = [await ownDatabase(), await ownDatabase()]
    await migrateDatabase(demo, { use: 'demo' })
    await migrateDatabase(production, { use: 'production' })
    await expect(migrateDatabase(demo, { use: 'production' })).rejects.toThrow(IS_THE_DEMO)
    await expect(migrateDatabase(production, { use: 'demo' })).rejects.toThrow(IN_REAL_USE)
    await migrateDatabase(demo, { use: 'demo' })
    await migrateDatabase(production, { use: 'production' })
  })

  test('is inferred from its people if no release has marked it', async () => {
    const [demo, production] = [await withPeople('ada@demo.folkmoot.example'), await withPeople()]
    await expect(migrateDatabase(demo, { use: 'production' })).rejects.toThrow(IS_THE_DEMO)
    await expect(migrateDatabase(production, { use: 'demo' })).rejects.toThrow(IN_REAL_USE)
    await migrateDatabase(demo, { use: 'demo' })
    await migrateDatabase(production, { use: 'production' })
  })

  test('is checked before a migration runs', async () => {
    const url = await databaseOf(HISTORIES[0] as History)
    const before = await schemaOf(url)
    await expect(migrateDatabase(url, { use: 'demo' })).rejects.toThrow(IN_REAL_USE)
    expect(await schemaOf(url)).toEqual(before)
  })

  test('is not checked for a foreign database, which is refused anyway', async () => {
    const url = await emptyDatabase()
    const sql = postgres(url, { max: 1 })
    await sql`create table users (id int)`
    await sql.end()
    for (const use of ['demo', 'production'] as const)
      await expect(migrateDatabase(url, { use })).rejects.toThrow(
        /^The database holds tables that Folkmoot did not make/,
      )
  })

  test('is decided once by concurrent first starts', async () => {
    const url = await ownDatabase()
    const starts = await Promise.allSettled(
      (['demo', 'production', 'demo', 'production'] as const).map((use) => migrateDatabase(url, { use })),
    )
    expect(starts.filter(({ status }) => status === 'fulfilled').length).toBe(2)
  })
})

describe('commands', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'folkmoot-use-'))

  test('"bun run up" refuses a production database and adds nothing', async () => {
    const DATABASE_URL = await withPeople()
    const DATA_DIR = folder()
    const { code, sentence } = await explained('scripts/up.ts', { DATABASE_URL, DATA_DIR })
    expect([code, sentence]).toEqual([1, expect.stringMatching(IN_REAL_USE)])
    const sql = postgres(DATABASE_URL, { max: 1 })
    const [row] = await sql`select count(*)::int as people from users`
    await sql.end()
    expect([row?.people, readdirSync(DATA_DIR)]).toEqual([1, []])
  })

  for (const command of ['src/server.ts', 'workers/main.ts'])
    test(`${command} refuses the demo database`, async () => {
      const DATABASE_URL = await withPeople('ada@demo.folkmoot.example')
      const { code, sentence } = await explained(command, { DATABASE_URL })
      expect([code, sentence]).toEqual([1, expect.stringMatching(IS_THE_DEMO)])
    })
})
