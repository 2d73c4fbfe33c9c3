import { expect } from 'bun:test'
import { call } from '../support/api'

/** Nothing of ours may show: statements, stacks, paths, packages, settings. */
const LEAKS =
  /\bselect \b|insert into|node_modules|\.ts:\d|\bat \w+ \(|drizzle|elysia|typebox|postgres|ECONN|\/src\/|secret_key/i

const MARK = 'Zq7Xw9'

/** Values that break somebody, each once in every field. */
export const HOSTILE: unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53 + 2,
  '',
  [],
  {},
  [[]],
  [null],
  { toString: 'x' },
  '5',
  'true',
  `${MARK}\u0000`,
  `${MARK}\ud800`,
  `\udc00${MARK}`,
  `${MARK}\u0007`,
  `${MARK}\u2028`,
  `\ufeff${MARK}`,
  `${MARK}\r\nSet-Cookie: a=b`,
  'x'.repeat(60_000),
  `${MARK}${'\u0301'.repeat(10_000)}`,
  '\u202e'.repeat(100),
  `' or 1=1 --`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an attack, not a template.
  '${7*7}',
  '{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  '0000-00-00',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:59-12:00',
  '9999-12-31T23:00:00Z',
  '0001-01-01T00:00:00Z',
  // As long as a cursor's seal in letters, twice as long in bytes.
  `abc.${'é'.repeat(22)}`,
  '24:00',
  'javascript:alert(1)',
  { $gt: '' },
  Array(2000).fill('x'),
]

/** No fault, nothing of ours, and nothing of what was sent. */
export async function mustBeCalm(method: string, path: string, options: Parameters<typeof call>[2]) {
  const answer = await call(method, path, options)
  const where = `${method} ${path.slice(0, 60)} ${answer.status}`
  expect([where, answer.status < 500]).toEqual([where, true])
  if (answer.status >= 400) {
    expect([where, answer.body]).toEqual([where, { error: expect.any(String), code: expect.any(String) }])
    expect([where, answer.text.includes(MARK)]).toEqual([where, false])
  }
  expect([where, LEAKS.test(answer.text)]).toEqual([where, false])
  return answer
}
