import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import { sealer } from '../src/auth/secrets'
import { startWorker } from './deliveries'
import { start } from './processes'
import { type Surroundings, startServer } from './server'

/** Alone and beside take turns, so that a machine that others use too is as slow for one as for the other. */
const ROUNDS = 10
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
  // What the rows before have left behind is nobody's business here.
  await sql`update outbox set relayed_at = now() where relayed_at is null`
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
  const bad = await openBad()
  await delays(server.url, token, healthy)
  const found = { alone: [] as number[], beside: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    found.alone.push(...(await delays(server.url, token, healthy)))
    const ids = await Promise.all(bad.urls.map(listen))
    await sql`insert into webhook_messages (id, webhook_id, event_type, body, next_attempt_at)
      select gen_random_uuid(), id, 'user.updated', '{}', now()
      from unnest(${ids}::uuid[]) id, generate_series(1, ${QUEUED})`
    while (
      (await sql`select from webhook_attempts where webhook_id = any(${ids}::uuid[]) limit 1`).length === 0
    )
      await Bun.sleep(1)
    found.beside.push(...(await delays(server.url, token, healthy)))
    await sql`delete from webhooks where id = any(${ids}::uuid[])`
  }
  await worker.stop()
  await server.stop()
  await bad.close()
  healthy.close()
  await sql`delete from webhooks`
  await sql.end()
  return { alone: slowest(found.alone), beside: slowest(found.beside) }
}

const slowest = (found: number[]) =>
  found.toSorted((a, b) => a - b)[Math.ceil(found.length * 0.99) - 1] as number

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

async function delays(
  url: string,
  token: string,
  healthy: ReturnType<typeof openHealthy>,
): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < CHANGES; i += 1) {
    const heard = healthy.next()
    const response = await ask(url, token, 'PATCH', '/v1/profile', { bio: `change ${i}` })
    if (response.status !== 200) throw new Error(`${response.status} to a change`)
    const changedAt = performance.now()
    found.push(Math.max(0, (await heard) - changedAt))
    await Bun.sleep(PACE_MS)
  }
  return found
}

async function openBad() {
  const child = start([process.execPath, join(import.meta.dir, 'bad-receivers.ts')], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  return { urls: JSON.parse(new TextDecoder().decode(value)) as string[], close: child.stop }
}
