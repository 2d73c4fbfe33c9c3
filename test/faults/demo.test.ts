import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explained } from '../support/explained'
import { startServer } from '../support/processes'

/** Both with the PostgreSQL in the folder, and a key that is kept there. */
const EMBEDDED = { SECRET_KEY: '' }

test('a data folder serves the demo or real people, never both', async () => {
  const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-kind-')), 'data')
  const server = await startServer({ ...EMBEDDED, DATA_DIR })
  await server.stop()
  const { code, sentence } = await explained('scripts/up.ts', { ...EMBEDDED, DATA_DIR })
  expect([code, sentence]).toEqual([1, expect.stringMatching(/^This database is in real use/)])
  expect(existsSync(join(DATA_DIR, 'demo.json'))).toBe(false)
  const again = await startServer({ ...EMBEDDED, DATA_DIR })
  expect(await again.stop()).toBe(0)
})
