import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { checkedSecret } from '@/core/codes'
import { db } from '@/db/client'
import { sessions } from '@/db/tables/credentials'
import { apiUrl, del, get, patch, post } from '../support/api'
import { makeCaller, makeSession, makeToken, makeUser } from '../support/make'
import { statementsOf } from '../support/statements'

const TOKEN = { name: 'x', scopes: ['read:user'] }

describe('a bearer token', () => {
  test('must be sent exactly once and well-formed', async () => {
    const { token } = await makeCaller()
    const bad = [
      `Bearer`,
      `Bearer `,
      `Basic ${btoa('a:b')}`,
      token,
      `Bearer ${token} x`,
      `Bearer ${token},Bearer ${token}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${'x'.repeat(5000)}`,
      `Bearer     ${token}`,
      'Bearer \u00e9',
    ]
    for (const authorization of bad) {
      const { status, body } = await get('/v1/me', { headers: { authorization } })
      expect([authorization.slice(0, 20), status, body.code]).toEqual([
        authorization.slice(0, 20),
        401,
        'unauthorized',
      ])
    }
    for (const good of [`bearer ${token}`, `Bearer    ${token}`])
      expect((await get('/v1/me', { headers: { authorization: good } })).status).toBe(200)
  })

  test('in the query is ignored', async () => {
    const { token } = await makeCaller()
    expect((await get(`/v1/me?access_token=${token}&token=${token}`)).status).toBe(401)
  })

  test('that was invented is refused without a database query', async () => {
    const invented = (i: number) => `fm_pat_${'0123456789abcdef'.repeat(2)}${i.toString(16).padStart(8, '0')}`
    const cost = await statementsOf(async () => {
      for (let i = 0; i < 50; i += 1) expect((await get('/v1/me', { token: invented(i) })).status).toBe(401)
    })
    expect(cost).toBe(0)
  })

  test('that is well-formed but unknown is refused', async () => {
    expect((await get('/v1/me', { token: checkedSecret('fm_pat_') })).status).toBe(401)
  })

  test('that is invalid never falls back to the cookie', async () => {
    const session = await makeSession((await makeUser()).id)
    expect((await get('/v1/me', { session })).status).toBe(200)
    expect((await get('/v1/me', { session, token: 'fm_pat_wrong' })).status).toBe(401)
  })
})

describe('a session cookie', () => {
  test('sent twice is refused', async () => {
    const session = await makeSession((await makeUser()).id)
    expect(
      (await get('/v1/me', { headers: { cookie: `session=${session}; session=${session}` } })).status,
    ).toBe(401)
    expect((await get('/v1/scopes', { headers: { cookie: `session=a; session=b` } })).status).toBe(401)
  })

  test('that is stale counts as anonymous', async () => {
    expect((await get('/v1/scopes', { headers: { cookie: `session=${'0'.repeat(64)}` } })).status).toBe(200)
    expect((await get('/v1/me', { headers: { cookie: `session=${'0'.repeat(64)}` } })).status).toBe(401)
  })

  test('of an ended session counts as anonymous, and each use extends the session', async () => {
    const user = await makeUser()
    const ended = await makeSession(user.id)
    await db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(sessions.userId, user.id))
    expect((await get('/v1/me', { session: ended })).status).toBe(401)

    const other = await makeUser()
    const session = await makeSession(other.id)
    const soon = new Date(Date.now() + 60_000)
    await db
      .update(sessions)
      .set({ expiresAt: soon, lastSeenAt: new Date(Date.now() - 120_000) })
      .where(eq(sessions.userId, other.id))
    expect((await get('/v1/me', { session })).status).toBe(200)
    await (await import('@/auth/last-used')).flushLastUsed()
    const [row] = await db.select().from(sessions).where(eq(sessions.userId, other.id))
    expect(row?.expiresAt.getTime()).toBeGreaterThan(soon.getTime() + 86_400_000)
  })

  test('needs a same-origin page for a write', async () => {
    const session = await makeSession((await makeUser()).id)
    const write = (headers: Record<string, string>) =>
      post('/v1/profile/tokens', { json: TOKEN, headers: { cookie: `session=${session}`, ...headers } })
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ]
    for (const headers of foreign) {
      const { status, body } = await write(headers)
      expect([headers, status, body.code]).toEqual([headers, 403, 'forbidden'])
    }
    const ours: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://app.folkmoot.example' },
      { origin: 'http://localhost' },
    ]
    for (const headers of ours) expect([headers, (await write(headers)).status]).toEqual([headers, 201])
    expect(
      (await get('/v1/me', { headers: { cookie: `session=${session}`, 'sec-fetch-site': 'cross-site' } }))
        .status,
    ).toBe(200)
  })

  test('needs a same-origin page for every method that changes something', async () => {
    const session = await makeSession((await makeUser()).id)
    const path = `/v1/profile/tokens/${Bun.randomUUIDv7()}`
    const foreign = { headers: { cookie: `session=${session}`, 'sec-fetch-site': 'cross-site' } }
    expect((await del(path, foreign)).body.code).toBe('forbidden')
    expect((await patch('/v1/profile', { ...foreign, json: { bio: 'x' } })).body.code).toBe('forbidden')
    expect((await del(path, { session })).body.code).toBe('not_found')
    expect((await patch('/v1/profile', { session, json: { bio: 'x' } })).status).toBe(200)
  })

  test('of a session that ended before its use was recorded stays invalid', async () => {
    const user = await makeUser()
    const session = await makeSession(user.id)
    const mine = eq(sessions.userId, user.id)
    await db
      .update(sessions)
      .set({ lastSeenAt: new Date(Date.now() - 120_000) })
      .where(mine)
    expect((await get('/v1/me', { session })).status).toBe(200)
    const ended = new Date(Date.now() - 1000)
    await db.update(sessions).set({ expiresAt: ended }).where(mine)
    await (await import('@/auth/last-used')).flushLastUsed()
    expect((await db.select().from(sessions).where(mine))[0]?.expiresAt).toEqual(ended)
  })

  test('is refused with forms and other content types', async () => {
    const session = await makeSession((await makeUser()).id)
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/jsonx',
      'application/json; charset=utf-16',
      '',
    ])
      expect([
        type,
        (
          await post('/v1/profile/tokens', {
            session,
            body: JSON.stringify(TOKEN),
            headers: { 'content-type': type },
          })
        ).body.code,
      ]).toEqual([type, 'bad_request'])
    expect(
      (
        await post('/v1/profile/tokens', {
          session,
          body: JSON.stringify(TOKEN),
          headers: { 'content-type': 'application/json; charset=UTF-8' },
        })
      ).status,
    ).toBe(201)
  })
})

describe('administrators', () => {
  test('a token has admin only while its owner is an administrator', async () => {
    const admin = await makeUser({ role: 'admin' })
    const demoted = await makeUser()
    const [held, lost] = [
      await makeToken(admin.id, ['admin']),
      await makeToken(demoted.id, ['admin', 'read:user']),
    ]
    expect((await get('/v1/profile/tokens', { token: held.token })).status).toBe(200)
    expect((await get('/v1/profile/tokens', { token: lost.token })).status).toBe(403)
    expect((await get('/v1/me', { token: lost.token })).status).toBe(200)
  })
})

test('any origin may call without credentials; only configured ones with credentials', async () => {
  const preflight = await fetch(`${apiUrl()}/v1/me`, {
    method: 'OPTIONS',
    headers: { origin: 'https://anyone.example', 'access-control-request-method': 'GET' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
  const strange = await get('/v1/scopes', { headers: { origin: 'https://anyone.example' } })
  expect(strange.headers.get('access-control-allow-origin')).toBe('*')
  expect(strange.headers.get('access-control-allow-credentials')).toBeNull()
  expect(strange.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
  const ours = await get('/v1/scopes', { headers: { origin: 'https://app.folkmoot.example' } })
  expect(ours.headers.get('access-control-allow-origin')).toBe('https://app.folkmoot.example')
  expect(ours.headers.get('access-control-allow-credentials')).toBe('true')
  expect(ours.headers.get('vary')).toBe('Origin')
})
