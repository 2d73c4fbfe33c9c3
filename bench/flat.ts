import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { migrateDatabase } from '../src/db/migrate/migrate'
import { databaseNamed } from '../test/support/template'
import { NAMED } from './dataset'
import { median } from './median'
import { sow } from './seed-process'
import { startServer } from './server'

const SMALL = 10_000
const LARGE = 1_000_000
const REQUESTS = 400
const ROUNDS = 8
const WANTED = 1.3

export type Flat = { name: string; small: number; large: number; wanted: number }

type Question = {
  name: string
  /** The nth time, with the cursor of the answer before. */
  path: (n: number, cursor: string) => string
  /** Where to begin, when each answer leads to the next question. */
  from?: (size: number) => string
}

/** Asked so that no answer is cached from the last time, but for the profile, which everyone asks for. */
const QUESTIONS: Question[] = [
  { name: 'GET /v1/events, first page', path: (n) => `/v1/events?limit=20&from=${longAgo(n)}` },
  {
    name: 'GET /v1/events, page after page near the end',
    path: (_, cursor) => `/v1/events?limit=20&status=all&cursor=${cursor}`,
    from: (size) => `/v1/events?limit=1&status=all&offset=${size - 9000}`,
  },
  { name: 'GET /v1/users, a search', path: (n) => `/v1/users?limit=20&search=${partOfName(n)}` },
  { name: 'GET /v1/users/{username}', path: () => `/v1/users/${NAMED.username}` },
  {
    name: 'GET /v1/leaderboard, about the first page',
    path: (n) => `/v1/leaderboard?limit=20&offset=${n}`,
  },
  {
    name: 'GET /v1/leaderboard/movers, about the first page',
    path: (n) => `/v1/leaderboard/movers?limit=20&offset=${n}`,
  },
]

/** Eight letters of somebody's name; `dataset.ts` gives them the digests of numbers for names. */
const partOfName = (n: number) =>
  new Bun.CryptoHasher('md5')
    .update(String(1 + (n % 9000)))
    .digest('hex')
    .slice(4, 12)

const longAgo = (n: number) => new Date(946_684_800_000 + n * 1000).toISOString()

/**
 * The middle time of an answer with ten thousand people and events, and with a million. Both are asked in turn, so that
 * a machine that others use too, or that still tidies up after the filling, is as slow for one as for the other.
 */
export async function measureFlatness(
  adminUrl: string,
  folder: string,
  say: (what: string) => void,
  only = '',
): Promise<Flat[]> {
  const questions = QUESTIONS.filter(({ name }) => name.includes(only))
  if (questions.length === 0) return []
  const events = questions.some(({ name }) => name.includes('events'))
  const [small, large] = [
    await serveDataset(SMALL, events, adminUrl, folder, say),
    await serveDataset(LARGE, events, adminUrl, folder, say),
  ]
  say('the same questions to both')
  const found: Flat[] = []
  for (const question of questions) found.push(await compare(question, small, large))
  await Promise.all([small.stop(), large.stop()])
  return found
}

type ServedDataset = { size: number; url: string; token: string; stop(): Promise<void> }

async function serveDataset(
  size: number,
  hasEvents: boolean,
  adminUrl: string,
  folder: string,
  say: (what: string) => void,
): Promise<ServedDataset> {
  say(`filling a database with ${size.toLocaleString('en')} people and events`)
  const databaseUrl = await newDatabase(adminUrl, `bench_${size}`)
  const secretKey = randomBytes(32).toString('hex')
  const { token } = await sow(
    { folder, databaseUrl, secretKey },
    { people: size, events: hasEvents ? size : 200 },
  )
  const { url, stop } = await startServer({ folder, databaseUrl, secretKey })
  return { size, url, token, stop }
}

async function compare(question: Question, small: ServedDataset, large: ServedDataset): Promise<Flat> {
  const [few, many] = [await interview(question, small), await interview(question, large)]
  const times = { small: [] as number[], large: [] as number[] }
  await few()
  await many()
  for (let round = 0; round < ROUNDS; round += 1) {
    times.small.push(...(await few()))
    times.large.push(...(await many()))
  }
  return {
    name: question.name,
    small: median(times.small),
    large: median(times.large),
    wanted: WANTED,
  }
}

/** Asks on where it stopped, and tells how long each answer took. */
async function interview({ path, from }: Question, { size, url, token }: ServedDataset) {
  let cursor = from ? ((await ask(url + from(size), token)).body.pagination.nextCursor ?? '') : ''
  let asked = 0
  return async (): Promise<number[]> => {
    const times: number[] = []
    for (let i = 0; i < REQUESTS / ROUNDS; i += 1) {
      const { ms, body } = await ask(url + path(asked++, cursor), token)
      times.push(ms)
      if (from) cursor = body.pagination.nextCursor ?? cursor
    }
    return times
  }
}

type Body = { pagination: { nextCursor?: string } }

async function ask(url: string, token: string): Promise<{ ms: number; body: Body }> {
  const startedAt = performance.now()
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} while measuring`)
  return { ms: performance.now() - startedAt, body: JSON.parse(text) as Body }
}

async function newDatabase(adminUrl: string, name: string): Promise<string> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(`create database ${name}`)
  await sql.end()
  const url = databaseNamed(adminUrl, name)
  await migrateDatabase(url)
  return url
}
