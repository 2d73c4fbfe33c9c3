import { expect } from 'bun:test'
import postgres from 'postgres'
import { migrateDatabase } from '@/db/migrate/migrate'
import { databaseOf, emptyDatabase, type History } from './histories'
import { schemaOf } from './schema'

/** Upgrades a database of an earlier release, twice: its schema is that of a new one, and its rows are kept. */
export async function expectUpgrade(history: History): Promise<void> {
  const url = await databaseOf(history)
  await migrateDatabase(url)
  expect(await schemaOf(url)).toEqual(await schemaOfNew())
  await migrateDatabase(url)
  const sql = postgres(url, { max: 1 })
  const [row] = await sql`select (select count(*)::int from users) as users,
    (select count(*)::int from outbox) as events, (select count(*)::int from rsvps) as rsvps`
  expect(row).toEqual({ users: 2, events: 1, rsvps: history.steps.length > 2 ? 1 : 0 })
  await sql.end()
}

let fresh: Promise<string[]> | undefined

const schemaOfNew = () => {
  fresh ??= (async () => {
    const url = await emptyDatabase()
    await migrateDatabase(url)
    return schemaOf(url)
  })()
  return fresh
}
