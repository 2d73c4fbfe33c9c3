import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { requireSpace } from '@/db/major-upgrade/upgrade'
import { dumpOf } from '../support/dump'
import { explained } from '../support/explained'
import { command } from '../support/host'
import { fetchOldBinaries, OLD, oldDataFolder } from '../support/old-postgres'
import { startServer, until } from '../support/processes'
import type { Seeded } from '../support/seed'
import { emptyDatabase } from '../support/upgrades/histories'

const KEY = 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E'
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-old-'))
const dataDir = join(folder, 'data')
let binaries: string
let people: Seeded[]

const version = () => readFileSync(join(dataDir, 'postgres/PG_VERSION'), 'utf8').trim()
const upgrade = (...flags: string[]) => command(['database', 'upgrade', ...flags], { DATA_DIR: dataDir })

async function rowsOf(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const rows = (await dumpOf(sql)).sort()
  await sql.end()
  return rows
}

async function oldRows() {
  const server = await startEmbeddedPostgres({ dataDir, binaries })
  try {
    return await rowsOf(server.url)
  } finally {
    await server.stop()
  }
}

beforeAll(async () => {
  binaries = await fetchOldBinaries(join(folder, 'binaries'))
  people = await oldDataFolder(dataDir, binaries, KEY)
}, 180_000)

describe(`a database of PostgreSQL ${OLD}`, () => {
  test('is refused at the start, with the command that brings it on', async () => {
    const { code, sentence } = await explained('src/server.ts', { DATA_DIR: dataDir, SECRET_KEY: '' })
    expect([code, sentence]).toEqual([1, expect.stringContaining('run "folkmoot database upgrade"')])
  }, 60_000)

  test('can be backed up, and restored into another version', async () => {
    const server = await startEmbeddedPostgres({ dataDir, binaries })
    try {
      const file = join(folder, 'old.backup')
      const settings = { DATABASE_URL: server.url, SECRET_KEY: KEY, STORAGE_URL: `file://${folder}/files` }
      // The database notes a backup when it is made.
      const before = await rowsOf(server.url)
      const made = await command(['backup', '--to', file], settings)
      expect([made.exitCode, made.errors]).toEqual([0, expect.any(String)])
      const url = await emptyDatabase()
      const back = await command(['restore', file], { ...settings, DATABASE_URL: url })
      expect([back.exitCode, back.errors]).toEqual([0, expect.any(String)])
      expect(await rowsOf(url)).toEqual(before)
    } finally {
      await server.stop()
    }
  }, 120_000)

  test('stays as it is when the upgrade cannot be done, or is killed', async () => {
    const before = await oldRows()
    const refused = await upgrade('--binaries', join(folder, 'nothing'))
    expect([refused.exitCode, refused.errors]).toEqual([
      1,
      expect.stringContaining('There is no native/bin/postgres'),
    ])
    expect(() => requireSpace(dataDir, join(dataDir, 'postgres'), 1_000_000)).toThrow(/free some space first/)
    const child = command.start(['database', 'upgrade', '--binaries', binaries], { DATA_DIR: dataDir })
    await until('it works', () => existsSync(join(dataDir, 'upgrading/postgres')), 60_000)
    child.kill('SIGKILL')
    await child.exited
    expect(version()).toBe(String(OLD))
    expect(await oldRows()).toEqual(before)
  }, 180_000)

  test('is brought on with all its rows, by binaries from npm; and back again', async () => {
    const before = await oldRows()
    const { output, errors, exitCode } = await upgrade()
    expect([exitCode, errors]).toEqual([0, expect.any(String)])
    expect(output).toContain('each compared with the old one')
    expect(version()).not.toBe(String(OLD))
    expect(readdirSync(dataDir).filter((name) => /^(postgres-\d+|upgrading)/.test(name))).toEqual([
      `postgres-${OLD}`,
    ])
    const database = await startEmbeddedPostgres({ dataDir })
    expect(await rowsOf(database.url)).toEqual(before)
    await database.stop()

    const again = await upgrade()
    expect([again.exitCode, again.errors]).toEqual([1, expect.stringContaining('there is nothing to do')])
    const server = await startServer({ DATA_DIR: dataDir, SECRET_KEY: '', STORAGE_URL: '' })
    const me = await fetch(`${server.url}/v1/me`, {
      headers: { authorization: `Bearer ${people[0]?.token}` },
    })
    expect(me.status).toBe(200)
    const busy = await upgrade('--undo')
    expect([busy.exitCode, busy.errors]).toEqual([
      1,
      expect.stringContaining('already runs on the data folder'),
    ])
    await server.stop()

    const undone = await upgrade('--undo')
    expect([undone.exitCode, undone.output]).toEqual([
      0,
      expect.stringContaining('What was written since the upgrade is not in it'),
    ])
    expect(version()).toBe(String(OLD))
    expect(await oldRows()).toEqual(before)
    expect((await upgrade('--undo')).errors).toContain('there is nothing to put back')
  }, 180_000)

  test('that an interrupted upgrade has put aside is not replaced by an empty one', async () => {
    renameSync(join(dataDir, 'postgres'), join(dataDir, `postgres-${OLD}`))
    const { code, sentence } = await explained('src/server.ts', { DATA_DIR: dataDir, SECRET_KEY: '' })
    expect([code, sentence]).toEqual([1, expect.stringContaining('run "folkmoot database upgrade --undo"')])
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    expect((await upgrade('--undo')).exitCode).toBe(0)
    expect(version()).toBe(String(OLD))
  }, 60_000)
})
