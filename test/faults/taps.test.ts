import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { migrateDatabase } from '@/db/migrate/migrate'
import { strangerHash } from '@/modules/passes/tap/stranger'
import { freeze } from '../support/freeze'
import { ownDatabase, startServer, until } from '../support/processes'
import { freePort, startRedis } from '../support/redis'
import { type Seeded, seedPeople } from '../support/seed'
import {
  type Holder,
  newAddress,
  newVisitor,
  seedPasses,
  statementsSent,
  TAPPED_AT_WILL,
  tap,
} from '../support/taps'

const toEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end()
})

async function world(databaseUrl: string, visitors: number) {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  toEnd.push(() => sql.end())
  const holders = await seedPasses(sql, await seedPeople(databaseUrl, 5))
  const people = await seedPeople(databaseUrl, visitors, ['write:meetpass'])
  const serve = async (environment: Record<string, string> = {}) => {
    const server = await startServer({ DATABASE_URL: databaseUrl, ...TAPPED_AT_WILL, ...environment })
    toEnd.push(() => server.stop('SIGKILL'))
    return server
  }
  return { sql, serve, holders, people, holder: holders[0] as Holder, person: people[0] as Seeded }
}

const hashOf = (visitor: string) => strangerHash(visitor.slice('visitor='.length))

describe('a server that is killed', () => {
  test('right after a response has lost no acknowledged connection', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { sql, serve, holders, people } = await world(await ownDatabase(), 200)
      const server = await serve()
      const told: string[] = []
      let killed: Promise<unknown> | undefined
      const heard = (pair: string, { connected }: { connected: boolean | undefined }) => {
        if (connected) told.push(pair)
        if (told.length >= 50 + 100 * round) killed ??= server.stop('SIGKILL')
      }
      await Promise.all(
        people.flatMap(({ id, token }) =>
          holders.map(async (holder) => {
            const cookie = newVisitor()
            await tap(server.url, holder.pass, { token }).then(
              (answer) => heard(`${holder.id} ${id}`, answer),
              () => {},
            )
            if (killed === undefined)
              await tap(server.url, holder.pass, { cookie }).then(
                (answer) => heard(`${holder.id} ${hashOf(cookie)}`, answer),
                () => {},
              )
          }),
        ),
      )
      await killed
      expect(told.length).toBeGreaterThanOrEqual(50 + 100 * round)
      const rows =
        await sql`select owner_id, coalesce(visitor_id::text, encode(stranger_hash, 'hex')) as visitor from connections`
      const kept = new Set(rows.map(({ owner_id, visitor }) => `${owner_id} ${visitor}`))
      expect(told.filter((pair) => !kept.has(pair))).toEqual([])
    }
  })

  for (const [point, recorded] of [
    ['before-commit', 0],
    ['after-commit', 1],
  ] as const)
    test(`${point}: no answer, and the next tap ends in one connection of which both hear once`, async () => {
      const { sql, serve, holder, person } = await world(await ownDatabase(), 1)
      const doomed = await serve({ FOLKMOOT_MODE: 'test', FOLKMOOT_FAILPOINT: point })
      const answer = await tap(doomed.url, holder.pass, { token: person.token }).catch(() => 'no answer')
      expect(answer).toBe('no answer')
      const counts = async () => {
        const [row] = await sql`select (select count(*)::int from connections) as connections,
          (select count(*)::int from outbox where type = 'meetpass.connected') as told`
        return [row?.connections, row?.told]
      }
      expect(await counts()).toEqual([recorded, 2 * recorded])
      const server = await serve()
      expect(await tap(server.url, holder.pass, { token: person.token })).toEqual({
        status: 200,
        connected: true,
      })
      expect(await counts()).toEqual([1, 2])
    })
})

describe('PostgreSQL', () => {
  test('away: a tap that cannot be recorded says so, cards that are kept are shown, and it heals by itself', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'folkmoot-taps-'))
    const database = await startEmbeddedPostgres({ dataDir })
    toEnd.push(() => database.stop())
    await migrateDatabase(database.url)
    const { sql, serve, holder, person } = await world(database.url, 1)
    const metricsPort = String(await freePort())
    const server = await serve({ DATABASE_POOL: '4', METRICS_PORT: metricsPort })
    const known = newVisitor()
    const tapped = () => tap(server.url, holder.pass, { cookie: newVisitor() })
    // A server keeps nothing before it hears of changes.
    await until('the pass and the visitor are kept', async () => {
      const before = await statementsSent(metricsPort)
      expect((await tap(server.url, holder.pass, { cookie: known })).status).toBe(200)
      return (await statementsSent(metricsPort)) === before
    })

    const thaw = freeze(database.pid)
    toEnd.push(thaw)
    // Whoever is known and whoever looks ahead cost no statement.
    expect(await tap(server.url, holder.pass, { cookie: known })).toEqual({ status: 200, connected: true })
    expect((await tap(server.url, holder.pass, { 'user-agent': 'Slackbot' })).status).toBe(200)
    const asBrowser = fetch(`${server.url}/pass/${holder.pass}`, {
      headers: { accept: 'text/html', cookie: newVisitor() },
    })
    const asProgram = fetch(`${server.url}/pass/${holder.pass}`, { headers: { cookie: newVisitor() } })
    const [page, json, asPerson, ...others] = await Promise.all([
      asBrowser,
      asProgram,
      tap(server.url, holder.pass, { token: person.token }),
      ...Array.from({ length: 100 }, tapped),
    ])
    expect([page.status, page.headers.get('retry-after'), page.headers.get('set-cookie')]).toEqual([
      503,
      '1',
      null,
    ])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect([json.status, ((await json.json()) as { code: string }).code]).toEqual([503, 'unavailable'])
    expect(new Set([asPerson, ...others].map(({ status }) => status))).toEqual(new Set([503]))
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    thaw()
    await until('taps are recorded again', async () => (await tapped()).status === 200)

    process.kill(database.pid, 'SIGKILL')
    const statuses = new Set<number>()
    await until('the outage shows', async () => statuses.add((await tapped()).status).has(503))
    await until('taps are recorded again', async () => {
      const { status } = await tapped()
      statuses.add(status)
      return status === 200
    })
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await tap(server.url, holder.pass, { token: person.token })).toEqual({
      status: 200,
      connected: true,
    })
    await sql`select 1`.catch(() => {})
    expect(await sql`select from connections where visitor_id = ${person.id}`).toHaveLength(1)
  })
})

const redisServer = Bun.which('redis-server')
if (!redisServer) console.log('!! no redis-server: taps without Redis are NOT tested')

test.if(redisServer !== null)('Redis away: taps go on, are recorded and are still limited', async () => {
  const redis = await startRedis(redisServer as string, mkdtempSync(join(tmpdir(), 'folkmoot-redis-')))
  toEnd.push(() => redis.stop())
  const { sql, serve, holder, people } = await world(await ownDatabase(), 40)
  const server = await serve({ REDIS_URL: redis.url, RATE_LIMIT_TAP_PER_SECOND: '3' })
  const answers: number[] = []
  for (const [i, { token }] of people.entries()) {
    if (i === people.length / 2) await redis.stop()
    const { status, connected } = await tap(server.url, holder.pass, {
      token,
      'x-forwarded-for': newAddress(),
    })
    answers.push(status)
    expect(connected).toBe(true)
  }
  expect(new Set(answers)).toEqual(new Set([200]))
  expect(await sql`select from connections where owner_id = ${holder.id}`).toHaveLength(people.length)
  const address = newAddress()
  const burst = await Promise.all(
    Array.from({ length: 30 }, () => tap(server.url, holder.pass, { 'x-forwarded-for': address })),
  )
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200, 429]))
})
