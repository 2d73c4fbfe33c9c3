import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import postgres from 'postgres'
import { databaseNamed } from '../support/template'
import landed from './landed-migrations.json'

const root = join(import.meta.dir, '../..')

test('the migrations produce the described tables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-drift-'))
  cpSync(join(root, 'migrations'), folder, { recursive: true })
  const before = readdirSync(folder).sort()
  const generate = [
    'x',
    'drizzle-kit',
    'generate',
    '--dialect',
    'postgresql',
    '--schema',
    './src/db/tables/*.ts',
    '--out',
    // drizzle-kit puts a dot before every path.
    relative(root, folder),
  ]
  const kit = Bun.spawn([process.execPath, ...generate], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const output = (await new Response(kit.stdout).text()) + (await new Response(kit.stderr).text())
  expect([await kit.exited, output]).toEqual([0, expect.stringContaining('No schema changes')])
  expect(readdirSync(folder).sort()).toEqual(before)
  rmSync(folder, { recursive: true })
})

const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
  readFileSync(join(root, 'migrations/meta/_journal.json'), 'utf8'),
)

/** Databases that ran the earlier text never run the new one: they would stay behind without a word. */
test('a landed migration is never changed, renamed or removed', () => {
  const texts = journal.entries.map(({ tag }) => {
    const text = readFileSync(join(root, `migrations/${tag}.sql`))
    return [tag, createHash('sha256').update(text).digest('hex')] as const
  })
  const recorded = Object.entries(landed)
  for (const [place, [tag, hash]] of recorded.entries())
    if (texts[place]?.[0] !== tag || texts[place]?.[1] !== hash)
      throw new Error(`${tag} has landed: put it back as it was, and write a next migration instead`)
  for (const [tag, hash] of texts.slice(recorded.length))
    throw new Error(`${tag} is about to land: add "${tag}": "${hash}" to test/house/landed-migrations.json`)
})

test('each migration is later than the previous one, or up-to-date databases would skip it', () => {
  const times = journal.entries.map(({ when }) => when)
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
})

test('several processes can migrate an empty database concurrently', async () => {
  const adminUrl = process.env.TEST_DATABASE_URL as string
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  const name = `migrate_${Date.now()}`
  await admin.unsafe(`create database ${name}`)
  const url = databaseNamed(adminUrl, name)
  const script = `const { migrateDatabase } = await import('${root}/src/db/migrate/migrate.ts'); await migrateDatabase(process.env.URL)`
  const started = Array.from({ length: 3 }, () =>
    Bun.spawn([process.execPath, '-e', script], { env: { ...process.env, URL: url }, stderr: 'pipe' }),
  )
  for (const child of started)
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ''])
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const [row] =
    await sql`select count(*)::int as applied, count(distinct hash)::int as different from drizzle.__drizzle_migrations`
  expect(row?.applied).toBe(row?.different)
  expect(row?.applied).toBeGreaterThan(0)
  await sql.end()
  await admin.end()
})
