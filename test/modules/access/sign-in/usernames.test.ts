import { expect, test } from 'bun:test'
import { usernamesFor } from '@/modules/access/sign-in/people/usernames'

const PATTERN = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/
const take = (login: string | null, name: string | null, count: number) => {
  const names = usernamesFor({ login, name })
  return Array.from({ length: count }, () => names.next().value as string)
}
const first = (login: string | null, name: string | null) => take(login, name, 1)[0]

test('what people are called elsewhere becomes a username, as near as the pattern allows', () => {
  const table: [string | null, string | null, string | RegExp][] = [
    ['Octocat', 'Mona Lisa', 'Octocat'],
    ['some_one.here', null, 'some-one-here'],
    ['--dash--', null, 'dash'],
    ['zoë', null, 'zoe'],
    [null, 'Ada Lovelace', 'ada-lovelace'],
    [null, 'Ada Byron King Lovelace', 'ada-lovelace'],
    [null, '  Sofía   Herrera ', 'sofia-herrera'],
    [null, 'Plato', 'plato'],
    ['ab', 'Ada Lovelace', 'ada-lovelace'],
    ['admin', 'Ada Lovelace', 'ada-lovelace'],
    ['Folkmoot', null, /^user-[0-9a-f]{8}$/],
    ['support', 'Help', /^user-[0-9a-f]{8}$/],
    ['ada@folk.example', 'ada@folk.example', /^user-[0-9a-f]{8}$/],
    ['дмитрий', '王小明', /^user-[0-9a-f]{8}$/],
    [null, null, /^user-[0-9a-f]{8}$/],
    ['', '   ', /^user-[0-9a-f]{8}$/],
    [`${'x'.repeat(29)}-tail`, null, 'x'.repeat(29)],
    ['y'.repeat(200), null, 'y'.repeat(30)],
    ['<script>alert(1)</script>', null, 'script-alert-1-script'],
  ]
  for (const [login, name, expected] of table) {
    const got = first(login, name)
    if (typeof expected === 'string') expect([login, name, got]).toEqual([login, name, expected])
    else expect([login, name, got]).toEqual([login, name, expect.stringMatching(expected)])
  }
})

test('every candidate matches the pattern, without end', () => {
  for (const login of ['octocat', 'z'.repeat(30), `${'q'.repeat(27)}-a`, '', 'ab']) {
    const names = take(login, null, 40)
    for (const name of names) {
      expect(name).toMatch(PATTERN)
      expect([...name].length).toBeWithin(3, 31)
    }
    expect(new Set(names).size).toBeGreaterThan(30)
  }
  expect(take('octocat', null, 4)).toEqual(['octocat', 'octocat-2', 'octocat-3', 'octocat-4'])
  expect(take('z'.repeat(30), null, 2)[1]).toBe(`${'z'.repeat(28)}-2`)
})
