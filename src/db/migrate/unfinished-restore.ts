import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import { ConfigError } from '@/config/error'
import { writeOnce } from '@/config/write-file'
import { hasEmbeddedPostgres } from '../embedded-postgres/start'

/** Marks a database with an unfinished restore: an empty schema with this name, dropped with the last row. */
const MARK = 'folkmoot_restore'

export const MARKING = `create schema if not exists ${MARK}`

export const endRestore = (client: { query(text: string): Promise<unknown> }) =>
  client.query(`drop schema if exists ${MARK}`)

/** A server must not start a new community on a half-restored database. */
export async function requireFinished(sql: postgres.ISql): Promise<void> {
  const [found] = await sql`select to_regnamespace(${MARK}) is not null as unfinished`
  if (found?.unfinished) throw unfinished()
}

/** Marks a data folder whose embedded database does not exist yet. */
const markIn = (dataDir: string) => join(dataDir, 'restore-unfinished')

/** Creates a database to restore into. Once it exists, its own mark replaces that of the folder. */
export async function inMarkedFolder<T>(dataDir: string, make: () => Promise<T>): Promise<T> {
  if (!hasEmbeddedPostgres(dataDir)) writeOnce(markIn(dataDir), '')
  const made = await make()
  rmSync(markIn(dataDir), { force: true })
  return made
}

export function requireFinishedFolder(dataDir: string): void {
  if (!hasEmbeddedPostgres(dataDir) && existsSync(markIn(dataDir))) throw unfinished()
}

const unfinished = () =>
  new ConfigError(
    'A restore into this database was not finished: run "folkmoot restore" with the backup once more, or set DATA_DIR or DATABASE_URL to another one.',
  )
