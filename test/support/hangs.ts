import { test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { freeze } from './freeze'
import { startServer } from './processes'

// Run by test/faults/interrupted.test.ts alone: everything that tests start, and then nothing more happens.
test('hangs', async () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'folkmoot-hangs-'))
  await startServer({ DATA_DIR: folder(), WORKER: 'embedded' })
  const postgres = await startEmbeddedPostgres({ dataDir: folder() })
  freeze(postgres.pid)
  writeFileSync(process.env.HANGING as string, 'now')
  await new Promise(() => {})
}, 120_000)
