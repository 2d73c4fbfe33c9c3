import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { sealer } from '../src/auth/sealing'
import { startWorker } from './deliveries'
import { type Surroundings, startServer } from './server'

const CHANGES = 100
const PACE_MS = 40
const QUEUED = 1000

export type Isolation = { alone: number; beside: number }

/**
 * How long after a change its receiver hears of it, at the 99th percentile: alone, and beside one that hangs, one that
 * drips, one that never ends and one that always fails, each with a thousand messages.
 */
export async function measureIsolation(
  surroundings: Surroundings,
  redisUrl: string,
  token: string,
  say: (what: string) => void,
): Promise<Isolation> {
  say('a healthy receiver, alone and beside bad ones')
  const sql = postgres(surroundings.databaseUrl, { max: 1, onnotice: () => {} })
  const server = await startServer({ ...surroundings, redisUrl })
  const worker = startWorker({ ...surroundings, redisUrl })
  const healthy = openHealthy()
  const { data } = (await (await ask(server.url, token, 'GET', '/v1/me')).json()) as { data: { id: string } }
  const listen = async (url: string) => {
    const id = Bun.randomUUIDv7()
    const sealed = Buffer.from(sealer('webhook', surroundings.secretKey).seal(randomBytes(24), id))
    await sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values (${id}, ${data.id}, ${url}, array['user.updated'], array['read:user'], ${sealed})`
    return id
  }
  await listen(healthy.url)
  await delays(server.url, token, healthy)
  const alone = await delays(server.url, token, healthy)
  const bad = openBad()
  for (const url of bad.urls) {
    const id = await listen(url)
    await sql`insert into webhook_messages (id, webhook_id, event_type, body, next_attempt_at)
      select gen_random_uuid(), ${id}, 'user.updated', '{}', now() from generate_series(1, ${QUEUED})`
  }
  await bad.reached
  const beside = await delays(server.url, token, healthy)
  await worker.stop()
  await server.stop()
  bad.close()
  healthy.close()
  await sql`delete from webhooks`
  await sql.end()
  return { alone, beside }
}

const ask = (url: string, token: string, method: string, path: string, json?: unknown) =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })

function openHealthy() {
  let hear = (_at: number) => {}
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      hear(performance.now())
      return new Response(null, { status: 204 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/`,
    next: () =>
      new Promise<number>((resolve) => {
        hear = resolve
      }),
    close: () => server.stop(true),
  }
}

async function delays(url: string, token: string, healthy: ReturnType<typeof openHealthy>): Promise<number> {
  const found: number[] = []
  for (let i = 0; i < CHANGES; i += 1) {
    const heard = healthy.next()
    const response = await ask(url, token, 'PATCH', '/v1/profile', { bio: `change ${i}` })
    if (response.status !== 200) throw new Error(`${response.status} to a change`)
    const changedAt = performance.now()
    found.push(Math.max(0, (await heard) - changedAt))
    await Bun.sleep(PACE_MS)
  }
  return found.sort((a, b) => a - b)[Math.floor(CHANGES * 0.99)] as number
}

function openBad() {
  const reached = Promise.withResolvers<void>()
  const hang = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const stream = (pull: (controller: ReadableStreamDefaultController) => void | Promise<void>) =>
    Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(new ReadableStream({ pull })) })
  const servers = [
    stream(async (controller) => {
      await Bun.sleep(1000)
      controller.enqueue(new Uint8Array(1))
    }),
    stream((controller) => controller.enqueue(new Uint8Array(65_536))),
    Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch() {
        reached.resolve()
        return new Response(null, { status: 500 })
      },
    }),
  ]
  return {
    urls: [hang.port, ...servers.map(({ port }) => port)].map((port) => `http://127.0.0.1:${port}/`),
    reached: reached.promise,
    close() {
      hang.stop(true)
      for (const server of servers) server.stop(true)
    },
  }
}
