import type { Client } from 'pg'
import { ConfigError } from '@/config/error'
import { isBeginning } from '../migrate/history'
import { readRelease } from '../migrate/release'
import type { Applied, Counted, Shape, Sums } from './contents'
import type { Rows } from './copy'
import { inSession, quoted } from './session'
import { readSequences, readTables, rowsOf } from './tables'

/** A database as it is at one moment. */
export type Snapshot = Shape & {
  postgres: string
  /** Reads all rows, table by table. */
  read(hear: (table: string, part: Rows) => Promise<void>): Promise<Sums>
}

const SNAPSHOT = 'begin isolation level repeatable read read only'

/** Works on a snapshot of a database, while others go on writing. */
export const dump = <T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  inSession(url, SNAPSHOT, async (client) => {
    const migrations = await readMigrations(client)
    const tables = await readTables(client)
    // A migration that comes meanwhile waits, and gives up, instead of taking a table away half-way.
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
    const { rows: found } = await client.query<{ postgres: string }>(
      "select current_setting('server_version') as postgres",
    )
    return work({
      migrations,
      tables,
      postgres: found[0]?.postgres ?? '',
      async read(hear) {
        const counts: Record<string, Counted> = {}
        for (const table of tables) {
          const rows = rowsOf(client, table)
          let next = await rows.next()
          for (; !next.done; next = await rows.next()) await hear(table.name, next.value)
          counts[table.name] = next.value
        }
        return { counts, sequences: await readSequences(client) }
      },
    })
  })

/** A database that this release could not restore is refused now, and not on the day when it is needed. */
async function readMigrations(client: Client): Promise<Applied[]> {
  const { rows: known } = await client.query<{ is: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as is",
  )
  const { rows } = known[0]?.is
    ? await client.query<Applied>(
        'select hash, created_at::float8 as at from drizzle.__drizzle_migrations order by created_at, id',
      )
    : { rows: [] }
  if (rows.length === 0)
    throw new ConfigError(
      'There is nothing to back up in this database: give DATA_DIR or DATABASE_URL as the server has them.',
    )
  if (!isBeginning(rows, readRelease()))
    throw new ConfigError(
      'The history of the database is not one that this release knows: back it up with the release that serves it.',
    )
  return rows
}
