import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStill, look } from '@/lifecycle/process-table'
import { familyNaming, processesNaming } from '../support/process-tree'
import { until } from '../support/processes'

const root = join(import.meta.dir, '../..')

/** A run of tests that has started a server, its PostgreSQL and another one that is frozen, and hangs. */
async function hangingRun(folder: string) {
  const temporary = join(folder, 'temporary')
  const mark = join(folder, 'hanging')
  Bun.spawnSync(['mkdir', temporary])
  const output = join(folder, 'output')
  const child = Bun.spawn([process.execPath, 'run', 'test', './test/support/hangs.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: temporary, HANGING: mark },
    stdio: ['ignore', Bun.file(output), Bun.file(output)],
  })
  await until('the tests hang', () => existsSync(mark) || child.exitCode !== null, 100_000)
  if (child.exitCode !== null) throw new Error(`the tests ended:\n${readFileSync(output, 'utf8')}`)
  const named = (pattern: RegExp) => processesNaming(folder).find(({ command }) => pattern.test(command))
  return { child, temporary, runner: named(/scripts\/test\.ts/)?.pid as number }
}

describe('a run of tests that is interrupted leaves no process and no folder', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const)
    test(`by ${signal} to its runner`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'folkmoot-interrupted-'))
      const { child, temporary, runner } = await hangingRun(folder)
      const family = familyNaming(folder).flatMap(({ pid }) => look(pid) ?? [])
      // By their folders: a child that PostgreSQL has just made still has the command line of its parent.
      const databases = family.filter(({ command }) => command[1] === '-D').map(({ command }) => command[2])
      expect(new Set(databases).size).toBe(3)
      expect(family.some(({ command }) => command[0]?.includes('redis-server'))).toBe(
        Bun.which('redis-server') !== null,
      )
      process.kill(runner, signal)
      await child.exited
      const left = () => [
        ...[...family.filter(isStill), ...processesNaming(folder)].map(({ command }) => String(command)),
        ...readdirSync(temporary),
      ]
      await until('nothing is left', () => left().length === 0, 40_000).catch(() => {})
      expect(left()).toEqual([])
      rmSync(folder, { recursive: true })
    }, 180_000)
})
