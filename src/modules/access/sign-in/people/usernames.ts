import { randomHex } from '@/core/codes'
import { isReserved } from '@/modules/people/users/usernames'

const LENGTH_MIN = 3
const LENGTH_MAX = 30
const NUMBERED = [2, 3, 4, 5, 6, 7, 8, 9]
const DRAWN = 5

export type Names = { login: string | null; name: string | null }

/** Candidates, best first, endless. */
export function* usernamesFor({ login, name }: Names): Generator<string> {
  const stem = [login, firstAndLast(name)].map(fit).find((candidate) => candidate !== undefined)
  if (stem !== undefined) {
    yield stem
    for (const number of NUMBERED) yield numbered(stem, number)
    for (let draw = 0; draw < DRAWN; draw += 1) yield numbered(stem, Number.parseInt(randomHex(2), 16) + 10)
  }
  for (;;) yield `user-${randomHex(4)}`
}

function firstAndLast(name: string | null): string | null {
  const words = (name ?? '').trim().toLowerCase().split(/\s+/).filter(Boolean)
  return words.length > 1 ? `${words[0]}-${words.at(-1)}` : (words[0] ?? null)
}

/** Converts a name to a username: strips accents, and publishes nothing that looks like a mail address. */
function fit(text: string | null): string | undefined {
  if (text === null || text.includes('@')) return undefined
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
  const fitted = trimmed(plain, LENGTH_MAX)
  return fitted.length < LENGTH_MIN || isReserved(fitted) ? undefined : fitted
}

const numbered = (stem: string, number: number) =>
  `${trimmed(stem, LENGTH_MAX - String(number).length - 1)}-${number}`

const trimmed = (text: string, lengthMax: number) =>
  text.replace(/^-+/, '').slice(0, lengthMax).replace(/-+$/, '')
