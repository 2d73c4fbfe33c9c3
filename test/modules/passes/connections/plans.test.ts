import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { connections } from '@/db/tables/passes'
import { listConnectionsOf, listShownConnectionsOf } from '@/modules/passes/connections/queries'
import type { Json } from '../../../support/api'
import { cloneDatabase } from '../../../support/template'

/* Somebody who has met thousands reads a page of them: what the page costs, on a database of its own. */

const me = newId()
const MET = 4000
const PAGE = 21

let client: postgres.Sql

beforeAll(async () => {
  client = postgres(await cloneDatabase(process.env.TEST_DATABASE_URL as string), {
    max: 1,
    onnotice: () => {},
  })
  await client`insert into users (id, name, username) select gen_random_uuid(), 'Guest', 'guest-' || n
    from generate_series(1, ${MET}::int) n`
  await client`insert into users (id, name, username) values (${me}, 'Me', 'me-too')`
  await client`insert into connections (id, owner_id, visitor_id, created_at)
    select gen_random_uuid(), case when side then ${me}::uuid else id end, case when side then id else ${me}::uuid end, at
    from (select id, n % 2 = 0 as side, now() - n * interval '1 minute' as at
      from (select id, row_number() over () as n from users where username like 'guest-%') numbered) met`
  await client`insert into connections (id, owner_id, visitor_id, created_at)
    select gen_random_uuid(), one.id, other.id, now() from
      (select id, row_number() over () as n from users where username like 'guest-%') one
      join (select id, row_number() over () as n from users where username like 'guest-%') other on other.n = one.n + 1`
  await client`analyze`
})
afterAll(() => client.end())

const newestFirst = sql`${connections.createdAt} desc, ${connections.id} desc`
const behind = sql`(${connections.createdAt}, ${connections.id}) < (now() - interval '20 hours', ${newId()}::uuid)`

/** Rows that the plan reads of connections. */
async function rowsRead(list: typeof listShownConnectionsOf, after: SQL | undefined): Promise<number> {
  const page = list(db, me, after).orderBy(newestFirst).limit(PAGE).offset(0) as unknown as SQLWrapper
  const { sql: text, params } = new PgDialect().sqlToQuery(page.getSQL())
  const [explained] = await client.unsafe(`explain (analyze, format json) ${text}`, params as never[])
  const count = (node: Json): number =>
    (node['Relation Name'] === 'connections'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0) + (node.Plans ?? []).reduce((sum: number, child: Json) => sum + count(child), 0)
  return count(explained?.['QUERY PLAN'][0].Plan)
}

describe.each([
  ['of both sides', (db, id, after) => listConnectionsOf(db, id, undefined, after)],
  ['inbound', (db, id, after) => listConnectionsOf(db, id, 'inbound', after)],
  ['outbound', (db, id, after) => listConnectionsOf(db, id, 'outbound', after)],
  ['that anyone is shown', listShownConnectionsOf],
] as [string, typeof listShownConnectionsOf][])('a page of connections %s', (_, list) => {
  test('reads only its page, at any offset', async () => {
    for (const after of [undefined, behind]) {
      const rows = await rowsRead(list, after)
      expect([rows >= PAGE, rows <= 2 * PAGE, rows]).toEqual([true, true, rows])
    }
  })
})
