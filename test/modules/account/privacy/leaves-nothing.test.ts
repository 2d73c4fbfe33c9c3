import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Redis from 'ioredis'
import postgres from 'postgres'
import { call, type Json } from '../../../support/api'
import { dumpOf } from '../../../support/dump'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { startRedis, type TestRedis } from '../../../support/redis'
import { type Seeded, seedEvent, seedPeople } from '../../../support/seed'
import { png } from '../../../support/uploads'

const binary = Bun.which('redis-server')

/** Nothing else in the world is called like this. */
const ADDRESS = 'quixotilda@zanzibarova.example'
const NEW_ADDRESS = 'quixotilda.new@zanzibarova.example'
const IP = '203.0.113.77'
const TRACES = ['quixotilda', 'zanzibarova', IP]

const folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'erasure-'))
const objects = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && !one.name.startsWith('.'),
  )

let [server, worker, redis, sql] = [] as unknown as [
  ServerProcess,
  ReturnType<typeof startWorker>,
  TestRedis | undefined,
  postgres.Sql,
]
let databaseUrl = ''
let environment: Record<string, string> = {}
const receiver = openReceiver()

beforeAll(async () => {
  databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  redis = binary ? await startRedis(binary, folder) : undefined
  environment = {
    FOLKMOOT_MODE: 'test',
    LOG_LEVEL: 'debug',
    DATABASE_URL: databaseUrl,
    TRUSTED_PROXIES: '127.0.0.0/8',
    STORAGE_URL: pathToFileURL(folder).href,
    STORAGE_KEEP_FREE: '0',
    ...(redis && { REDIS_URL: redis.url }),
  }
  server = await startServer(environment)
  worker = startWorker(environment)
})
afterAll(async () => {
  await sql.end()
  await server.stop('SIGKILL')
  await worker.stop('SIGKILL')
  await redis?.stop()
  receiver.close()
})

type Asking = {
  token?: string
  session?: string
  json?: unknown
  ip?: string
  body?: Uint8Array<ArrayBuffer>
}

async function ask(method: string, path: string, { ip = '198.51.100.1', ...asking }: Asking = {}) {
  const headers = { 'x-forwarded-for': ip, 'user-agent': ip === IP ? 'Quixotilda/1.0' : 'tests' }
  const answer = await call(method, path, { ...asking, headers, base: server.url })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body?.data as Json
}

const mails = async (): Promise<{ to: string; text: string }[]> =>
  (await call('GET', '/dev/mailbox.json', { base: server.url, headers: { 'x-forwarded-for': '127.0.0.1' } }))
    .body

/** A link in the newest mail to an address. */
const linkTo = async (address: string, path: string) =>
  new RegExp(`${path}\\?token=([0-9a-f]+)`).exec(
    (await mails()).find(({ to }) => to === address)?.text ?? '',
  )?.[1] as string

async function submit(path: string, fields: Record<string, string>): Promise<Response> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': IP,
      'user-agent': 'Quixotilda/1.0',
    },
    body: new URLSearchParams(fields).toString(),
  })
  await response.arrayBuffer()
  return response
}

/** A person who has used everything, and what others have because of them. */
async function live(): Promise<string> {
  await submit('/auth/email', { email: ADDRESS })
  const entered = await submit('/auth/email/verify', { token: await linkTo(ADDRESS, '/auth/email/verify') })
  const session = /session=([0-9a-f]{64})/.exec(entered.headers.get('set-cookie') ?? '')?.[1] as string
  const mine = { session, ip: IP }
  const { eventId, groupId, urlname, owner } = await seedEvent(databaseUrl, { maxAttendees: 5 })
  const [admin, friend] = (await seedPeople(databaseUrl, 2, ['admin', 'user'])) as [Seeded, Seeded]
  await sql`update users set role = 'admin' where id = ${admin.id}`
  await sql`update personal_tokens set scopes = array['user', 'developer', 'write:follows', 'manage:groups', 'manage:events', 'manage:checkins', 'manage:badges', 'admin', 'write:favorites', 'write:events', 'write:uploads']
    where user_id <> (select id from users where email = ${ADDRESS})`

  const hook = 'https://quixotilda.zanzibarova.example/hook'
  // Somebody else who is told of everything.
  await ask('POST', '/v1/developer/webhooks', {
    token: admin.token,
    json: { url: receiver.url },
  })
  // And somebody whose receiver is away, so that what they are to be told waits.
  await ask('POST', '/v1/developer/webhooks', {
    token: admin.token,
    json: { url: 'https://away.example/hook' },
  })
  await ask('PATCH', '/v1/profile', {
    ...mine,
    json: {
      name: 'Quixotilda Zanzibarova',
      username: 'quixotilda-z',
      bio: 'I am Quixotilda.',
      location: 'Zanzibarova Street 5',
      socialLinks: ['https://zanzibarova.example/quixotilda'],
      profileVisibility: 'public',
    },
  })
  const me = await ask('GET', '/v1/me', mine)
  await ask('GET', '/v1/users/quixotilda-z', mine)

  const bytes = png()
  const upload = {
    category: 'avatar',
    filename: 'quixotilda-beach.png',
    contentType: 'image/png',
    size: bytes.length,
  }
  const { token } = await ask('POST', '/v1/profile/tokens', {
    ...mine,
    json: {
      name: 'Quixotilda’s script',
      scopes: ['user', 'write:uploads', 'developer', 'write:events', 'write:favorites'],
    },
  })
  const asked = await ask('POST', '/v1/uploads/request', { token, ip: IP, json: upload })
  const sent = await fetch(server.url + new URL(asked.uploadUrl).pathname, {
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': 'image/png', 'x-forwarded-for': IP },
  })
  // On a busy machine the check takes longer than the answer waits for it.
  expect([200, 202]).toContain(sent.status)
  await until(
    'the picture is there',
    async () => (await fetch(server.url + new URL(asked.publicUrl).pathname)).ok,
  )
  await ask('PATCH', '/v1/profile', { ...mine, json: { avatarUrl: asked.publicUrl } })
  await ask('POST', '/v1/profile/portfolio', {
    ...mine,
    json: { title: 'Quixotilda’s book', url: 'https://zanzibarova.example' },
  })
  await ask('POST', '/v1/developer/webhooks', { token, ip: IP, json: { url: hook } })
  const app = await ask('POST', '/v1/developer/apps', {
    token,
    ip: IP,
    json: { name: 'Quixotilda’s app', redirectUris: ['https://app.zanzibarova.example/back'] },
  })
  expect(app.clientId).toBeString()
  await ask('POST', `/v1/users/${friend.username}/follow`, mine)
  await ask('POST', '/v1/users/quixotilda-z/follow', { token: friend.token })
  await ask('POST', `/v1/favorites/${urlname}`, mine)
  await ask('POST', `/v1/events/${eventId}/rsvp`, mine)
  await ask('POST', `/v1/groups/${urlname}/claim`, {
    ...mine,
    json: { notes: 'Quixotilda runs this' },
  }).catch(() => null)
  await ask('GET', '/v1/profile/feed-token', mine)
  const qr = await ask('GET', '/v1/meetpass/qr', mine)
  await ask('PATCH', `/v1/meetpass/${qr.id}`, { ...mine, json: { label: 'Quixotilda’s badge' } })
  await call('GET', `/pass/${qr.id}`, { token: friend.token, base: server.url })
  await ask('POST', `/v1/manage/groups/${groupId}/events/${eventId}/attendees/${me.id}/checkin`, {
    token: owner.token,
  })
  const at = `/v1/manage/groups/${groupId}/events/${eventId}`
  await ask('POST', `${at}/pass-sheets`, { token: owner.token, json: { kind: 'badges', paper: 'a4' } })
  // At an event without an RSVP of hers she is a guest, also by her email address.
  const [other] =
    await sql`insert into events (id, group_id, title, start_time, end_time, over_at, timezone, status)
    select ${Bun.randomUUIDv7()}, group_id, 'Another evening', start_time, end_time, over_at, timezone, status
    from events where id = ${eventId} returning id`
  const elsewhere = `/v1/manage/groups/${groupId}/events/${other?.id}`
  await ask('POST', `${elsewhere}/guests`, {
    token: owner.token,
    json: { name: 'Quixotilda', email: ADDRESS },
  })
  await ask('POST', `${at}/attendees/export`, { token: owner.token })
  await ask('PATCH', `/v1/admin/users/${me.id}`, { token: admin.token, json: { role: 'admin' } })
  await ask('PATCH', `/v1/admin/users/${me.id}`, { token: admin.token, json: { role: 'user' } })
  await sql`insert into identities (id, user_id, provider, subject, username, email)
    values (${Bun.randomUUIDv7()}, ${me.id}, 'github', '4711', 'quixotilda', ${ADDRESS})`
  // A sign-in that was asked for and never came about, and an address that waits to be confirmed.
  await submit('/auth/email', { email: ADDRESS })
  await ask('POST', '/v1/profile/email', { ...mine, json: { email: NEW_ADDRESS } })
  await call('GET', '/v1/profile/export', { session, base: server.url, headers: { 'x-forwarded-for': IP } })
  // What nobody answers is logged as well.
  await call('GET', '/u/quixotilda-nobody?email=quixotilda@zanzibarova.example', {
    base: server.url,
    headers: { 'x-forwarded-for': IP },
  })
  await call('POST', '/v1/profile/email', {
    session,
    base: server.url,
    headers: { 'x-forwarded-for': IP },
    json: { email: 'quixotilda' },
  })
  return session
}

const isQuiet = async () => {
  const [row] = await sql<{ busy: number }[]>`select
    (select count(*) from outbox where relayed_at is null)
    + (select count(*) from reactions where status = 'pending')
    + (select count(*) from jobs where finished_at is null)
    + (select count(*) from uploads where owner_id is null or state in ('received', 'requested'))
    + (select count(*) from webhook_messages m join webhooks w on w.id = m.webhook_id where m.status = 'pending' and w.url like 'http://127%')
    + (select count(*) from mails where finished_at is null and due_at <= now()) as busy`
  return Number(row?.busy) === 0
}

async function redisLines(): Promise<string[]> {
  if (redis === undefined) return []
  const client = new Redis(redis.url)
  const lines: string[] = []
  for (const key of await client.keys('*')) {
    const read: Record<string, () => Promise<unknown>> = {
      string: () => client.get(key),
      hash: () => client.hgetall(key),
      list: () => client.lrange(key, 0, -1),
      set: () => client.smembers(key),
      zset: () => client.zrange(key, '0', '-1'),
      stream: () => client.xrange(key, '-', '+'),
    }
    lines.push(`${key} ${JSON.stringify(await read[await client.type(key)]?.())}`)
  }
  client.disconnect()
  return lines
}

/** The lines in which something of the person stands, in letters or in bytes. */
function traces(lines: string[]): string[] {
  const forms = TRACES.flatMap((trace) => [
    trace,
    Buffer.from(trace).toString('hex'),
    Buffer.from(trace).toString('base64url').slice(0, -2).toLowerCase(),
  ])
  return lines.filter((line) => forms.some((form) => line.toLowerCase().includes(form)))
}

test('a deleted account leaves no trace in database, storage, logs and Redis', async () => {
  const session = await live()
  await until('all of it is done', isQuiet)
  const during = traces(await dumpOf(sql)).map((line) => line.split(' ')[0])
  // The search finds them while they are there, or it would prove nothing.
  for (const table of [
    'users',
    'sessions',
    'uploads',
    'portfolio_items',
    'identities',
    'address_changes',
    'guests',
    'webhooks',
  ])
    expect(during).toContain(`public.${table}`)
  expect(objects().length).toBeGreaterThan(0)
  const toldBefore = receiver.received.length

  await ask('DELETE', '/v1/profile?confirm=quixotilda-z', { session, ip: IP })
  await until(
    'what follows from it is done',
    async () => (await isQuiet()) && objects().length === 0,
    20_000,
  ).catch(() => null)

  // What they asked for was written down.
  expect(server.output()).toContain('"route":"/u/:username"')
  const files = objects().map(({ parentPath, name }) => join(parentPath, name))
  expect({
    storage: traces(files.map((path) => `${path} ${readFileSync(path, 'latin1')}`)),
    objects: files,
    redis: traces(await redisLines()),
    logs: traces(`${server.output()}\n${worker.output()}`.split('\n')),
  }).toEqual({ storage: [], objects: [], redis: [], logs: [] })
  expect(traces(await dumpOf(sql))).toEqual([])
  expect(traces(receiver.received.slice(toldBefore).map(({ body }) => body))).toEqual([])
})
