import { expect, test } from 'bun:test'
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

const SCRIPT = `
  const { log, flushLog } = await import('@/core/log')
  log.info('all is well')
  log.warn('look')
  log.error('act')
  flushLog()`

/** What a process writes into a file that it is told to be the journal, or not. */
async function written(isJournal: boolean): Promise<string[]> {
  const file = join(mkdtempSync(join(tmpdir(), 'folkmoot-journal-')), 'lines')
  const descriptor = openSync(file, 'w')
  const { dev, ino } = fstatSync(descriptor)
  const env = { ...process.env, LOG_LEVEL: 'info', JOURNAL_STREAM: isJournal ? `${dev}:${ino}` : '1:1' }
  const child = Bun.spawn([process.execPath, '-e', SCRIPT], { cwd: root, env, stdout: descriptor })
  expect(await child.exited).toBe(0)
  closeSync(descriptor)
  return readFileSync(file, 'utf8').trim().split('\n')
}

const parts = (lines: string[]) => lines.map((line) => line.slice(0, line.indexOf('{')))

test('log lines carry a priority prefix for the systemd journal only', async () => {
  expect(parts(await written(true))).toEqual(['', '<4>', '<3>'])
  const plain = await written(false)
  expect(plain.map((line) => JSON.parse(line).level)).toEqual(['info', 'warn', 'error'])
})
