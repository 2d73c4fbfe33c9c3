import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { newKey } from '@/modules/people/uploads/key'
import { ownDatabase, type ServerProcess, startServer, until } from '../../../../support/processes'
import { type Seeded, seedPeople } from '../../../../support/seed'
import { fileUrl } from './fixtures'

const LARGE = 200 * 1024 * 1024
const PART = new Uint8Array(64 * 1024).fill(7)

/** A bucket that answers as it is told to, and counts what is taken out of it. */
let says: () => Response
let taken = 0
const bucket = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => says() })

const streaming = (breaksAfter = Number.POSITIVE_INFINITY) =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        if (taken >= breaksAfter) return controller.error(new Error('gone'))
        if (taken >= LARGE) return controller.close()
        taken += PART.length
        controller.enqueue(PART)
      },
    }),
  )

let server: ServerProcess
let sql: postgres.Sql
let ownerId = ''
beforeAll(async () => {
  const databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  server = await startServer({
    DATABASE_URL: databaseUrl,
    STORAGE_URL: `s3://files?endpoint=http://127.0.0.1:${bucket.port}`,
    STORAGE_ACCESS_KEY: 'key',
    STORAGE_SECRET_KEY: 'secret',
  })
  ownerId = ((await seedPeople(databaseUrl, 1)) as [Seeded])[0].id
})
afterAll(async () => {
  await sql.end()
  await server.stop('SIGKILL')
  await bucket.stop(true)
})

async function seedFile(size: number): Promise<string> {
  const key = newKey({ category: 'media', contentType: 'image/png' }, 'a.png')
  await sql`insert into uploads (id, key, owner_id, maker, category, filename, content_type, declared_size, state, file, size, sha256, expires_at, created_at, changed_at)
    values (${Bun.randomUUIDv7()}, ${key}, ${ownerId}, 'person', 'media', 'a.png', 'image/png', 1, 'ready', ${crypto.randomUUID()}, ${size}, 'abc', now(), now(), now())`
  return server.url + fileUrl(key)
}

test('a small file comes with its length, one that is missing is 404', async () => {
  const url = await seedFile(3)
  says = () => new Response('abc')
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
    200,
    '3',
    'abc',
  ])
  says = () => new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 })
  for (const method of ['GET', 'HEAD']) expect((await fetch(url, { method })).status).toBe(404)
})

test('a bucket that is away is 503 before the first byte, for small files and large', async () => {
  says = () => new Response('', { status: 500 })
  for (const size of [3, LARGE])
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetch(await seedFile(size), { method })
      expect([size, method, status, headers.get('retry-after')]).toEqual([size, method, 503, '60'])
      expect(headers.get('cache-control')).not.toContain('immutable')
    }
})

test('a large file is taken as fast as it is read', async () => {
  taken = 0
  says = () => streaming()
  const answer = await fetch(await seedFile(LARGE))
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  let read = ((await reader.read()).value as Uint8Array).length
  let before = -1
  await until('nothing moves', async () => {
    const stands = taken === before
    before = taken
    await Bun.sleep(200)
    return stands
  })
  expect(taken).toBeLessThan(LARGE / 3)
  for (let part = await reader.read(); !part.done; part = await reader.read()) read += part.value.length
  expect(read).toBe(LARGE)
})

test('half a file never looks whole', async () => {
  taken = 0
  says = () => streaming(LARGE / 4)
  const answer = await fetch(await seedFile(LARGE))
  await expect(answer.arrayBuffer()).rejects.toThrow()
})
