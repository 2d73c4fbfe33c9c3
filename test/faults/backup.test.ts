import { beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { verify } from '@/backup/verify'
import { dumpOf } from '../support/dump'
import { explained } from '../support/explained'
import { command } from '../support/host'
import { startServer, until } from '../support/processes'
import { seedPeople } from '../support/seed'
import { emptyDatabase } from '../support/upgrades/histories'
import { uploadWorld } from '../support/upload-world'

const scratch = () => mkdtempSync(join(tmpdir(), 'folkmoot-backup-'))

let world: Awaited<ReturnType<typeof uploadWorld>>
let file: string
let token: string

beforeAll(async () => {
  world = await uploadWorld()
  const [person] = await seedPeople(world.databaseUrl, 300)
  token = person?.token ?? ''
  for (let i = 0; i < 5; i += 1) await world.ready()
  // Enough rows that there is something to interrupt.
  await world.sql`insert into outbox (id, type, payload)
    select gen_random_uuid(), 'user.followed', jsonb_build_object('words', repeat(md5(i::text), 40)) from generate_series(1, 40000) i`
  file = join(scratch(), 'community.backup')
  expect((await world.folkmoot(['backup', '--to', file])).exitCode).toBe(0)
})

describe('a backup that is killed', () => {
  test('leaves no file of its name, and the next one goes well', async () => {
    const folder = scratch()
    const child = world.start(['backup', '--to', folder])
    await until('it writes', () =>
      readdirSync(folder).some((name) => statSync(join(folder, name)).size > 100_000),
    )
    child.kill('SIGKILL')
    await child.exited
    const left = readdirSync(folder)
    expect(left).toEqual([expect.stringContaining('.backup.unfinished-')])
    const [unfinished = ''] = left
    expect(statSync(join(folder, unfinished)).mode & 0o777).toBe(0o600)
    await expect(verify(join(folder, unfinished))).rejects.toThrow(/is cut off/)
    // What was left is swept after a day.
    const { exitCode } = await world.folkmoot(['backup', '--to', folder, '--keep', '1'])
    expect(exitCode).toBe(0)
    expect(readdirSync(folder)).toHaveLength(2)
  }, 120_000)
})

describe('a restore that is killed', () => {
  test('leaves a database on which no server starts, and the next restore goes well', async () => {
    const url = await emptyDatabase()
    const environment = { DATABASE_URL: url, STORAGE_URL: `file://${scratch()}` }
    const child = world.start(['restore', file], environment)
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await until('it loads', async () => {
      const [row] =
        await sql`select exists (select from pg_stat_activity where datname = current_database() and query ilike 'copy%from stdin%') as loads`
      return row?.loads === true
    })
    child.kill('SIGKILL')
    await child.exited
    for (const command of ['src/server.ts', 'workers/main.ts', 'scripts/migrate.ts']) {
      const { code, sentence } = await explained(command, environment)
      expect([code, sentence]).toEqual([
        1,
        expect.stringContaining('A restore into this database was not finished'),
      ])
    }
    const again = await world.folkmoot(['restore', file], environment)
    expect([again.exitCode, again.errors]).toEqual([0, expect.any(String)])
    const rows = (await dumpOf(sql)).filter((line) => !line.startsWith('public.heartbeats')).sort()
    const source = postgres(world.databaseUrl, { max: 1 })
    expect(Bun.hash(rows.join('\n'))).toBe(Bun.hash((await dumpOf(source)).sort().join('\n')))
    await Promise.all([sql.end(), source.end()])
  }, 120_000)

  test('at any moment, in a new data folder: a server starts on a complete database or not at all', async () => {
    const dataDir = join(scratch(), 'data')
    for (const ms of [300, 1200, 2500, 4000, 6000]) {
      const child = command.start(['restore', file], { DATA_DIR: dataDir })
      await Promise.race([child.exited, Bun.sleep(ms)])
      child.kill('SIGKILL')
      if ((await child.exited) === 0) break
      if (!['postgres', 'restore-unfinished'].some((name) => existsSync(join(dataDir, name)))) continue
      // The guardian ends the database of the one that was killed.
      const { sentence } = await explained('src/server.ts', { DATA_DIR: dataDir, SECRET_KEY: '' })
      expect(sentence).toContain('A restore into this database was not finished')
    }
    const last = await command(['restore', file], { DATA_DIR: dataDir })
    expect(last.exitCode === 0 || /There is a community/.test(last.errors)).toBe(true)
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe('Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E\n')
    const server = await startServer({ DATA_DIR: dataDir, SECRET_KEY: '', STORAGE_URL: '' })
    const me = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(me.status).toBe(200)
    // Hot, from the server that runs, and equal to the one that it came from.
    const hot = join(scratch(), 'hot.backup')
    expect((await command(['backup', '--to', hot], { DATA_DIR: dataDir })).exitCode).toBe(0)
    await server.stop()
    const [before, after] = [(await verify(file)).manifest, (await verify(hot)).manifest]
    expect(after.files).toEqual(before.files)
    expect(after.counts.users).toEqual(before.counts.users as never)
    expect(after.counts.outbox).toEqual(before.counts.outbox as never)
  }, 180_000)
})

test('a command that may not see the process of the server, as in a unit that is shut in, finds its database', async () => {
  const dataDir = scratch()
  const server = await startServer({ DATA_DIR: dataDir, SECRET_KEY: '', STORAGE_URL: '' })
  const words = [
    '--pid',
    '--fork',
    '--mount-proc',
    process.execPath,
    'src/folkmoot.ts',
    'backup',
    '--to',
    scratch(),
  ]
  const { status, stderr } = spawnSync('unshare', words, {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  expect([status, stderr.includes('already runs')]).toEqual([0, false])
  await server.stop()
}, 60_000)
