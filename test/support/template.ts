import postgres from 'postgres'
import { migrateDatabase } from '../../src/db/migrate/migrate'

// Runs that share a server have a template each, and so do their databases' names.
const TEMPLATE = process.env.TEST_TEMPLATE ?? 'folkmoot_template'

/** Migrated once; every run and every test that needs its own database clones it. */
export async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${TEMPLATE}`)
  await migrateDatabase(databaseNamed(adminUrl, TEMPLATE))
  await admin.end()
}

export async function cloneDatabase(adminUrl: string): Promise<string> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  const name = `${TEMPLATE}_${Bun.randomUUIDv7().replaceAll('-', '')}`
  await admin.unsafe(`create database ${name} template ${TEMPLATE}`)
  await admin.end()
  return databaseNamed(adminUrl, name)
}

export function databaseNamed(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
