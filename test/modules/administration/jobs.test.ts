import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import postgres from 'postgres'
import { jobs as kinds } from '@/areas'
import { type Jobs, openJobs } from '@/jobs/backend'
import { readQueues } from '@/jobs/figures'
import { KINDS, QUEUES } from '@/jobs/long-work'
import { call } from '../../support/api'
import { ownDatabase, type ServerProcess, startServer, until } from '../../support/processes'
import { freePort, startRedis, type TestRedis } from '../../support/redis'
import { seedPeople } from '../../support/seed'

const binary = Bun.which('redis-server')
if (!binary) console.log('!! no redis-server: queues on Redis are NOT tested')

const EMPTY = { waiting: 0, active: 0, delayed: 0, failed: 0, oldestSeconds: null }

const redisAt = (port?: number) => startRedis(binary as string, process.env.TEST_FOLDER as string, port)

async function seedAdmin(databaseUrl: string, sql: postgres.Sql) {
  const [admin] = await seedPeople(databaseUrl, 1, ['admin'])
  await sql`update users set role = 'admin' where id = ${admin?.id as string}`
  return admin?.token as string
}

for (const onRedis of [false, true])
  describe.if(!onRedis || binary !== null)(
    `the work in the background, on ${onRedis ? 'Redis' : 'PostgreSQL'}`,
    () => {
      let server: ServerProcess
      let redis: TestRedis | undefined
      let sql: postgres.Sql
      let jobs: Jobs
      let token: string
      let metricsPort: string
      let connectionsBefore: number
      beforeAll(async () => {
        const databaseUrl = await ownDatabase()
        sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
        token = await seedAdmin(databaseUrl, sql)
        redis = onRedis ? await redisAt() : undefined
        metricsPort = String(await freePort())
        server = await startServer({
          DATABASE_URL: databaseUrl,
          METRICS_PORT: metricsPort,
          ...(redis && { REDIS_URL: redis.url }),
        })
        connectionsBefore = await connections()
        jobs = openJobs({ redisUrl: redis?.url ?? null, databaseUrl })
      })
      afterAll(async () => {
        await sql.end()
        await server.stop('SIGKILL')
        await redis?.stop()
      })

      const read = () => call('GET', '/v1/admin/jobs', { base: server.url, token })

      async function connections(): Promise<number> {
        if (redis) {
          const client = new Bun.RedisClient(redis.url)
          const list = String(await client.send('CLIENT', ['LIST']))
          client.close()
          return list.trim().split('\n').length
        }
        const [row] = await sql`select count(*)::int as open from pg_stat_activity
        where application_name = 'folkmoot-jobs' and datname = current_database()`
        return row?.open
      }

      if (!onRedis)
        test('that cannot be read in time is 503, and is read once it can', async () => {
          await jobs.queue('reactions').waitUntilReady()
          const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
          const holding = sql.begin(async (tx) => {
            await tx`lock table bullmq.migration in access exclusive mode`
            locked.resolve()
            await release.promise
          })
          await locked.promise
          const refused = await read()
          expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
          expect(refused.headers.get('retry-after')).toBe('1')
          release.resolve()
          await holding
          await until('it can be read', async () => (await read()).status === 200)
        })

      test('is nothing at first, in a process without a worker', async () => {
        const { status, body } = await read()
        expect(status).toBe(200)
        expect(body).toEqual({
          data: {
            queues: [...QUEUES, ...KINDS].map((name) => ({ name, ...EMPTY })),
            outbox: { pending: 0, oldestSeconds: null },
            deliveries: { due: 0, dead: 0 },
            subscriptions: { due: 0, failing: 0, unverified: 0 },
            uploads: { waiting: 0, oldestSeconds: null },
            mails: { waiting: 0, retrying: 0, failed: 0, oldestSeconds: null },
          },
        })
      })

      test('is counted by state, with how long the oldest has waited', async () => {
        const reactions = jobs.queue('reactions')
        for (const secondsAgo of [90, 30, 10])
          await reactions.add('waits', {}, { timestamp: Date.now() - secondsAgo * 1000 })
        for (let i = 0; i < 2; i += 1) await reactions.add('later', {}, { delay: 3_600_000 })
        jobs.work('schedules', async () => {
          throw new Error('it always fails')
        })
        await jobs.queue('schedules').add('fails', {})
        await sql`insert into outbox (id, type, payload, created_at, relayed_at) values
        (${Bun.randomUUIDv7()}, 'user.deleted', '{}', now() - interval '120 seconds', null),
        (${Bun.randomUUIDv7()}, 'user.deleted', '{}', now() - interval '20 seconds', null),
        (${Bun.randomUUIDv7()}, 'user.deleted', '{}', now() - interval '999 seconds', now())`
        await until('the job has failed', async () => (await read()).body.data.queues[1].failed === 1)
        const { queues, outbox } = (await read()).body.data
        expect(queues[0]).toEqual({
          name: 'reactions',
          ...EMPTY,
          waiting: 3,
          delayed: 2,
          oldestSeconds: expect.any(Number),
        })
        expect(queues[0].oldestSeconds).toBeWithin(90, 120)
        expect(queues[1]).toEqual({ name: 'schedules', ...EMPTY, failed: 1 })
        expect(outbox.pending).toBe(2)
        expect(outbox.oldestSeconds).toBeWithin(120, 150)
      })

      test('is also long work, kind by kind, of this release or another', async () => {
        const insert = (kind: string, status: string, next: string, made: string) => sql`insert into jobs
          (id, kind, owner_id, input, status, next_attempt_at, created_at, finished_at)
          select ${Bun.randomUUIDv7()}, ${kind}, id, '{}', ${status}, now() + ${next}::interval, now() - ${made}::interval,
            case when ${status} in ('done', 'failed') then now() end
          from users limit 1`
        await insert('pass-sheet', 'queued', '-70 seconds', '70 seconds')
        // The worker that had this one is dead.
        await insert('pass-sheet', 'running', '-5 seconds', '300 seconds')
        await insert('pass-sheet', 'running', '20 seconds', '900 seconds')
        await insert('pass-sheet', 'queued', '20 seconds', '900 seconds')
        await insert('pass-sheet', 'done', '-900 seconds', '900 seconds')
        for (let i = 0; i < 3; i += 1) await insert('pass-sheet', 'failed', '-900 seconds', '900 seconds')
        await insert('of-tomorrow', 'running', '20 seconds', '900 seconds')
        const [sheets, ...others] = (await read()).body.data.queues.slice(QUEUES.length)
        const counts = { waiting: 2, active: 1, delayed: 1, failed: 3, oldestSeconds: expect.any(Number) }
        expect(sheets).toEqual({ name: 'pass-sheet', ...counts })
        expect(sheets.oldestSeconds).toBeWithin(300, 330)
        const idle = KINDS.filter((name) => name !== 'pass-sheet').map((name) => ({ name, ...EMPTY }))
        expect(others).toEqual([...idle, { name: 'of-tomorrow', ...EMPTY, active: 1 }])
      })

      test('includes files waiting for their check, also direct uploads', async () => {
        const insert = (state: string, next: string | null, changed: string) => sql`insert into uploads
          (id, key, owner_id, maker, category, filename, content_type, declared_size, state, incoming, reason,
            next_check_at, expires_at, created_at, changed_at)
          select ${Bun.randomUUIDv7()}, ${crypto.randomUUID()}, id, 'person', 'avatar', 'me.jpg', 'image/jpeg', 4, ${state},
            ${crypto.randomUUID()}, ${state === 'refused' ? 'It is no picture' : null}, now() + ${next}::interval, now(),
            now() - interval '1 day', now() - ${changed}::interval
          from users limit 1`
        await insert('requested', null, '900 seconds')
        await insert('refused', null, '900 seconds')
        await insert('requested', '20 seconds', '900 seconds')
        expect((await read()).body.data.uploads).toEqual({ waiting: 0, oldestSeconds: null })
        await insert('requested', '-200 seconds', '900 seconds')
        const late = (await read()).body.data.uploads
        expect(late.waiting).toBe(1)
        expect(late.oldestSeconds).toBeWithin(200, 230)
        await insert('received', '20 seconds', '720 seconds')
        const received = (await read()).body.data.uploads
        expect(received.waiting).toBe(2)
        expect(received.oldestSeconds).toBeWithin(720, 750)
      })

      test('is also the letters on their way, lane by lane, and in the metrics', async () => {
        const insert = (
          urgency: number,
          due: string,
          attempts: number,
          outcome: string | null,
          finished: string | null,
        ) =>
          sql`insert into mails (id, letter, fact, address, urgency, attempts, created_at, due_at, expires_at, finished_at, outcome)
            values (${Bun.randomUUIDv7()}, 'sign-in', 'x', ${outcome === null ? 'a@b.example' : null}, ${urgency}, ${attempts},
              now(), now() + ${due}::interval, now(), now() + ${finished}::interval, ${outcome})`
        await insert(2, '1 day', 0, null, null)
        await insert(2, '1 hour', 3, null, null)
        await insert(0, '-100 seconds', 0, null, null)
        await insert(1, '-500 seconds', 1, null, null)
        await insert(1, '0', 1, 'sent', '-1 hour')
        await insert(1, '0', 1, 'refused', '-1 hour')
        await insert(0, '0', 1, 'expired', '-1 hour')
        await insert(0, '0', 1, 'refused', '-2 days')
        const { oldestSeconds, ...mails } = (await read()).body.data.mails
        expect(mails).toEqual({ waiting: 2, retrying: 1, failed: 2 })
        expect(oldestSeconds).toBeWithin(500, 530)
        // Metrics are cached for some seconds, so they are read once, for the long work of the test before too.
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
        for (const line of ['waiting"} 2', 'active"} 1', 'delayed"} 1', 'failed"} 3'])
          expect(text).toContain(`\nfolkmoot_jobs{kind="pass-sheet",state="${line}\n`)
        expect(text).toMatch(/^folkmoot_jobs_oldest_seconds\{kind="pass-sheet"\} 3[0-3]\d$/m)
        expect(text).toContain('\nfolkmoot_mails{lane="awaited",state="waiting"} 1\n')
        expect(text).toContain('\nfolkmoot_mails{lane="other",state="retrying"} 1\n')
        expect(text).toContain('\nfolkmoot_mails{lane="other",state="failed"} 1\n')
        expect(text).toMatch(/^folkmoot_mails_oldest_seconds\{lane="awaited"\} 1[0-3]\d$/m)
        await sql`delete from mails`
      })

      test('costs a process one connection to each queue, however many ask', async () => {
        await jobs.close()
        const answers = await Promise.all(Array.from({ length: 40 }, read))
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
        expect((await connections()) - connectionsBefore).toBe(QUEUES.length)
      })

      test('does not keep the process from stopping', async () => {
        expect(await server.stop('SIGTERM')).toBe(0)
      })
    },
  )

describe.if(binary !== null)('with Redis away', () => {
  test('the figures are 503, come when it comes, and the server still stops', async () => {
    const databaseUrl = await ownDatabase()
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    const token = await seedAdmin(databaseUrl, sql)
    const port = await freePort()
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: `redis://127.0.0.1:${port}` }
    const server = await startServer({ ...environment, RATE_LIMIT_USER_PER_HOUR: '100000' })
    const read = () => call('GET', '/v1/admin/jobs', { base: server.url, token })
    const [one, two] = await Promise.all([read(), read()])
    expect([one.status, one.body.code, two.status]).toEqual([503, 'unavailable', 503])
    const redis = await redisAt(port)
    await until('Redis is found', async () => (await read()).status === 200)
    process.kill(redis.pid as number, 'SIGSTOP')
    expect((await read()).status).toBe(503)
    process.kill(redis.pid as number, 'SIGCONT')
    await until('Redis is found again', async () => (await read()).status === 200)
    await redis.stop()
    expect(await server.stop('SIGTERM')).toBe(0)
    await sql.end()
  })
})

test('those who ask at once share one look', async () => {
  const [one, two] = [readQueues(), readQueues()]
  expect(one).toBe(two)
  await one
  const three = readQueues()
  expect(three).not.toBe(one)
  await three
})

test('every queue of a worker is looked at', () => {
  const root = join(import.meta.dir, '../../..')
  const served = [...new Glob('workers/*.ts').scanSync(root)].flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^const QUEUE = '([^']+)'/gm)].map(
      (match) => match[1],
    ),
  )
  expect(served.sort()).toEqual([...QUEUES].sort())
})

test('every kind of long work is counted', () => {
  expect(kinds.map(({ name }) => name).sort()).toEqual([...KINDS].sort())
})
