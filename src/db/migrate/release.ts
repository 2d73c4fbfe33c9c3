import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { VERSION } from '@/core/version'

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
