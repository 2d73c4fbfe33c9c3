import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { migrateDatabase } from '@/db/migrate/migrate'
import { databaseNamed } from '../../../support/template'
import { differences } from '../leaderboards/sums'

const NAME = 'hidden_badges'

/** A database as it was before the migration of this name. */
async function databaseBefore(tag: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-before-'))
  cpSync(join(import.meta.dir, '../../../../migrations'), folder, { recursive: true })
  const journal = join(folder, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  const first = entries.findIndex((entry: { tag: string }) => entry.tag.endsWith(`_${tag}`))
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, first) }))
  const adminUrl = process.env.TEST_DATABASE_URL as string
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  const name = `before_${tag}_${Date.now()}`
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  const url = databaseNamed(adminUrl, name)
  const client = postgres(url, { max: 1, onnotice: () => {} })
  await migrate(drizzle(client), { migrationsFolder: folder })
  await client.end()
  rmSync(folder, { recursive: true })
  return url
}

test('scores that held hidden badges lose them, now and in their history', async () => {
  const url = await databaseBefore(NAME)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const [ada, ben] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
  for (const id of [ada, ben])
    await sql`insert into users (id, name, username) values (${id}, 'Person', ${`person-${id}`})`
  const badge = async (points: number, hidden = false) => {
    const id = Bun.randomUUIDv7()
    await sql`insert into badges (id, name, slug, icon, color, points, hidden)
      values (${id}, 'Badge', ${id}, '🏅', '#123456', ${points}, ${hidden})`
    return id
  }
  const give = (badgeId: string, userId: string, daysAgo: number) =>
    sql`insert into badge_awards (id, badge_id, user_id, source, awarded_at)
      values (${Bun.randomUUIDv7()}, ${badgeId}, ${userId}, 'admin', date_trunc('day', now()) - ${daysAgo} * interval '1 day')`
  const [open, small, secret, mere] = [
    await badge(20),
    await badge(5),
    await badge(100, true),
    await badge(0, true),
  ]
  await give(open, ada, 9)
  await give(secret, ada, 8)
  await give(small, ada, 3)
  await give(open, ben, 7)
  await give(mere, ben, 2)
  await sql`insert into board_days values (current_date - 5, now())`
  await sql`insert into board_snapshots values (${ada}, current_date - 5, 1, 120), (${ben}, current_date - 5, 2, 20)`

  await migrateDatabase(url)
  const daysAgo = (column: string) => sql.unsafe(`(date_trunc('day', now())::date - ${column}::date)`)
  expect([
    ...(await sql`select id, xp, badge_count as badges, ${daysAgo('xp_reached_at')} as since from users order by xp desc`),
  ]).toEqual([
    { id: ada, xp: 25, badges: 2, since: 3 },
    { id: ben, xp: 20, badges: 1, since: 7 },
  ])
  expect([
    ...(await sql`select user_id as id, ${daysAgo('at')} as at, change, xp, ${daysAgo('reached_before')} as before
      from score_changes order by at desc, id`),
  ]).toEqual([
    { id: ada, at: 9, change: 20, xp: 20, before: null },
    { id: ben, at: 7, change: 20, xp: 20, before: null },
    { id: ada, at: 3, change: 5, xp: 25, before: 9 },
  ])
  // The boards of past days are drawn anew by a worker.
  expect((await sql`select * from board_days`).length).toBe(0)
  expect(await differences((statement) => sql.unsafe(statement))).toEqual({})
  await sql.end()
})
