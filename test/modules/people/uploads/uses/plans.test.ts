import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getTableName } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { pictures } from '@/areas'
import { BY_INDEX } from '@/db/pool/connection'
import { lookingThrough } from '@/modules/people/uploads/uses/queries'

let client: postgres.Sql
beforeAll(() => {
  client = postgres(process.env.DATABASE_URL as string, { max: 1, onnotice: () => {}, connection: BY_INDEX })
})
afterAll(() => client.end())

const planOf = async (statement: string) =>
  (await client.unsafe(`explain (generic_plan, costs off) ${statement}`)).map((row) =>
    String(row['QUERY PLAN']).trim(),
  )

test('who shows a picture is looked up in an index of each place, which holds nothing but uploads', async () => {
  const plan = await planOf(new PgDialect().sqlToQuery(lookingThrough(pictures, [])).sql)
  const scans = plan.flatMap((line, i) => (line.includes('Scan') ? [`${line} ${plan[i + 1]}`] : []))
  expect(scans).toHaveLength(pictures.length)
  // The planner takes the places in an order of its own.
  for (const { column } of pictures) {
    const indexed = new RegExp(
      `Index (Only )?Scan using ${getTableName(column.table)}_\\w+_upload on .* Index Cond: .* = ANY`,
    )
    expect(scans.filter((scan) => indexed.test(scan))).not.toEqual([])
  }
})
