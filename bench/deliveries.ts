import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import { sealer } from '../src/auth/secrets'
import { median } from './median'
import { slowest } from './paced'
import { onServerCore } from './pin'
import { start } from './processes'
import { type Surroundings, startServer } from './server'

const RECEIVERS = 10
/** What the worker has under way at once for that many receivers. */
const CONCURRENCY = RECEIVERS * 16
const MESSAGES = 10_000
const ROUNDS = 3
const BACKLOG = 100_000

export type Deliveries = { bullmq: number; ours: number; ratio: number }

export const DELIVERIES = { name: 'webhook deliveries, against empty jobs of BullMQ', wanted: 0.4 }

/** Messages that are due, to a receiver on loopback, against BullMQ running as many jobs that do nothing. */
export async function measureDeliveries(
  surroundings: Surroundings,
  redisUrl: string,
  say: (what: string) => void,
): Promise<Deliveries> {
  say(DELIVERIES.name)
  const found = { bullmq: [] as number[], ours: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    found.bullmq.push(await emptyJobs(redisUrl, `bench-${round}`))
    found.ours.push(await deliver(surroundings, redisUrl))
  }
  const [bullmq, ours] = [median(found.bullmq), median(found.ours)]
  return { bullmq, ours, ratio: ours / bullmq }
}

async function emptyJobs(redisUrl: string, name: string): Promise<number> {
  const script = join(import.meta.dir, 'empty-jobs.ts')
  const child = start(
    onServerCore([process.execPath, script, redisUrl, name, String(MESSAGES), String(CONCURRENCY)]),
    { stdout: 'pipe' },
  )
  return Number(await new Response(child.stdout).text())
}

async function deliver(surroundings: Surroundings, redisUrl: string): Promise<number> {
  const receiver = openReceiver(MESSAGES)
  const sql = postgres(surroundings.databaseUrl, { max: 1, onnotice: () => {} })
  await queueMessages(sql, surroundings, receiver.url, MESSAGES)
  const worker = startWorker({ ...surroundings, redisUrl })
  await receiver.first
  const startedAt = performance.now()
  await receiver.all
  // What is sent and not recorded is sent again after a crash, so it counts when it is recorded.
  while ((await sql`select 1 from webhook_messages where status = 'pending' limit 1`).length > 0)
    await Bun.sleep(10)
  const seconds = (performance.now() - startedAt) / 1000
  await worker.stop()
  receiver.close()
  await sql`delete from webhooks`
  await sql.end()
  return MESSAGES / seconds
}

function openReceiver(count: number) {
  const first = Promise.withResolvers<void>()
  const all = Promise.withResolvers<void>()
  let received = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      received += 1
      if (received === 1) first.resolve()
      if (received === count) all.resolve()
      return new Response(null, { status: 204 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/`,
    first: first.promise,
    all: all.promise,
    close: () => server.stop(true),
  }
}

async function queueMessages(sql: postgres.Sql, { secretKey }: Surroundings, url: string, count: number) {
  const { seal } = sealer('webhook', secretKey)
  const [owner] = await sql`select id from users limit 1`
  const hooks = Array.from({ length: RECEIVERS }, () => Bun.randomUUIDv7())
  for (const id of hooks)
    await sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values (${id}, ${owner?.id}, ${url}, array['*'], array['read:user'], ${Buffer.from(seal(randomBytes(24), id))})`
  const body = JSON.stringify({ type: 'user.updated', timestamp: new Date().toISOString(), data: {} })
  await sql`insert into webhook_messages (id, webhook_id, event_type, body, next_attempt_at)
    select gen_random_uuid(), (${hooks}::uuid[])[1 + n % ${RECEIVERS}], 'user.updated', ${body}, now()
    from generate_series(1, ${count}) n`
  await sql`analyze webhook_messages`
}

export function startWorker({ folder, databaseUrl, secretKey, redisUrl }: Surroundings) {
  return start(onServerCore([process.execPath, join(import.meta.dir, '../workers/main.ts')]), {
    stdout: 'ignore',
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      FOLKMOOT_MODE: 'test',
      LOG_LEVEL: 'warn',
      ...(redisUrl && { REDIS_URL: redisUrl }),
    },
    stopSignal: 'SIGTERM',
  })
}

export type Backlog = { idle: number; busy: number }

/** A request that asks the database: a cached answer would show nothing. */
const ASKED = '/v1/profile/tokens'

/** How long the slowest of a hundred requests takes, with nothing to deliver and with a long queue being served. */
export async function measureBacklog(
  surroundings: Surroundings,
  redisUrl: string,
  token: string,
  say: (what: string) => void,
): Promise<Backlog> {
  say('the API beside a long queue of deliveries')
  const server = await startServer({ ...surroundings, redisUrl })
  const sql = postgres(surroundings.databaseUrl, { max: 1, onnotice: () => {} })
  const idle = await slowest(server.url, token, ASKED)
  const receiver = openReceiver(BACKLOG)
  await queueMessages(sql, surroundings, receiver.url, BACKLOG)
  const worker = startWorker({ ...surroundings, redisUrl })
  await receiver.first
  const busy = await slowest(server.url, token, ASKED)
  await worker.stop()
  receiver.close()
  await sql`delete from webhooks`
  await sql.end()
  await server.stop()
  return { idle, busy }
}
