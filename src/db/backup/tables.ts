import type { Client } from 'pg'
import type { Counted, Sequence, Table } from './contents'
import { copyOut, type Rows } from './copy'
import { quoted } from './session'

/** Our own tables: those of extensions are not, and the queues of jobs have a schema that is made anew. */
const OURS = `c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/** Signs of life of workers of that server say nothing of another one. */
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

/** Read after the rows: numbers that were given meanwhile leave a gap, and none is given twice. */
export async function readSequences(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select sequencename as name, last_value::text as last from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`,
  )
  return rows
}

const inOrder = ({ name, columns }: Table) => `${quoted(name)} (${columns.map(quoted).join(', ')})`

export const copyingIn = (table: Table) => `copy ${inOrder(table)} from stdin`

/** Gives the rows of a table in parts, and at the end how many there were. */
export async function* rowsOf(client: Client, table: Table): AsyncGenerator<Rows, Counted> {
  let [count, hash] = [0, 0n]
  for await (const part of copyOut(client, `copy ${inOrder(table)} to stdout`)) {
    count += part.count
    hash = BigInt.asUintN(64, hash + part.hash)
    yield part
  }
  return { rows: count, hash: hash.toString(16).padStart(16, '0') }
}
