import { describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { migrateDatabase } from '@/db/migrate/migrate'
import { expectUpgrade } from '../support/upgrades/expect-upgrade'
import { databaseOf, emptyDatabase, HISTORIES, type History } from '../support/upgrades/histories'
import { schemaOf } from '../support/upgrades/schema'

const newest = HISTORIES.reduce((most, one) => (one.steps.length >= most.steps.length ? one : most))

const [oldest] = HISTORIES as [History, ...History[]]

// Every other history that a release has left is upgraded in `test/upgrades`.
test(`an upgrade from ${oldest.name} gives the schema of a new database, and the rows are kept`, () =>
  expectUpgrade(oldest))

test('time zones of earlier releases get their IANA spelling', async () => {
  const url = await databaseOf(HISTORIES.find(({ name }) => name === '0043_backed_up') as History)
  const sql = postgres(url, { max: 1 })
  await sql`update events set timezone = 'europe/berlin'`
  await sql`update users set time_zone = case name when 'Ada' then 'AMERICA/port-au-prince' else 'Nowhere/Land' end`
  await migrateDatabase(url)
  expect(await sql`select timezone, sequence from events`).toMatchObject([
    { timezone: 'Europe/Berlin', sequence: 0 },
  ])
  expect(await sql`select time_zone from users order by name`).toMatchObject([
    { time_zone: 'America/Port-au-Prince' },
    { time_zone: 'Nowhere/Land' },
  ])
  await sql.end()
})

describe('an unknown migration history is refused without changes', () => {
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

  test('a missing migration', async () => {
    const url = await databaseOf(whole)
    const sql = postgres(url, { max: 1 })
    await sql`delete from drizzle.__drizzle_migrations where id = 5`
    await sql.end()
    await expect(migrateDatabase(url)).rejects.toThrow(/^The history of the database is not one/)
  })

  test('foreign tables', async () => {
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
