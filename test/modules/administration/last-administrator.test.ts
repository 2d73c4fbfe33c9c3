import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { call } from '../../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../../support/processes'
import { type Seeded, seedPeople } from '../../support/seed'

const REFUSAL = {
  error: 'The site needs an administrator: make another person one first',
  code: 'conflict',
}

let server: ServerProcess
let sql: postgres.Sql
let admin: Seeded
let other: Seeded
beforeAll(async () => {
  const databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  ;[admin, other] = (await seedPeople(databaseUrl, 2, ['admin'])) as [Seeded, Seeded]
  await sql`update users set role = 'admin' where id = ${admin.id}`
  server = await startServer({ DATABASE_URL: databaseUrl })
})
afterAll(async () => {
  await sql.end()
  await server.stop('SIGKILL')
})

const act = (method: string, who: string, json?: object) =>
  call(method, `/v1/admin/users/${who}`, { base: server.url, token: admin.token, json })

async function closeAccount() {
  const session = randomHex(32)
  await sql`insert into sessions (id, user_id, hash, expires_at)
    values (${Bun.randomUUIDv7()}, ${admin.id}, ${Buffer.from(hashSecret(session))}, now() + interval '1 hour')`
  return call('DELETE', `/v1/profile?confirm=${admin.username}`, { base: server.url, session })
}

test('the last administrator can be neither demoted, suspended nor deleted, not even by themselves', async () => {
  for (const [method, json] of [
    ['PATCH', { role: 'user' }],
    ['PATCH', { suspended: true }],
    ['PATCH', { role: 'user', suspended: true }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await act(method, admin.id, json)
    expect([refused.status, refused.body]).toEqual([409, REFUSAL])
  }
  const refused = await closeAccount()
  expect([refused.status, refused.body]).toEqual([409, REFUSAL])
  const [row] = await sql`select role, suspended_at from users where id = ${admin.id}`
  expect(row).toEqual({ role: 'admin', suspended_at: null })
  expect(await sql`select 1 from audit_log`).toHaveLength(0)
})

test('a suspended administrator does not count as one', async () => {
  expect((await act('PATCH', other.id, { role: 'admin' })).status).toBe(200)
  expect((await act('PATCH', other.id, { suspended: true })).status).toBe(200)
  expect((await act('PATCH', admin.id, { role: 'user' })).body).toEqual(REFUSAL)
  // And may therefore go.
  expect((await act('PATCH', other.id, { role: 'user' })).status).toBe(200)
})

test('with another one there, the first may go', async () => {
  expect((await act('PATCH', other.id, { role: 'admin', suspended: false })).status).toBe(200)
  expect((await closeAccount()).status).toBe(200)
  expect(await sql`select 1 from users where id = ${admin.id}`).toHaveLength(0)
})
