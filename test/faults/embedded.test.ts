import { expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'

const MARK = 'private-handle'

/** Everything that makes PostgreSQL speak of a row, each with the mark in it. */
const MISTAKES = [
  'insert into people values ($1)',
  'insert into people select null from (select $1::text) t',
  "insert into people select 'x' || $1",
  'insert into friends values ($1)',
  'delete from people where name = $1',
  'select 1 / length($1) - 1 / (length($1) - 14)',
  "select pg_sleep(10) where $1 <> ''",
]

test('what people typed does not reach the log, and a cluster that was left open is closed', async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'folkmoot-embedded-')), 'data')
  const settings = { fsync: 'off' }
  const first = await startEmbeddedPostgres({ dataDir, settings })
  const sql = postgres(first.url, { max: 1, onnotice: () => {}, connection: { statement_timeout: 200 } })
  await sql`create table people (name text primary key check (name not like 'x%'))`
  await sql`create table friends (name text references people)`
  await sql`insert into people values (${MARK})`
  await sql`create table kept (name text references people)`
  await sql`insert into kept values (${MARK})`
  for (const statement of MISTAKES)
    for (const prepare of [true, false])
      await expect(
        sql.unsafe(statement, [statement.includes('friends') ? `${MARK}-2` : MARK], { prepare }),
      ).rejects.toThrow()
  await expect(sql.unsafe(`insert into people values ('${MARK}')`)).rejects.toThrow()
  await sql.end()
  await first.stop()

  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toContain('duplicate key value violates unique constraint')
  expect(log).toContain('canceling statement due to statement timeout')
  expect(log).not.toContain(MARK)

  const cluster = join(dataDir, 'postgres')
  chmodSync(cluster, 0o755)
  chmodSync(dataDir, 0o755)
  const second = await startEmbeddedPostgres({ dataDir, settings })
  await second.stop()
  expect(statSync(cluster).mode & 0o777).toBe(0o700)
  expect(statSync(dataDir).mode & 0o077 & ~0o011).toBe(0)
})
