import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { migrateDatabase } from '@/db/migrate/migrate'
import { type Letter, readLetter, startMailServer } from '../support/mail-server'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { openReceiver } from '../support/receiver'
import { startRedis } from '../support/redis'
import { type Seeded, seedPeople } from '../support/seed'

const LONG_MS = 120_000
const SCOPES = ['user', 'developer']
const redisServer = Bun.which('redis-server')
if (!redisServer)
  console.log('!! no redis-server: deliveries without Redis are tested, faults of Redis are NOT')

type Environment = Record<string, string>
const open: { stop(signal?: NodeJS.Signals): Promise<unknown> }[] = []
const kept = <T extends { stop(signal?: NodeJS.Signals): Promise<unknown> }>(one: T): T => {
  open.push(one)
  return one
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop('SIGKILL')
})

const environmentOf = (databaseUrl: string, more: Environment = {}): Environment => ({
  DATABASE_URL: databaseUrl,
  FOLKMOOT_MODE: 'test',
  RATE_LIMIT_USER_PER_HOUR: '1000000',
  QUOTA_TOKENS: '1000000',
  LOG_LEVEL: 'warn',
  ...more,
})

/** What one token's owner did that was acknowledged, and what a receiver was told of it. */
function watch(databaseUrl: string, receiver = openReceiver()) {
  const acknowledged: string[] = []
  let person: Seeded
  return {
    receiver,
    acknowledged,
    async listen(url: string) {
      person = (await seedPeople(databaseUrl, 1, SCOPES))[0] as Seeded
      const made = await fetch(`${url}/v1/developer/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: receiver.url, eventTypes: ['token.created'] }),
      })
      expect(made.status).toBe(201)
      return person
    },
    /** Makes something happen; true when the server said that it did. */
    async act(url: string): Promise<boolean> {
      const answer = await fetch(`${url}/v1/profile/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'x', scopes: ['read:user'] }),
      }).catch(() => undefined)
      if (answer?.status !== 201) return false
      acknowledged.push(((await answer.json()) as { data: { id: string } }).data.id)
      return true
    },
    told: () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.tokenId as string)),
    /** Each message may come more than once, but always with the same bytes. */
    duplicates() {
      const byId = Map.groupBy(receiver.received, ({ id }) => id)
      for (const same of byId.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1)
      return receiver.received.length - byId.size
    },
    async nothingIsMissing() {
      await until(
        'everything acknowledged was told',
        () => {
          const told = this.told()
          return acknowledged.every((id) => told.has(id))
        },
        LONG_MS,
      )
    },
  }
}

describe('killed at the worst moment', () => {
  for (const point of ['before-commit', 'after-commit'] as const)
    test(`the API, ${point}: an unacknowledged change may exist, and then it is delivered`, async () => {
      const databaseUrl = await ownDatabase()
      const environment = environmentOf(databaseUrl)
      const seen = watch(databaseUrl)
      const sound = kept(await startServer(environment))
      await seen.listen(sound.url)
      const doomed = kept(
        await startServer({ ...environment, FOLKMOOT_MODE: 'test', FOLKMOOT_FAILPOINT: point }),
      )
      expect(await seen.act(doomed.url)).toBe(false)
      expect(await seen.act(sound.url)).toBe(true)
      kept(startWorker(environment))
      await seen.nothingIsMissing()
      const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
      const [row] = await sql`select count(*)::int as tokens from personal_tokens where name = 'x'`
      await until('every token was told of', () => seen.told().size === row?.tokens, LONG_MS)
      expect(row?.tokens).toBe(point === 'before-commit' ? 1 : 2)
      expect(seen.duplicates()).toBe(0)
      await sql.end()
      seen.receiver.close()
    })

  for (const [point, duplicates] of [
    ['after-claim', 0],
    ['after-send', 1],
    ['after-record', 0],
  ] as const)
    test(`the worker, ${point}: the message arrives, ${duplicates ? 'twice with the same id' : 'once'}`, async () => {
      const databaseUrl = await ownDatabase()
      const environment = environmentOf(databaseUrl)
      const seen = watch(databaseUrl)
      const server = kept(await startServer(environment))
      await seen.listen(server.url)
      expect(await seen.act(server.url)).toBe(true)
      // The same job kills three workers in a row, each of which takes over from the one before; the fourth delivers.
      const deaths = point === 'after-record' ? 1 : 3
      const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
      for (let i = 0; i < deaths; i += 1) {
        const doomed = kept(startWorker({ ...environment, FOLKMOOT_MODE: 'test', FOLKMOOT_FAILPOINT: point }))
        await doomed.exited
      }
      kept(startWorker(environment))
      await seen.nothingIsMissing()
      await until(
        'the message is settled',
        async () => (await sql`select 1 from webhook_messages where status = 'succeeded'`).length === 1,
        LONG_MS,
      )
      expect(seen.duplicates()).toBe(duplicates * deaths)
      await sql.end()
      seen.receiver.close()
    })
})

test('a worker that is stopped is taken for dead, and when it goes on it sends nothing that others have', async () => {
  const databaseUrl = await ownDatabase()
  const environment = environmentOf(databaseUrl)
  const gate = Promise.withResolvers<void>()
  const receiver = openReceiver(async () => {
    await gate.promise
    return new Response('ok')
  })
  const server = kept(await startServer(environment))
  const [person] = (await seedPeople(databaseUrl, 1, SCOPES)) as [Seeded]
  const send = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send('/v1/developer/webhooks', { url: receiver.url, eventTypes: ['token.created'] })
  for (let i = 0; i < 60; i += 1)
    expect((await send('/v1/profile/tokens', { name: 'x', scopes: ['read:user'] })).status).toBe(201)
  const stopped = kept(startWorker(environment))
  await until('as many are under way as may be', () => receiver.received.length === 16)
  process.kill(stopped.pid, 'SIGSTOP')
  kept(startWorker(environment))
  gate.resolve()
  const told = () => new Set(receiver.received.map(({ id }) => id)).size
  // The lease of what the stopped one has lasts longer than this waits.
  await until('another has sent all of it', () => told() === 60, 20_000)
  process.kill(stopped.pid, 'SIGCONT')
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await until('both are heard', async () => {
    const beats =
      await sql`select 1 from heartbeats where starts_with(worker, 'webhooks ') and at > now() - interval '2 s'`
    return beats.length === 2
  })
  await until('all is settled', async () => {
    return (await sql`select 1 from webhook_messages where status <> 'succeeded'`).length === 0
  })
  expect(receiver.received.length - told()).toBeLessThanOrEqual(16)
  await sql.end()
  receiver.close()
})

describe('the mail that a webhook was switched off', () => {
  /** A worker is killed once it has written down that the receiver is gone, and another one comes. */
  async function switchOff(smtpUrl: string) {
    const databaseUrl = await ownDatabase()
    const environment = environmentOf(databaseUrl, { SMTP_URL: smtpUrl })
    const server = kept(await startServer(environment))
    const gone = openReceiver(() => new Response('', { status: 410 }))
    const seen = watch(databaseUrl, gone)
    const { id } = await seen.listen(server.url)
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await sql`update users set email = 'owner@example.org' where id = ${id}`
    expect(await seen.act(server.url)).toBe(true)
    await kept(startWorker({ ...environment, FOLKMOOT_FAILPOINT: 'after-record' })).exited
    const [webhook] = await sql`select is_active, disabled_reason from webhooks`
    expect(webhook).toEqual({ is_active: false, disabled_reason: 'gone' })
    gone.close()
    const worker = kept(startWorker(environment))
    const isDone = async () => (await sql`select 1 from mails where outcome = 'sent'`).length === 1
    return { worker, isDone, end: () => sql.end() }
  }

  test('is sent though the worker that did it was killed right then', async () => {
    const smtp = await startMailServer()
    const { isDone, end } = await switchOff(smtp.url)
    await until('the owner has mail', () => smtp.letters.length > 0, LONG_MS)
    await until('that is written down', isDone)
    expect(smtp.letters.map(({ to }) => to)).toEqual([['owner@example.org']])
    expect(readLetter(smtp.letters[0] as Letter)).toContain('Subject: Your webhook was switched off')
    await end()
    await smtp.stop()
  })

  test('waits while the mail server is away', async () => {
    const away = await startMailServer()
    const url = new URL(away.url)
    await away.stop()
    const { worker, isDone, end } = await switchOff(url.href)
    await until('it was tried', () => worker.output().includes('mail: will be tried again'), LONG_MS)
    expect(worker.output()).not.toContain('owner@example.org')
    const smtp = await startMailServer({ port: Number(url.port) })
    await until('the owner has mail', () => smtp.letters.length > 0, LONG_MS)
    await until('that is written down', isDone)
    expect(smtp.letters).toHaveLength(1)
    await end()
    await smtp.stop()
  })
})

test('under load, with API and worker killed again and again: nothing acknowledged is missing', async () => {
  const databaseUrl = await ownDatabase()
  const environment = environmentOf(databaseUrl)
  const seen = watch(databaseUrl)
  const steady = kept(await startServer(environment))
  await seen.listen(steady.url)
  let api = await startServer(environment)
  let worker = startWorker(environment)
  let kills = 0
  let over = false
  const acting = [1, 2, 3, 4].map(async () => {
    while (!over) if (!(await seen.act(api.url))) await Bun.sleep(20)
  })
  for (let round = 0; round < 12; round += 1) {
    const before = seen.acknowledged.length
    await until('some more happened', () => seen.acknowledged.length >= before + 15, LONG_MS)
    kills += 1
    if (round % 3 === 2) {
      await api.stop('SIGKILL')
      api = await startServer(environment)
    } else {
      await worker.stop('SIGKILL')
      worker = startWorker(environment)
    }
  }
  over = true
  await Promise.all(acting)
  kept(api)
  kept(worker)
  await seen.nothingIsMissing()
  const duplicates = seen.duplicates()
  console.log(`   ${seen.acknowledged.length} acknowledged, ${kills} kills, ${duplicates} sent twice`)
  expect(seen.acknowledged.length).toBeGreaterThan(150)
  // A message is sent twice only if its worker died between the answer and the commit.
  expect(duplicates).toBeLessThanOrEqual(kills * 16)
  seen.receiver.close()
}, 300_000)

describe.if(redisServer !== null)('Redis', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'folkmoot-hooks-'))
  })

  for (const seconds of [2, 10, 60])
    test(`away for ${seconds} s: everything is delivered`, async () => {
      let redis = await startRedis(redisServer as string, folder)
      const databaseUrl = await ownDatabase()
      const environment = environmentOf(databaseUrl, { REDIS_URL: redis.url })
      const seen = watch(databaseUrl)
      const server = kept(await startServer(environment))
      await seen.listen(server.url)
      kept(startWorker(environment))
      for (let i = 0; i < 20; i += 1) expect(await seen.act(server.url)).toBe(true)
      await redis.stop()
      for (let i = 0; i < 20; i += 1) expect(await seen.act(server.url)).toBe(true)
      await Bun.sleep(seconds * 1000)
      redis = await startRedis(redisServer as string, folder, redis.port)
      for (let i = 0; i < 20; i += 1) expect(await seen.act(server.url)).toBe(true)
      await seen.nothingIsMissing()
      expect(seen.duplicates()).toBe(0)
      seen.receiver.close()
      await redis.stop()
    }, 200_000)

  test('emptied in mid-run: everything is delivered', async () => {
    const redis = await startRedis(redisServer as string, folder)
    const databaseUrl = await ownDatabase()
    const environment = environmentOf(databaseUrl, { REDIS_URL: redis.url })
    const seen = watch(databaseUrl)
    const server = kept(await startServer(environment))
    await seen.listen(server.url)
    kept(startWorker(environment))
    for (let i = 0; i < 60; i += 1) {
      expect(await seen.act(server.url)).toBe(true)
      if (i % 10 === 5) Bun.spawnSync(['redis-cli', '-p', String(redis.port), 'flushall'])
    }
    await seen.nothingIsMissing()
    expect(seen.duplicates()).toBe(0)
    seen.receiver.close()
    await redis.stop()
  })
})

test('PostgreSQL killed under load: nothing acknowledged is missing', async () => {
  const own = await startEmbeddedPostgres({ dataDir: mkdtempSync(join(tmpdir(), 'folkmoot-hooks-')) })
  await migrateDatabase(own.url)
  const environment = environmentOf(own.url, { LOG_LEVEL: 'info' })
  const seen = watch(own.url)
  const server = kept(await startServer(environment))
  await seen.listen(server.url)
  const worker = kept(startWorker(environment))
  await until('the worker is there', () => worker.output().includes('worker ready'))
  for (let i = 0; i < 30; i += 1) expect(await seen.act(server.url)).toBe(true)
  process.kill(own.pid, 'SIGKILL')
  await until('it works again', () => seen.act(server.url), LONG_MS)
  for (let i = 0; i < 30; i += 1) await seen.act(server.url)
  await seen.nothingIsMissing()
  seen.duplicates()
  seen.receiver.close()
  for (const one of open.splice(0)) await one.stop('SIGKILL')
  await own.stop()
}, 200_000)

describe('bad receivers', () => {
  let databaseUrl: string
  let server: ServerProcess
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    server = await startServer(environmentOf(databaseUrl))
  })
  afterAll(() => server.stop('SIGKILL'))

  test('that hang, drip, never end or always fail, with a thousand messages each, delay no one else', async () => {
    const hang = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const drip = openReceiver(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(1000)
              controller.enqueue(new Uint8Array(1))
            },
          }),
        ),
    )
    const endless = openReceiver(
      () =>
        new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
        ),
    )
    const failing = openReceiver(() => new Response('', { status: 500 }))
    const [owner] = (await seedPeople(databaseUrl, 1, SCOPES)) as [Seeded]
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    for (const url of [`http://127.0.0.1:${hang.port}/`, drip.url, endless.url, failing.url]) {
      const made = await fetch(`${server.url}/v1/developer/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      })
      const { id } = ((await made.json()) as { data: { id: string } }).data
      await sql`insert into webhook_messages (id, webhook_id, event_type, body, next_attempt_at)
        select gen_random_uuid(), ${id}, 'user.updated', '{}', now() from generate_series(1, 1000)`
    }
    const seen = watch(databaseUrl)
    await seen.listen(server.url)
    kept(startWorker(environmentOf(databaseUrl)))
    await until(
      'the bad ones are being served',
      () => failing.received.length > 0 && drip.received.length > 0,
    )
    for (let i = 0; i < 50; i += 1) expect(await seen.act(server.url)).toBe(true)
    await seen.nothingIsMissing()
    // The thousand that hang take ten seconds each: had they been in the way, this would not have come through.
    const [waiting] = await sql`select count(*)::int as count from webhook_messages where status = 'pending'`
    expect(waiting?.count).toBeGreaterThan(900)
    await sql.end()
    hang.stop(true)
    for (const one of [drip, endless, failing, seen.receiver]) one.close()
  })
})
