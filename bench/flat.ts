import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { migrateDatabase } from '../src/db/migrate'
import { databaseNamed } from '../test/support/template'
import { median } from './median'
import { sow } from './seed-process'
import { startServer } from './server'
import { NAMED } from './town'

const SMALL = 10_000
const LARGE = 1_000_000
const REQUESTS = 400
const WANTED = 1.3

export type Flat = { name: string; small: number; large: number; wanted: number }

let asked = 0

/** Each is asked so that no answer is remembered from the last time, but for the profile, which everyone asks for. */
const PATHS: { name: string; path: (cursor: string) => string; deep?: string }[] = [
  { name: 'GET /v1/events, first page', path: () => `/v1/events?limit=20&to=${future(asked++)}` },
  {
    name: 'GET /v1/events, deep page by cursor',
    path: (cursor) => `/v1/events?limit=20&status=all&sort=start&cursor=${cursor}`,
    deep: '/v1/events?limit=1&status=all&sort=start',
  },
  {
    name: 'GET /v1/users, a search',
    path: () => `/v1/users?limit=20&search=bench-person-${1 + (asked++ % 9000)}`,
  },
  { name: 'GET /v1/users/{username}', path: () => `/v1/users/${NAMED.username}` },
]

const future = (n: number) => new Date(4_000_000_000_000 + n * 1000).toISOString()

/** The middle time of an answer with ten thousand people and events, and with a million. */
export async function measureFlatness(
  adminUrl: string,
  folder: string,
  say: (what: string) => void,
): Promise<Flat[]> {
  const times = new Map<string, number[]>()
  for (const size of [SMALL, LARGE]) {
    say(`filling a database with ${size.toLocaleString('en')} people and events`)
    const databaseUrl = await newDatabase(adminUrl, `bench_${size}`)
    const secretKey = randomBytes(32).toString('hex')
    const { token } = await sow(databaseUrl, secretKey, { people: size, events: size })
    const server = await startServer({ folder, databaseUrl, secretKey })
    for (const { name, path, deep } of PATHS) {
      const cursor = deep ? await deepCursor(server.url + deep, token, size) : ''
      times.set(name, [...(times.get(name) ?? []), await middleMs(() => server.url + path(cursor), token)])
    }
    await server.stop()
  }
  return [...times].map(([name, [small = 0, large = 0]]) => ({ name, small, large, wanted: WANTED }))
}

async function middleMs(url: () => string, token: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < REQUESTS; i += 1) {
    const startedAt = performance.now()
    const response = await fetch(url(), { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${response.status} while measuring`)
    times.push(performance.now() - startedAt)
  }
  return median(times.slice(REQUESTS / 4))
}

/** The cursor of a row near the end, found by offset once. */
async function deepCursor(url: string, token: string, size: number): Promise<string> {
  const response = await fetch(`${url}&offset=${size - 1000}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as { pagination: { nextCursor: string } }
  return body.pagination.nextCursor
}

async function newDatabase(adminUrl: string, name: string): Promise<string> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(`create database ${name}`)
  await sql.end()
  const url = databaseNamed(adminUrl, name)
  await migrateDatabase(url)
  return url
}
