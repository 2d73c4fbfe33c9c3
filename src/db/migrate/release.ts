import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { VERSION } from '@/core/version'

/** Statements that convert the schema of an earlier text of a migration to that of its present one. */
export type Repair = { from: string; became: Migration; statements: string[] }

const NAME = /^(?<tag>\w+)\.from-(?<from>[0-9a-f]{12})\.sql$/

/**
 * Reads `repairs/<migration>.from-<first digits of the earlier text's hash>.sql`. Only for texts rewritten before that was
 * forbidden: add no new ones.
 */
export function readRepairs(release: Migration[]): Repair[] {
  const folder = join(migrationsFolder, 'repairs')
  return readdirSync(folder).map((name) => {
    const { tag, from = '' } = NAME.exec(name)?.groups ?? {}
    const became = release.find((migration) => migration.name === tag)
    if (!became) throw new Error(`${name} repairs no migration of this release`)
    const statements = readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint')
    return { from, became, statements }
  })
}

/** A migration of this release: its name, time and the SHA-256 of its text, as drizzle records them. */
export type Migration = { name: string; hash: string; folderMillis: number; statements: string[] }

export const migrationsFolder = join(import.meta.dir, '../../../migrations')

/** In the order of the journal. */
export function readRelease(): Migration[] {
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  return readMigrationFiles({ migrationsFolder }).map(({ hash, folderMillis, sql }, at) => ({
    name: entries[at]?.tag ?? '',
    hash,
    folderMillis,
    statements: sql,
  }))
}

/** Identifies a release: its version and the schema it needs. */
export const releaseName = () => `${VERSION} ${readRelease().at(-1)?.hash}`
