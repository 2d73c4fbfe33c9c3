import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { isCheckedSecret } from '@/core/codes'
import { db } from '@/db/client'
import { personalTokens } from '@/db/tables/credentials'
import { outbox } from '@/db/tables/outbox'
import { del, get, post } from '../../../support/api'
import { makeCaller, makeSession, makeToken, makeUser } from '../../../support/make'

const create = (json: unknown, token: string) => post('/v1/profile/tokens', { token, json })

test('a created token works at once, is shown once and is kept only as a hash', async () => {
  const { user, token } = await makeCaller()
  const { status, body, headers } = await create(
    { name: ' My script ', scopes: ['read:user'], expiresInDays: 30 },
    token,
  )
  expect(status).toBe(201)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(Object.keys(body.data).sort()).toEqual([
    'createdAt',
    'expiresAt',
    'id',
    'name',
    'scopes',
    'token',
    'tokenPrefix',
  ])
  expect(body.data).toMatchObject({ name: 'My script', scopes: 'read:user' })
  expect(isCheckedSecret('fm_pat_', body.data.token)).toBe(true)
  expect(body.data.token.startsWith(body.data.tokenPrefix)).toBe(true)
  expect(body.data.tokenPrefix).toHaveLength(15)
  expect((await get('/v1/me', { token: body.data.token })).body.data.id).toBe(user.id)
  const listed = await get('/v1/profile/tokens', { token })
  expect(listed.text).not.toContain(body.data.token)
})

test('a token makes only tokens with fewer or the same scopes that end with it', async () => {
  const user = await makeUser()
  const expiresAt = new Date(Date.now() + 5 * 86_400_000)
  const maker = await makeToken(user.id, ['user', 'read:events'], { expiresAt })
  expect((await create({ name: 'more', scopes: ['manage:events'] }, maker.token)).body.code).toBe('forbidden')
  expect((await create({ name: 'admin', scopes: ['admin'] }, maker.token)).status).toBe(403)
  const child = (await create({ name: 'child', scopes: ['user'], expiresInDays: 300 }, maker.token)).body.data
  expect(child.expiresAt).toBe(expiresAt.toISOString())
  expect((await get('/v1/me', { token: child.token })).status).toBe(200)
  expect((await del(`/v1/profile/tokens/${maker.id}`, { token: child.token })).status).toBe(204)
  expect((await get('/v1/me', { token: child.token })).status).toBe(401)
  expect((await get('/v1/me', { token: maker.token })).status).toBe(401)
})

test('a session makes any token its user may hold', async () => {
  const [user, admin] = [await makeUser(), await makeUser({ role: 'admin' })]
  const ask = async (userId: string, scopes: string[]) =>
    (await post('/v1/profile/tokens', { session: await makeSession(userId), json: { name: 'x', scopes } }))
      .status
  expect(await ask(user.id, ['manage:events', 'developer'])).toBe(201)
  expect(await ask(user.id, ['admin'])).toBe(403)
  expect(await ask(admin.id, ['admin'])).toBe(201)
})

test('unknown scopes and bad fields are refused with the name of the field', async () => {
  const { token } = await makeCaller()
  const refusals: [unknown, RegExp][] = [
    [{ name: 'x', scopes: ['nonsense'] }, /^scopes must be names from/],
    [{ name: 'x', scopes: [] }, /^scopes must be a list/],
    [{ scopes: ['user'] }, /^name is required/],
    [{ name: '  ', scopes: ['user'] }, /^name must be 1 to 100 characters/],
    [{ name: '😀'.repeat(101), scopes: ['user'] }, /^name must be 1 to 100/],
    [
      { name: 'x', scopes: ['user'], expiresInDays: 366 },
      /^expiresInDays must be a whole number from 1 to 365/,
    ],
    [{ name: 'x', scopes: ['user'], expiresInDays: '5' }, /^expiresInDays must be/],
  ]
  for (const [json, message] of refusals) {
    const { status, body } = await create(json, token)
    expect([status, body.code]).toEqual([400, 'validation_error'])
    expect(body.error).toMatch(message)
  }
  expect((await create({ name: '😀'.repeat(100), scopes: ['user'] }, token)).status).toBe(201)
})

test('fields that a caller must not set are ignored', async () => {
  const [other, { user, token }] = [await makeUser(), await makeCaller()]
  const { body } = await create(
    { name: 'x', scopes: ['read:user'], id: 'mine', userId: other.id, hash: 'x', role: 'admin' },
    token,
  )
  expect(body.data.id).not.toBe('mine')
  expect((await get('/v1/me', { token: body.data.token })).body.data.id).toBe(user.id)
})

test('an expired, revoked or suspended token is 401', async () => {
  const user = await makeUser()
  const expired = await makeToken(user.id, ['user'], { expiresAt: new Date(Date.now() - 1000) })
  expect((await get('/v1/me', { token: expired.token })).status).toBe(401)
  const suspended = await makeCaller(['user'], { suspendedAt: new Date() })
  const answer = await get('/v1/me', { token: suspended.token })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toStartWith('Bearer error="invalid_token", ')
})

test("someone else's token is the same 404 as one that does not exist", async () => {
  const [mine, theirs] = [await makeCaller(), await makeCaller()]
  const foreign = await del(`/v1/profile/tokens/${theirs.id}`, { token: mine.token })
  const missing = await del(`/v1/profile/tokens/${Bun.randomUUIDv7()}`, { token: mine.token })
  expect(foreign.status).toBe(404)
  expect(foreign.text).toBe(missing.text)
  expect((await get('/v1/me', { token: theirs.token })).status).toBe(200)
})

test('creating and revoking are domain events in the outbox', async () => {
  const { user, token } = await makeCaller()
  const made = (await create({ name: 'fact', scopes: ['read:user'] }, token)).body.data
  await del(`/v1/profile/tokens/${made.id}`, { token })
  const domainEvents = await db.select().from(outbox).orderBy(outbox.id)
  const mine = domainEvents.filter(({ payload }) => (payload as { tokenId: string }).tokenId === made.id)
  expect(mine.map(({ type, payload }) => ({ type, payload }))).toEqual([
    { type: 'token.created', payload: { name: 'fact', tokenId: made.id, userId: user.id } },
    { type: 'token.revoked', payload: { tokenId: made.id, userId: user.id } },
  ])
  expect(JSON.stringify(mine)).not.toContain(made.token)
})

test('the list pages by cursor without gaps or repeats, in both directions', async () => {
  const { user, token } = await makeCaller()
  for (let i = 0; i < 6; i += 1) await makeToken(user.id, ['read:user'], { name: `t${i}` })
  const seen: string[] = []
  let cursor = ''
  let previous = ''
  do {
    const { body } = await get(`/v1/profile/tokens?limit=3${cursor && `&cursor=${cursor}`}`, { token })
    seen.push(...body.data.map((row: { id: string }) => row.id))
    expect(body.pagination.hasMore).toBe(body.pagination.nextCursor !== undefined)
    cursor = body.pagination.nextCursor ?? ''
    previous = body.pagination.prevCursor ?? previous
    // A row that is inserted meanwhile belongs before the first page and moves nothing.
    await makeToken(user.id, ['read:user'])
  } while (cursor)
  expect(seen).toHaveLength(7)
  expect(new Set(seen).size).toBe(7)
  const back = await get(`/v1/profile/tokens?limit=3&before=${previous}`, { token })
  expect(back.body.data.map((row: { id: string }) => row.id)).toEqual(seen.slice(3, 6))
})

test('a cursor that was altered, or belongs to another list, is 400', async () => {
  const [mine, theirs] = [await makeCaller(), await makeCaller()]
  for (let i = 0; i < 3; i += 1) await makeToken(theirs.user.id, ['read:user'])
  const cursor = (await get('/v1/profile/tokens?limit=1', { token: theirs.token })).body.pagination.nextCursor
  for (const bad of [cursor, `${cursor}x`, cursor.slice(1), 'x', `${'a'.repeat(400)}.b`])
    expect((await get(`/v1/profile/tokens?cursor=${bad}`, { token: mine.token })).body.code).toBe(
      'bad_request',
    )
})

test('limit and offset are held to their bounds', async () => {
  const { token } = await makeCaller()
  for (const bad of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e2',
    'limit=0x10',
    'limit=NaN',
    'limit=%EF%BC%99',
    'limit=1&limit=2',
    'offset=-1',
    'offset=1e18',
    'limit=',
  ])
    expect([bad, (await get(`/v1/profile/tokens?${bad}`, { token })).status]).toEqual([bad, 400])
  const { body } = await get('/v1/profile/tokens?limit=100&offset=1', { token })
  expect(body.data).toEqual([])
  expect(body.pagination).toMatchObject({ limit: 100, offset: 1, total: 1, hasMore: false })
})

test('an offset skips 10,000 items, and a cursor goes on from there', async () => {
  const { user, token } = await makeCaller(['user', 'read:portfolio'])
  await db.execute(sql`insert into portfolio_items (id, user_id, title, sort_order)
    select uuidv7(), ${user.id}, 'Thing ' || n, n from generate_series(1, 10003) n`)
  const list = (query: string) => get(`/v1/profile/portfolio?limit=2&${query}`, { token })
  const last = await list('offset=10000')
  expect(last.body.data.map(({ title }: { title: string }) => title)).toEqual(['Thing 10001', 'Thing 10002'])
  const next = await list(`cursor=${last.body.pagination.nextCursor}`)
  expect(next.body.data.map(({ title }: { title: string }) => title)).toEqual(['Thing 10003'])
  const beyond = await list('offset=10001')
  expect([beyond.status, beyond.body]).toEqual([
    400,
    { error: 'You cannot skip that far in this list: go page by page', code: 'bad_request' },
  ])
  const short = await get('/v1/profile/tokens?offset=2000000000', { token })
  expect([short.status, short.body]).toEqual([
    200,
    { data: [], pagination: { limit: 20, hasMore: false, total: 1, offset: 2_000_000_000 } },
  ])
})

test('the last use of a token is noted, without a write per request', async () => {
  const { id, token } = await makeCaller()
  const { flushLastUsed } = await import('@/auth/last-used')
  await get('/v1/me', { token })
  await flushLastUsed()
  const [first] = await db.select().from(personalTokens).where(eq(personalTokens.id, id))
  expect(first?.lastUsedAt).not.toBeNull()
  await get('/v1/me', { token })
  await flushLastUsed()
  const [second] = await db.select().from(personalTokens).where(eq(personalTokens.id, id))
  expect(second?.lastUsedAt).toEqual(first?.lastUsedAt as Date)
})
