import { expect } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { logPath } from '@/db/embedded-postgres/logfile'
import { ownDatabase } from '../processes'
import { fillCommunity } from './fill'
import { logPlans } from './plans'
import type { Step } from './walk'

/** Tables that grow with the community. What is small, or bounded by a limit of its own, may be read whole. */
const LARGE = new Set([
  ...['users', 'sessions', 'identities', 'portfolio_items', 'follows', 'passes', 'connections', 'uploads'],
  ...['events', 'rsvps', 'checkins', 'favorites', 'group_scores', 'movers', 'board_drafts'],
  ...['badge_awards', 'score_changes', 'board_snapshots', 'achievement_progress'],
  ...['outbox', 'reactions', 'mails', 'audit_log'],
])

/** Fills a database of its own, walks through everything on it and gives what PostgreSQL should not have done. */
export async function examine(people: number, { pretending = people } = {}) {
  const url = await ownDatabase()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await fillCommunity(sql, people)
  const database = new URL(url).pathname.slice(1)
  const counted = await sql`select relname, reltuples from pg_class where relkind = 'r'`
  const rowsOf = new Map(counted.map(({ relname, reltuples }) => [relname as string, Number(reltuples)]))
  // It would count the rows in the middle of the walk, and the planner would know how few they are.
  const tables = await sql`select format('%I', tablename) as name from pg_tables where schemaname = 'public'`
  for (const { name } of tables) await sql.unsafe(`alter table ${name} set (autovacuum_enabled = false)`)
  // The planner estimates rows by these figures, so it plans as for a community of that size.
  if (pretending > people)
    await sql`
      update pg_class set reltuples = reltuples * ${pretending / people}::float4
      where relkind in ('r', 'i') and reltuples > 100 and relnamespace = 'public'::regnamespace`
  await logPlans(sql, database)
  const [{ folder = '' } = {}] = await sql`select current_setting('data_directory') as folder`
  await sql.end()
  const steps = await walk(url, logPath(dirname(folder)))
  const bad = steps.flatMap(({ name, ran }) =>
    ran.flatMap(({ text, scans, spills }) => {
      const whole = Object.entries(scans).flatMap(([table, rows]) =>
        LARGE.has(table) && rows > (rowsOf.get(table) ?? 0) / 2 ? [table] : [],
      )
      return whole.length > 0 || spills ? [{ name, whole, spills, text: text.slice(0, 300) }] : []
    }),
  )
  return { steps, bad }
}

async function walk(databaseUrl: string, logFile: string): Promise<Step[]> {
  const out = join(mkdtempSync(join(tmpdir(), 'walk-')), 'steps.json')
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'walk.ts'), logFile, out], {
    env: { ...process.env, DATABASE_URL: databaseUrl, SETTLE_MS: '500' },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  expect(await child.exited).toBe(0)
  return JSON.parse(readFileSync(out, 'utf8'))
}
