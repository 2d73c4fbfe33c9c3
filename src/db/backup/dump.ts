import type { Client } from 'pg'
import { ConfigError } from '@/config/error'
import { isPrefix } from '../migrate/history'
import { readRelease } from '../migrate/release'
import type { Applied, Counted, Sequence, Shape, Sums, Table } from './contents'
import { copyOut, type Rows } from './copy'
import { inSession, quoted } from './session'

/** Excludes tables of extensions, and the job queues, whose schema is created again. */
const OURS = `c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/** Heartbeats of workers mean nothing on another server. */
const LEFT_OUT = ['heartbeats']

export async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, (
        select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
      ) as columns
    from pg_class c where ${OURS} and not c.relname = any($1) order by c.relname`,
    [LEFT_OUT],
  )
  return rows
}

/** Read after the rows: numbers assigned meanwhile leave a gap but are never reused. */
export async function readSequences(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select sequencename as name, last_value::text as last from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`,
  )
  return rows
}

const inOrder = ({ name, columns }: Table) => `${quoted(name)} (${columns.map(quoted).join(', ')})`

export const copyingIn = (table: Table) => `copy ${inOrder(table)} from stdin`

/** Yields the rows of a table in parts and returns their count. */
export async function* rowsOf(client: Client, table: Table): AsyncGenerator<Rows, Counted> {
  let [count, hash] = [0, 0n]
  for await (const part of copyOut(client, `copy ${inOrder(table)} to stdout`)) {
    count += part.count
    hash = BigInt.asUintN(64, hash + part.hash)
    yield part
  }
  return { rows: count, hash: hash.toString(16).padStart(16, '0') }
}

export type Snapshot = Shape & {
  postgres: string
  read(onRows: (table: string, part: Rows) => Promise<void>): Promise<Sums>
}

const SNAPSHOT = 'begin isolation level repeatable read read only'

/** Runs work on a snapshot of a database, while writes continue. */
export const dump = <T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  inSession(url, SNAPSHOT, async (client) => {
    const migrations = await readMigrations(client)
    const tables = await readTables(client)
    // A concurrent migration waits and times out instead of dropping a table half-way.
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
    const { rows: found } = await client.query<{ postgres: string }>(
      "select current_setting('server_version') as postgres",
    )
    return work({
      migrations,
      tables,
      postgres: found[0]?.postgres ?? '',
      async read(onRows) {
        const counts: Record<string, Counted> = {}
        for (const table of tables) {
          const rows = rowsOf(client, table)
          let next = await rows.next()
          for (; !next.done; next = await rows.next()) await onRows(table.name, next.value)
          counts[table.name] = next.value
        }
        return { counts, sequences: await readSequences(client) }
      },
    })
  })

/** Refuses a database that this release could not restore: now, not on the day it is needed. */
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
  if (!isPrefix(rows, readRelease()))
    throw new ConfigError(
      'The history of the database is not one that this release knows: back it up with the release that serves it.',
    )
  return rows
}
