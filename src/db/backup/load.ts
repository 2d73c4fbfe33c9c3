import type { Client } from 'pg'
import { ConfigError } from '@/config/error'
import { isBeginning } from '../migrate/history'
import { readRelease } from '../migrate/release'
import { endRestore } from '../migrate/unfinished-restore'
import type { Applied, Shape, Sums, Table } from './contents'
import { type CopyIn, copyIn } from './copy'
import { copyingIn, readTables, rowsOf } from './dump'
import { inSession, quoted } from './session'
import { offering, unrestorable } from './unrestorable'

/** Takes rows of a table; those of one table come one after the other. */
export type Feed = (table: string, rows: Uint8Array) => Promise<void>

/**
 * Makes the schema by the migrations that the rows were written under, fills it, and compares what is there then with what
 * was read: all of it in one transaction, so that a database holds everything or nothing. It needs no rights beyond those
 * of the owner of the database.
 */
export const load = (url: string, shape: Shape, fill: (feed: Feed) => Promise<Sums>): Promise<void> =>
  inSession(url, 'begin', async (client) => {
    await buildSchema(client, shape.migrations)
    const tables = tablesOf(shape, await readTables(client))
    const constraints = await dropReferences(client)
    // What triggers would do for each row has been done: its outcome is among the rows.
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
    // Migrations bring a few rows of their own.
    await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
    const into = feeding(client, tables)
    const sums = await fill(into.feed)
    await into.end()
    await setSequences(client, sums)
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
    for (const { table, name, definition } of constraints)
      await offering(`rows of ${table}, which refer to others`, () =>
        client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`),
      )
    await compare(client, tables, sums)
    await endRestore(client)
  })

/** Statistics, without which the first requests would be planned for empty tables. */
export const analyze = (url: string) =>
  inSession(url, 'begin', async (client) => {
    for (const { name } of await readTables(client)) await client.query(`analyze ${quoted(name)}`)
  })

/** The migrations of this release that were run on it; those that came later are run by the next start. */
async function buildSchema(client: Client, applied: Applied[]) {
  const release = readRelease()
  requireKnown(applied)
  await client.query('create schema if not exists drizzle')
  await client.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  for (const { statements, hash, folderMillis } of release.slice(0, applied.length)) {
    for (const statement of statements) await client.query(statement)
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ])
  }
}

export function requireKnown(applied: Applied[]) {
  const release = readRelease()
  if (applied.length > 0 && isBeginning(applied, release)) return
  const newest = release.at(-1)?.folderMillis ?? 0
  throw new ConfigError(
    applied.some(({ at }) => at > newest)
      ? 'The backup is of a newer release of Folkmoot than this one: restore it with that release.'
      : 'The backup is of a database whose history this release does not know: restore it with the release that made it.',
  )
}

function tablesOf({ tables }: Shape, there: Table[]): Table[] {
  const known = new Map(there.map(({ name, columns }) => [name, new Set(columns)]))
  const foreign = tables.find(({ name, columns }) => !columns.every((column) => known.get(name)?.has(column)))
  if (foreign)
    throw new ConfigError(
      `The backup has a table that its migrations do not make (${foreign.name}): restore it with the release that made it.`,
    )
  return tables
}

type Constraint = { table: string; name: string; definition: string }

/** References between tables go in circles; added again, each is checked once for all rows. */
async function dropReferences(client: Client): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(
    `select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 1, 2`,
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  return rows
}

function feeding(client: Client, tables: Table[]) {
  let open: { name: string; copy: CopyIn } | undefined
  const end = async () => {
    if (open) await offering(`rows of ${open.name}`, open.copy.end)
    open = undefined
  }
  const feed: Feed = async (name, rows) => {
    if (open?.name !== name) {
      await end()
      const table = tables.find((one) => one.name === name)
      if (!table) throw unrestorable(`it has rows of a table that it does not name (${name})`)
      open = { name, copy: copyIn(client, copyingIn(table)) }
    }
    const { copy } = open
    await offering(`rows of ${name}`, () => copy.write(rows))
  }
  return { feed, end }
}

async function setSequences(client: Client, { sequences }: Sums) {
  const { rows } = await client.query<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = 'public'",
  )
  const known = new Set(rows.map(({ name }) => name))
  for (const { name, last } of sequences) {
    if (!known.has(name)) throw unrestorable(`it has a sequence that its migrations do not make (${name})`)
    await offering(`the number of the sequence ${name}`, () =>
      client.query('select setval($1::regclass, $2)', [quoted(name), last]),
    )
  }
}

async function compare(client: Client, tables: Table[], { counts }: Sums) {
  for (const table of tables) {
    const rows = rowsOf(client, table)
    let next = await rows.next()
    while (!next.done) next = await rows.next()
    const expected = counts[table.name]
    if (next.value.rows !== expected?.rows || next.value.hash !== expected.hash)
      throw unrestorable(
        `the table ${table.name} has not become what the manifest says (${next.value.rows} rows instead of ${expected?.rows ?? 'none'})`,
      )
  }
}
