import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import postgres from 'postgres'
import { databaseNamed } from '../support/template'

const root = join(import.meta.dir, '../..')

test('the migrations say what the tables say', async () => {
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
}, 60_000)

test('several processes may migrate an empty database at once', async () => {
  const adminUrl = process.env.TEST_DATABASE_URL as string
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  const name = `migrate_${Date.now()}`
  await admin.unsafe(`create database ${name}`)
  const url = databaseNamed(adminUrl, name)
  const script = `const { migrateDatabase } = await import('${root}/src/db/migrate.ts'); await migrateDatabase(process.env.URL)`
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
