import type postgres from 'postgres'
import { ConfigError } from '@/config/error'

/** The mark of a database into which a restore has begun: an empty schema of this name, which goes with the last row. */
const MARK = 'folkmoot_restore'

export const MARKING = `create schema if not exists ${MARK}`

export const endRestore = (client: { query(text: string): Promise<unknown> }) =>
  client.query(`drop schema if exists ${MARK}`)

/** A server must not begin a new community where an old one was about to come back. */
export async function requireFinished(sql: postgres.ISql): Promise<void> {
  const [found] = await sql`select to_regnamespace(${MARK}) is not null as unfinished`
  if (found?.unfinished)
    throw new ConfigError(
      'A restore into this database was not finished: run "folkmoot restore" with the backup once more, or set DATA_DIR or DATABASE_URL to another one.',
    )
}
