import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataFolder } from '@/db/data-lock'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { runFolkmoot } from '../support/command-line'
import { freePort } from '../support/redis'

test('a command waits for the database of a server that is starting, the first time and later', async () => {
  const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-starting-')), 'data')
  // As a server does: the lock comes first, then the database.
  const unlock = lockDataFolder(DATA_DIR)
  for (const words of [['migrate'], ['jobs']]) {
    const running = runFolkmoot(words, { DATA_DIR })
    await Bun.sleep(1500)
    const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, settings: { fsync: 'off' } })
    const { exitCode, errors } = await running
    expect([words[0], exitCode, errors]).toEqual([words[0], 0, expect.not.stringContaining('data folder')])
    await database.stop()
  }
  const { output } = await Promise.race([
    runFolkmoot(['doctor', '--json'], { DATA_DIR, PORT: String(await freePort()) }),
    unlockSoon(unlock),
  ])
  const { checks } = JSON.parse(output).data as { checks: { name: string; found: string }[] }
  expect(checks.find(({ name }) => name === 'server')?.found).toContain('a starting server')
}, 60_000)

/** One that gives up before its database is up lets the command open that by itself. */
async function unlockSoon(unlock: () => void): Promise<never> {
  await Bun.sleep(3000)
  unlock()
  return new Promise(() => {})
}
