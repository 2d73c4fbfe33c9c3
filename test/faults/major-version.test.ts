import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { dumpOf } from '../support/dump'
import { explained } from '../support/explained'
import { command } from '../support/host'
import { fetchOldBinaries, OLD, oldDataFolder } from '../support/old-postgres'
import { emptyDatabase } from '../support/upgrades/histories'

const KEY = 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E'
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-old-'))
const dataDir = join(folder, 'data')
let binaries: string

async function rowsOf(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const rows = (await dumpOf(sql)).sort()
  await sql.end()
  return rows
}

beforeAll(async () => {
  binaries = await fetchOldBinaries(join(folder, 'binaries'))
  await oldDataFolder(dataDir, binaries, KEY)
}, 180_000)

describe(`a database of PostgreSQL ${OLD}`, () => {
  test('is refused at the start, with what to do', async () => {
    const { code, sentence } = await explained('src/server.ts', { DATA_DIR: dataDir, SECRET_KEY: '' })
    expect([code, sentence]).toEqual([1, expect.stringContaining('run "folkmoot backup" there')])
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
})
