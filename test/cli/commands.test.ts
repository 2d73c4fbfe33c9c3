import { describe, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { DESCRIBED } from '@/cli/catalogue'
import { command } from '@/cli/command'
import { COMMANDS } from '@/cli/commands'
import { explained } from '@/cli/explained'
import { folkmoot } from '@/cli/folkmoot'
import { jobs } from '@/cli/jobs'
import { answerLost, unavailable } from '@/core/errors'
import { VERSION } from '@/core/version'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { users } from '@/db/tables/users'
import { changeUser } from '@/modules/administration/users/actions'
import { get } from '../support/api'
import { command as onHost } from '../support/host'
import { makeAdmin, makeUser } from '../support/make'

const suspend = command(changeUser, {
  name: 'suspend',
  summary: 'For this test.',
  example: 'folkmoot suspend somebody',
  takes: ['person'],
  input: ([userId]) => ({ userId, suspended: true }),
  show: ({ username }) => `${username} is suspended.`,
})

describe('a command', () => {
  test('returns the body of the route of the same action', async () => {
    const { token } = await makeAdmin()
    const answered = (await get('/v1/admin/jobs', { token })).body
    const printed = JSON.parse((await jobs.run([], { asJson: true })).text)
    const shapeOf = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shapeOf)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item)]))
          : typeof value === 'string'
            ? value
            : 'a figure'
    expect(shapeOf(printed)).toEqual(shapeOf(answered))
    const { text } = await jobs.run([], { asJson: false })
    expect(text).toContain('reactions')
    expect(text).toMatch(/^Uploaded files to check: \d+/m)
  })

  test('acts as the operator: the audit log has a request id and no actor', async () => {
    const user = await makeUser()
    expect(await suspend.run([user.id], { asJson: false })).toEqual({
      text: `${user.username} is suspended.`,
      isWell: true,
    })
    const [row] = await db.select().from(users).where(eq(users.id, user.id))
    expect(row?.suspendedAt).toBeInstanceOf(Date)
    const [entry] = await db.select().from(auditLog).where(eq(auditLog.targetId, user.id))
    expect(entry).toMatchObject({
      action: 'user.update',
      actorId: null,
      requestId: expect.stringMatching(/^cli-[0-9a-f-]{36}$/),
    })
  })

  test('validates its input like the route, with the same messages', async () => {
    await expect(suspend.run(['nobody-of-this-name'], { asJson: false })).rejects.toMatchObject({
      appCode: 'not_found',
    })
    await expect(suspend.run([], { asJson: false })).rejects.toMatchObject({ appCode: 'validation_error' })
  })

  test('explains a busy or unreachable database and an unreadable file, without SQL', () => {
    const wrapped = (cause: Error) => new Error('Failed query: select secret', { cause })
    const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
    const closed = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'stat', path: '/root/x' })
    expect(
      [
        wrapped(unavailable()),
        wrapped(unavailable(lost)),
        answerLost(lost),
        closed,
        wrapped(new Error('ours')),
      ].map(explained),
    ).toEqual([
      { error: expect.stringContaining('is busy or restarting'), code: 'unavailable' },
      { error: expect.stringContaining('not done (57P01): the database was ended'), code: 'unavailable' },
      { error: expect.stringMatching(/^It may or may not have been done \(57P01\)/), code: 'unavailable' },
      { error: expect.stringMatching(/^\/root\/x cannot be used \(EACCES\)/), code: 'unavailable' },
      undefined,
    ])
  })

  test('exists for every name in the catalogue', () => {
    expect(COMMANDS.map(({ name }) => name)).toEqual(DESCRIBED.map(({ name }) => name))
  })

  test('that only reads leaves an empty folder empty, and help needs no settings', async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'folkmoot-nothing-')), 'data')
    const settings = { DATA_DIR: dataDir, PORT: '0' }
    for (const [words, environment, code] of [
      [['--help'], { PORT: 'nonsense' }, 0],
      [['backup', '--help'], { PORT: 'nonsense' }, 0],
      [['bakcup'], { PORT: 'nonsense' }, 2],
      [['--version'], { PORT: 'nonsense' }, 0],
      [['migrate', '--check'], settings, 0],
      [['jobs'], settings, 1],
      [['doctor'], settings, 1],
    ] as const) {
      const { exitCode, errors } = await onHost([...words], environment)
      expect([words, exitCode]).toEqual([words, code])
      expect(errors).not.toMatch(/^\s+at /m)
      expect([words, existsSync(dataDir)]).toEqual([words, false])
    }
  })

  test('that does not exist is wrong usage, and help is not', async () => {
    const said: string[] = []
    const spies = (['log', 'error'] as const).map((name) =>
      spyOn(console, name).mockImplementation((line) => void said.push(`${name}: ${line}`)),
    )
    try {
      expect(await folkmoot(['nonsense'])).toBe(2)
      expect(await folkmoot([])).toBe(0)
      expect(await folkmoot(['--version'])).toBe(0)
      expect(await folkmoot(['jobs', '--help'])).toBe(0)
      expect(await folkmoot(['jobs', '--jsn'])).toBe(2)
      expect(await folkmoot(['jobs', 'more', 'words'])).toBe(2)
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    expect(said.map((line) => line.slice(0, 12))).toEqual([
      'error: There',
      'log: folkmoo',
      `log: ${VERSION}`.slice(0, 12),
      'log: folkmoo',
      'error: There',
      'error: It ta',
    ])
  })
})
