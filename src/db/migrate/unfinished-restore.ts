import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import { ConfigError } from '@/config/error'
import { writeOnce } from '@/config/write-file'
import { hasEmbeddedPostgres } from '../embedded-postgres/start'

/** The mark of a database into which a restore has begun: an empty schema of this name, which goes with the last row. */
const MARK = 'folkmoot_restore'

export const MARKING = `create schema if not exists ${MARK}`

export const endRestore = (client: { query(text: string): Promise<unknown> }) =>
  client.query(`drop schema if exists ${MARK}`)

/** A server must not begin a new community where an old one was about to come back. */
export async function requireFinished(sql: postgres.ISql): Promise<void> {
  const [found] = await sql`select to_regnamespace(${MARK}) is not null as unfinished`
  if (found?.unfinished) throw unfinished()
}

/** The mark of a data folder whose embedded database is still being made, and cannot be marked itself. */
const markIn = (dataDir: string) => join(dataDir, 'restore-unfinished')

/** Makes a database that a restore goes into. From the moment it is there, its own mark speaks for it. */
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
