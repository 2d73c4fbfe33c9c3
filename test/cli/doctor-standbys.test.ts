import { expect, test } from 'bun:test'
import { aboutStandbys } from '@/cli/doctor/standbys'
import type { Examination, Standbys } from '@/db/examine'

const NONE: Standbys = { needed: 0, connected: 0, confirming: 0, waiting: 0 }

const about = (standbys: Partial<Standbys>, hosts: 'ok' | 'warning' | 'wrong', isOneOfSeveral = true) =>
  aboutStandbys(
    { host: 'one:5432', user: 'folkmoot', standbys: { ...NONE, ...standbys } } as Examination,
    isOneOfSeveral,
    hosts,
  )

test('a single server without synchronous standbys has no finding; one of several has a warning', () => {
  expect(about({}, 'ok', false)).toEqual([])
  expect(about({}, 'ok')).toMatchObject([
    {
      state: 'warning',
      found: expect.stringContaining('0 are connected'),
      todo: expect.stringContaining('step 2'),
    },
  ])
  expect(about({ connected: 1 }, 'ok')).toMatchObject([
    { state: 'warning', todo: expect.stringContaining('docs/operations/growing.md, on one:5432.') },
  ])
})

test('the advice never drops or overwrites a host that may have been promoted', () => {
  for (const hosts of ['warning', 'wrong'] as const)
    expect(about({}, hosts)).toMatchObject([{ todo: 'Do what is said of "hosts" first.' }])
  expect(about({ needed: 1 }, 'wrong')).toMatchObject([{ todo: 'Do what is said of "hosts" first.' }])
  for (const hosts of ['ok', 'warning'] as const)
    expect(about({ needed: 1 }, hosts)).toMatchObject([
      { todo: expect.stringMatching(/Only if no other host was promoted after this one.+reset/) },
    ])
})

test('a connected but silent standby is to be examined, not started', () => {
  expect(about({ needed: 1, connected: 1, confirming: 1, waiting: 4 }, 'ok')).toMatchObject([
    {
      state: 'wrong',
      todo: expect.stringMatching(/^Restart the standby if it stays silent, and look into its log/),
    },
  ])
})
