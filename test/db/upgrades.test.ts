import { beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { migrateDatabase } from '@/db/migrate/migrate'
import { databaseOf, emptyDatabase, HISTORIES, type History } from '../support/upgrades/histories'
import { schemaOf } from '../support/upgrades/schema'

const newest = HISTORIES.reduce((most, one) => (one.steps.length >= most.steps.length ? one : most))

describe('upgrades', () => {
  let fresh: string[] = []
  beforeAll(async () => {
    const url = await emptyDatabase()
    await migrateDatabase(url)
    fresh = await schemaOf(url)
  })

  for (const history of HISTORIES)
    test(`from ${history.name}: the schema of a new database, and the rows are kept`, async () => {
      const url = await databaseOf(history)
      await migrateDatabase(url)
      expect(await schemaOf(url)).toEqual(fresh)
      await migrateDatabase(url)
      const sql = postgres(url, { max: 1 })
      const [row] = await sql`select (select count(*)::int from users) as users,
        (select count(*)::int from outbox) as facts, (select count(*)::int from rsvps) as rsvps`
      expect(row).toEqual({ users: 2, facts: 1, rsvps: history.steps.length > 2 ? 1 : 0 })
      await sql.end()
    })
})

describe('a history that this release does not know is refused, and nothing is changed', () => {
  const whole = newest as History
  const altered = (place: number, change: object): History => ({
    name: 'altered',
    steps: whole.steps.map((step, at) => (at === place ? { ...step, ...change } : step)),
  })
  const last = whole.steps.length - 1
  const cases: [string, History, RegExp][] = [
    [
      'a text that nobody wrote',
      altered(4, { text: `${whole.steps[4]?.text}\n-- edited` }),
      /^The history of the database is not one that this release knows/,
    ],
    [
      'a newer release',
      { name: 'newer', steps: [...whole.steps, { text: 'select 1', when: Date.UTC(2100, 0) }] },
      /^The database was brought up to date by a newer release/,
    ],
    [
      'a migration between ours',
      {
        name: 'foreign',
        steps: [...whole.steps, { text: 'select 1', when: (whole.steps[last]?.when ?? 0) - 1 }],
      },
      /^The history of the database is not one/,
    ],
    [
      'a migration before ours',
      { name: 'before', steps: [...whole.steps, { text: 'select 1', when: 1 }] },
      /^The history of the database is not one/,
    ],
  ]
  for (const [name, history, sentence] of cases)
    test(name, async () => {
      const url = await databaseOf(history)
      const before = await schemaOf(url)
      await expect(migrateDatabase(url)).rejects.toThrow(sentence)
      expect(await schemaOf(url)).toEqual(before)
    })

  test('a migration left out', async () => {
    const url = await databaseOf(whole)
    const sql = postgres(url, { max: 1 })
    await sql`delete from drizzle.__drizzle_migrations where id = 5`
    await sql.end()
    await expect(migrateDatabase(url)).rejects.toThrow(/^The history of the database is not one/)
  })

  test("somebody else's tables", async () => {
    const url = await emptyDatabase()
    const sql = postgres(url, { max: 1 })
    await sql`create table users (name text)`
    await expect(migrateDatabase(url)).rejects.toThrow(
      /^The database holds tables that Folkmoot did not make \(users\): give it an empty database/,
    )
    const [row] = await sql`select to_regclass('drizzle.__drizzle_migrations') as history`
    expect(row?.history).toBeNull()
    await sql.end()
  })
})
