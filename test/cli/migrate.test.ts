import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkMigrations } from '@/db/migrate/migrate'
import { readRelease } from '@/db/migrate/release'
import { runFolkmoot } from '../support/command-line'
import { startServer } from '../support/processes'
import { databaseOf, emptyDatabase, HISTORIES, type History } from '../support/upgrades/histories'

const names = readRelease().map(({ name }) => name)

describe('folkmoot migrate', () => {
  test('lists pending migrations with --check, runs them, then has nothing to do', async () => {
    const DATABASE_URL = await emptyDatabase()
    const check = await runFolkmoot(['migrate', '--check', '--json'], { DATABASE_URL })
    expect(JSON.parse(check.output)).toEqual({ data: { isCheck: true, migrations: names } })
    expect(await checkMigrations(DATABASE_URL)).toEqual(names)

    const { output, exitCode } = await runFolkmoot(['migrate'], { DATABASE_URL })
    expect(exitCode).toBe(0)
    expect(output).toStartWith(`run  ${names[0]}\n`)
    expect(output).toEndWith(`run  ${names.at(-1)}\nThe database is up to date.\n`)
    expect(await checkMigrations(DATABASE_URL)).toEqual([])
  })

  test('runs at a start, too, which logs the migrations', async () => {
    const [oldest] = HISTORIES as [History, ...History[]]
    const said = async (DATABASE_URL: string) => {
      const server = await startServer({ DATABASE_URL })
      await server.stop()
      return server
        .output()
        .split('\n')
        .filter((line) => line.includes('the database was brought up to date'))
        .map((line) => JSON.parse(line))
    }
    const url = await databaseOf(oldest)
    const pending = names.slice(oldest.steps.length)
    expect(await said(url)).toMatchObject([
      { level: 'info', migrations: pending.length, names: expect.stringContaining(pending.at(-1) as string) },
    ])
    expect(await said(url)).toEqual([])
  }, 20_000)

  test('accepts a prefix of the history, also in earlier texts, and refuses an unknown one', async () => {
    const rewritten = HISTORIES.find(({ name }) => name === '0009 in its first text, then 0010') as History
    const url = await databaseOf(rewritten)
    expect(await checkMigrations(url)).toEqual(names.slice(rewritten.steps.length))
    const newer = {
      name: 'newer',
      steps: [...rewritten.steps, { text: 'select 1', when: Date.UTC(2100, 0) }],
    }
    await expect(checkMigrations(await databaseOf(newer))).rejects.toThrow(
      /^The database was brought up to date by a newer/,
    )
  })

  test('does not create an embedded database for a check', async () => {
    const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-migrate-')), 'data')
    const { output } = await runFolkmoot(['migrate', '--check'], { DATA_DIR })
    expect(output).toEndWith(`${names.length} migrations would be run.\n`)
    expect(existsSync(join(DATA_DIR, 'postgres'))).toBe(false)
  })

  test('is the advice of commands on an empty database', async () => {
    const DATABASE_URL = await emptyDatabase()
    const { errors, exitCode } = await runFolkmoot(['admin', 'create', 'ada@folk.example', '--json'], {
      DATABASE_URL,
    })
    expect(exitCode).toBe(1)
    expect(JSON.parse(errors)).toMatchObject({ error: expect.stringContaining('run "folkmoot migrate"') })
  })
})
