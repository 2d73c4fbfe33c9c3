import type { Client } from 'pg'
import { ConfigError } from '@/config/error'
import { isPrefix } from '../migrate/history'
import { readRelease } from '../migrate/release'
import { endRestore } from '../migrate/unfinished-restore'
import type { Applied, Shape, Sums, Table } from './contents'
import { type CopyIn, copyIn } from './copy'
import { copyingIn, readTables, rowsOf } from './dump'
import { inSession, quoted } from './session'
import { explainRefusal, unrestorable } from './unrestorable'

/** Receives rows; tables are not interleaved. */
export type Feed = (table: string, rows: Uint8Array) => Promise<void>

/**
 * Builds the schema with the migrations of the backup, loads the rows and compares their sums, in one transaction: all or
 * nothing. Needs no rights beyond the database owner's.
 */
export const load = (url: string, shape: Shape, fill: (feed: Feed) => Promise<Sums>): Promise<void> =>
  inSession(url, 'begin', async (client) => {
    await buildSchema(client, shape.migrations)
    const tables = tablesOf(shape, await readTables(client))
    const constraints = await dropReferences(client)
    // The rows already hold the effects of the triggers.
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
    // Migrations insert a few rows.
    await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
    const into = feeding(client, tables)
    const sums = await fill(into.feed)
    await into.end()
    await setSequences(client, sums)
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
    for (const { table, name, definition } of constraints)
      await explainRefusal(`rows of ${table}, which refer to others`, () =>
        client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`),
      )
    await compare(client, tables, sums)
    await endRestore(client)
  })

/** Without statistics the first requests would be planned for empty tables. */
export const analyze = (url: string) =>
  inSession(url, 'begin', async (client) => {
    for (const { name } of await readTables(client)) await client.query(`analyze ${quoted(name)}`)
  })

/** Runs the migrations of the backup; the next start runs newer ones. */
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
  if (applied.length > 0 && isPrefix(applied, release)) return
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

/** Foreign keys are cyclic; added back, each is checked once for all rows. */
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
    if (open) await explainRefusal(`rows of ${open.name}`, open.copy.end)
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
    await explainRefusal(`rows of ${name}`, () => copy.write(rows))
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
    await explainRefusal(`the number of the sequence ${name}`, () =>
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
