import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { VERSION } from '@/core/version'
import { call, get } from '../support/api'
import { type Family, figure, parseMetrics, scrape } from '../support/metrics'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { openReceiver } from '../support/receiver'
import { freePort, startRedis, type TestRedis } from '../support/redis'
import { seedPeople } from '../support/seed'

const binary = Bun.which('redis-server')
if (!binary) console.log('!! no redis-server: the figures of Redis are NOT tested')

const textOf = (file: string) => readFileSync(join(import.meta.dir, '../..', file), 'utf8')

/** The figures of the table in the documentation, where `…_busy` goes on as the name before it began. */
function namesIn(page: string): Set<string> {
  const [, table = ''] = /\n## Metrics\n([\s\S]*?)\n## /.exec(page) ?? []
  const names = new Set<string>()
  for (const [cell] of table.matchAll(/^\| `[^|]+\|/gm)) {
    const found = [...cell.matchAll(/`(…?[a-z_]+)`/g)].map(([, name]) => name as string)
    const [first = ''] = found
    for (const name of found) names.add(name.replace('…', STEMS.find((stem) => first.startsWith(stem)) ?? ''))
  }
  for (const [, name] of table.matchAll(/\(`(process_[a-z_]+)`\)/g)) names.add(name as string)
  return names
}
const STEMS = ['folkmoot_database_pool', 'folkmoot_database_replica', 'folkmoot_outbox', 'folkmoot_uploads']

describe('the figures of a server and its worker', () => {
  let [api, work] = [0, 0]
  let redis: TestRedis | undefined
  let server: ServerProcess
  let worker: ReturnType<typeof startWorker>
  let sql: postgres.Sql
  let [token, personId] = ['', '']
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await sql`insert into installation (use, backed_up_at) values ('production', '2026-03-01T03:30:00Z')
      on conflict ("only") do update set backed_up_at = excluded.backed_up_at`
    const [person] = await seedPeople(databaseUrl, 1, ['developer', 'user'])
    token = person?.token as string
    personId = person?.id as string
    redis = binary === null ? undefined : await startRedis(binary, process.env.TEST_FOLDER as string)
    api = await freePort()
    work = await freePort()
    const shared = {
      DATABASE_URL: databaseUrl,
      FOLKMOOT_MODE: 'test',
      ...(redis && { REDIS_URL: redis.url }),
    }
    server = await startServer({
      ...shared,
      METRICS_PORT: String(api),
      RATE_LIMIT_ANONYMOUS_PER_HOUR: '5',
      DATABASE_POOL: '1',
    })
    worker = startWorker({ ...shared, METRICS_PORT: String(work) })
    await until('the worker is ready', () => worker.output().includes('worker ready'))
  })
  afterAll(async () => {
    await sql.end()
    await Promise.all([server.stop('SIGKILL'), worker.stop('SIGKILL')])
    await redis?.stop()
  })

  const read = async (port: number) => parseMetrics(await scrape(port))
  const inWords = ([name, { kind, help }]: [string, Family]) => `${kind} ${name}: ${help}`

  test('have names and units as Prometheus wants them, a sentence each, and labels that are ours', async () => {
    await get('/v1/no-such-page', { base: server.url })
    for (const families of [await read(api), await read(work)]) {
      const all = [...families]
      expect(all.length).toBeGreaterThan(30)
      const isCounter = ([name, { kind }]: [string, Family]) =>
        name.endsWith('_total') === (kind === 'counter')
      expect(all.filter((one) => !isCounter(one)).map(inWords)).toEqual([])
      const hasUnit = ([name, { kind }]: [string, Family]) =>
        kind !== 'histogram' || name.endsWith('_seconds')
      expect(all.filter((one) => !hasUnit(one)).map(inWords)).toEqual([])
      const isSentence = ([, { help }]: [string, Family]) => /^[A-Z].*[.]$/.test(help)
      expect(all.filter((one) => !isSentence(one)).map(inWords)).toEqual([])
      // Nothing that a request held is a label: what matched no route is one route.
      const routes = families.get('folkmoot_http_request_duration_seconds')?.samples ?? []
      expect(routes.filter(({ labels }) => labels.route?.includes('no-such'))).toEqual([])
    }
  })

  test('say what runs, and how the process is', async () => {
    for (const [port, role] of [
      [api, 'api'],
      [work, 'worker'],
    ] as const) {
      const families = await read(port)
      expect(figure(families, 'folkmoot_build_info', { version: VERSION, role })).toBe(1)
      for (const name of ['process_resident_memory_bytes', 'process_heap_bytes', 'process_open_fds'])
        expect(figure(families, name)).toBeGreaterThan(0)
      expect(figure(families, 'process_start_time_seconds')).toBeWithin(
        Date.now() / 1000 - 600,
        Date.now() / 1000,
      )
      expect(figure(families, 'folkmoot_database_up')).toBe(1)
      await until(
        'the event loop was looked at',
        async () => (figure(await read(port), 'folkmoot_event_loop_lag_seconds_count') ?? 0) > 0,
      )
    }
  })

  test('are exactly those of the dashboard, the alerts and the documentation', async () => {
    // A worker's first sign of life may come after the figures of the last seconds were read.
    await until('a worker is known', async () =>
      (await read(api)).has('folkmoot_worker_heartbeat_age_seconds'),
    )
    const exposed = new Set([...(await read(api)).keys(), ...(await read(work)).keys()])
    const known = (name: string) => exposed.has(name) || exposed.has(name.replace(/_(bucket|sum|count)$/, ''))
    const namedIn = (file: string) => new Set(textOf(file).match(/\b(folkmoot|process)_[a-z_]+\b/g))
    for (const file of ['deploy/grafana-dashboard.json', 'deploy/alerts.yaml', 'deploy/alerts.test.yaml']) {
      expect(namedIn(file).size).toBeGreaterThan(2)
      expect([file, [...namedIn(file)].filter((name) => !known(name))]).toEqual([file, []])
    }
    // An alert leads to the dashboard, which has to show the figure that fired it.
    const alerting = namedIn('deploy/alerts.yaml')
    expect([...alerting.difference(namedIn('deploy/grafana-dashboard.json'))]).toEqual([])
    const documented = namesIn(textOf('docs/operations/reference.md'))
    if (redis) expect([...documented].sort()).toEqual([...exposed].sort())
  })

  test('are given to who asks for this machine by GET, and to no page of another name that was pointed here', async () => {
    const statusFor = async (host: string, method = 'GET') =>
      (await fetch(`http://127.0.0.1:${api}/metrics`, { method, headers: { host } })).status
    expect(await statusFor('localhost:1')).toBe(200)
    expect(await statusFor('[::1]')).toBe(200)
    expect(await statusFor('evil.example')).toBe(403)
    expect(await statusFor('127.0.0.1.evil.example')).toBe(403)
    expect(await statusFor('localhost', 'POST')).toBe(405)
  })

  test('count all refusals', async () => {
    const before = figure(await read(api), 'folkmoot_refusals_total', { code: 'rate_limited' }) as number
    const statuses: number[] = []
    for (let i = 0; i < 8; i += 1) statuses.push((await get('/v1/scopes', { base: server.url })).status)
    const refused = statuses.filter((status) => status === 429).length
    expect(refused).toBeGreaterThan(0)
    expect(figure(await read(api), 'folkmoot_refusals_total', { code: 'rate_limited' })).toBe(
      before + refused,
    )
  })

  test('show a pool that is too small, and how long its waiting lasted', async () => {
    const ask = () => call('GET', '/v1/profile/tokens', { base: server.url, token })
    await Promise.all(Array.from({ length: 6 }, ask))
    const families = await read(api)
    expect(figure(families, 'folkmoot_database_pool_seats', { pool: 'requests' })).toBe(1)
    expect(
      figure(families, 'folkmoot_database_pool_wait_seconds_count', { pool: 'requests' }),
    ).toBeGreaterThan(0)
  })

  test('show a backlog and its locks, and a database that serves while all connections wait', async () => {
    await sql`with happened as (
        insert into outbox (id, type, payload, relayed_at)
        values (uuidv7(interval '-10 minutes'), 'user.updated', '{}', now()) returning id
      )
      insert into reactions (fact_id, listener, next_attempt_at)
      select id, 'of-no-release', now() + interval '1 hour' from happened`
    await until(
      'the reaction is counted',
      async () => (figure(await read(api), 'folkmoot_reactions_oldest_seconds') ?? 0) > 590,
    )
    expect(figure(await read(api), 'folkmoot_reactions_pending')).toBeGreaterThan(0)
    const [seen, statuses]: [Set<number | undefined>, number[]] = [new Set(), []]
    let locks = 0
    await sql.begin(async (tx) => {
      await tx`select from users where id = ${personId} for update`
      // Together they last longer than figures are kept.
      const asking = (async () => {
        for (let turn = 0; turn < 3; turn += 1) {
          const json = { bio: 'Waiting' }
          statuses.push((await call('PATCH', '/v1/profile', { base: server.url, token, json })).status)
        }
      })()
      while (statuses.length < 3) {
        seen.add(figure(await read(api), 'folkmoot_database_up'))
        locks = Math.max(locks, figure(await read(work), 'folkmoot_database_lock_waits') ?? 0)
      }
      await asking
    })
    await sql`delete from reactions where listener = 'of-no-release'`
    expect([statuses, [...seen], locks]).toEqual([[503, 503, 503], [1], 1])
    expect(figure(await read(api), 'folkmoot_database_lock_timeouts_total')).toBe(3)
  })

  test('count work in batches that waits to be resumed, by kind', async () => {
    await sql`insert into ended_groups (group_id) values (uuidv7())`
    await sql.begin(async (tx) => {
      // The worker cannot take the mark away meanwhile.
      await tx`select from ended_groups for update`
      await until(
        'the deleted group is counted',
        async () => figure(await read(api), 'folkmoot_unfinished_work', { kind: 'deleted groups' }) === 1,
      )
    })
    expect(figure(await read(work), 'folkmoot_unfinished_work', { kind: 'free seats' })).toBe(0)
    await sql`delete from ended_groups`
  })

  test('tell what waits for a worker, and when one last gave a sign of life', async () => {
    await sql`insert into heartbeats (worker, at) values ('somebody', now() - interval '1 day')`
    await until(
      'the worker has written its heartbeat',
      async () => (figure(await read(work), 'folkmoot_worker_heartbeat_age_seconds') ?? 99) < 60,
      20_000,
    )
    const families = await read(api)
    for (const name of [
      'folkmoot_outbox_pending',
      'folkmoot_outbox_oldest_seconds',
      'folkmoot_outbox_retried',
    ])
      expect(figure(families, name)).toBe(0)
    for (const state of ['due', 'dead'])
      expect(figure(families, 'folkmoot_webhook_messages', { state })).toBe(0)
    for (const state of ['due', 'failing', 'unverified'])
      expect(figure(families, 'folkmoot_feed_subscriptions', { state })).toBe(0)
    expect(figure(families, 'folkmoot_uploads_waiting')).toBe(0)
    expect(figure(families, 'folkmoot_last_backup_timestamp_seconds')).toBe(
      Date.parse('2026-03-01T03:30:00Z') / 1000,
    )
    expect(figure(families, 'folkmoot_mails', { lane: 'awaited', state: 'failed' })).toBe(0)
  })

  test('count deliveries where they are made, by what came of them', async () => {
    const taken = openReceiver()
    const refused = openReceiver(() => new Response(null, { status: 500 }))
    try {
      for (const { url } of [taken, refused]) {
        const made = await call('POST', '/v1/developer/webhooks', {
          base: server.url,
          token,
          json: { url, eventTypes: ['token.*'] },
        })
        expect([made.status, made.text]).toEqual([201, expect.any(String)])
      }
      await call('POST', '/v1/profile/tokens', {
        base: server.url,
        token,
        json: { name: 'heard', scopes: ['read:user'] },
      })
      await until('both were sent', () => taken.received.length > 0 && refused.received.length > 0)
      const count = (families: Map<string, Family>, outcome: string) =>
        figure(families, 'folkmoot_webhook_attempt_duration_seconds_count', { outcome }) ?? 0
      await until('both are counted', async () => {
        const families = await read(work)
        return count(families, 'success') > 0 && count(families, 'failure') > 0
      })
      expect(count(await read(api), 'success')).toBe(0)
      expect(figure(await read(work), 'folkmoot_outbox_relayed_total')).toBeGreaterThan(0)
    } finally {
      taken.close()
      refused.close()
    }
  })

  test('say how Redis is, where there is one', async () => {
    if (!redis) return expect(figure(await read(api), 'folkmoot_redis_up')).toBeUndefined()
    await until('limits are counted in Redis', async () => figure(await read(api), 'folkmoot_redis_up') === 1)
    await redis.stop()
    await until('they are not', async () => figure(await read(api), 'folkmoot_redis_up') === 0)
  })
})

test('a worker whose port is the server’s does its work without figures, and says so', async () => {
  const databaseUrl = await ownDatabase()
  const port = String(await freePort())
  const server = await startServer({ DATABASE_URL: databaseUrl, METRICS_PORT: port })
  const worker = startWorker({ DATABASE_URL: databaseUrl, METRICS_PORT: port })
  try {
    await until('the worker is ready', () => worker.output().includes('worker ready'))
    expect(worker.output()).toContain(`METRICS_PORT ${port} is in use`)
  } finally {
    await Promise.all([server.stop('SIGKILL'), worker.stop('SIGKILL')])
  }
})
