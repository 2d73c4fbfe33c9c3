import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { call } from '../support/api'
import { ownDatabase, startWorker } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'
import { png } from '../support/uploads'

let [three, sql, worker] = [] as unknown as [Three, postgres.Sql, ReturnType<typeof startWorker>]
let databaseUrl = ''

beforeAll(async () => {
  databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  const folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'erasure-'))
  const storage = { STORAGE_URL: pathToFileURL(folder).href, STORAGE_KEEP_FREE: '0' }
  const environment = { FOLKMOOT_MODE: 'test', RATE_LIMIT_ANONYMOUS_PER_HOUR: '1000000', ...storage }
  three = await startThree(databaseUrl, environment)
  worker = startWorker({ DATABASE_URL: databaseUrl, ...environment })
})
afterAll(async () => {
  await sql.end()
  await three.stop()
  await worker.stop('SIGKILL')
})

test('credentials of a deleted account end on every process at once', async () => {
  const bases = three.servers.map(({ url }) => url)
  const [first] = bases as [string]
  const [person] = (await seedPeople(databaseUrl, 1, ['user', 'read:user', 'write:uploads'])) as [Seeded]
  const session = randomHex(32)
  await sql`insert into sessions (id, user_id, hash, expires_at)
    values (${Bun.randomUUIDv7()}, ${person.id}, ${Buffer.from(hashSecret(session))}, now() + interval '1 hour')`
  const read = async (path: string) => (await call('GET', path, { session, base: first })).body.data
  const bytes = png()
  const asked = await call('POST', '/v1/uploads/request', {
    token: person.token,
    base: first,
    json: { category: 'avatar', filename: 'me.png', contentType: 'image/png', size: bytes.length },
  })
  const { uploadUrl, publicUrl } = asked.body.data
  const headers = { 'content-type': 'image/png' }
  const sent = await fetch(first + new URL(uploadUrl).pathname, { method: 'PUT', body: bytes, headers })
  expect(sent.status).toBe(200)
  const picture = await call('PATCH', '/v1/profile', { session, base: first, json: { avatarUrl: publicUrl } })
  expect(picture.status).toBe(200)
  const { feedToken } = await read('/v1/profile/feed-token')
  const { id: passId } = await read('/v1/meetpass/qr')

  const doors: [what: string, path: string, shown?: { session?: string; token?: string }][] = [
    ['session', '/v1/me', { session }],
    ['token', '/v1/me', { token: person.token }],
    ['feed', `/feeds/me/${feedToken}.ics`],
    ['pass', `/pass/${passId}`],
    ['contact', `/pass/${passId}/contact.vcf`],
    ['file', new URL(publicUrl).pathname],
    ['page', `/u/${person.username}`],
  ]
  const statuses = () =>
    Promise.all(
      bases.flatMap((base) =>
        doors.map(async ([what, path, shown]) => {
          const { status } = await call('GET', path, { base, ...shown })
          return [what, status < 400] as const
        }),
      ),
    )
  const open = async () => (await statuses()).filter(([, isOpen]) => isOpen).map(([what]) => what)
  // Twice, so that every process has all of it in its caches.
  for (let twice = 0; twice < 2; twice += 1) expect(await open()).toHaveLength(3 * doors.length)

  const left = await call('DELETE', `/v1/profile?confirm=${person.username}`, { session, base: first })
  expect(left.status).toBe(200)
  const stillOpen = { what: await open() }
  for (let turn = 0; turn < 100 && stillOpen.what.length > 0; turn += 1) {
    await Bun.sleep(20)
    stillOpen.what = await open()
  }
  expect(stillOpen.what).toEqual([])
})
