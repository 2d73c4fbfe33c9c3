import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { flushLastUsed } from '@/auth/last-used'
import { advanceClock } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { db } from '@/db/client'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'
import { call, del, get, patch, post } from '../../../support/api'
import { makeCaller, makeSession, makeToken, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { askRefresh, makeClient, makeCode, makeTokens } from './fixtures'

const me = async (token: string) => (await get('/v1/me', { token })).status

describe('an access token', () => {
  test('opens what its scopes say and nothing else', async () => {
    const { access, user } = await makeTokens(await makeClient(), { scope: 'read:user' })
    const { status, body } = await get('/v1/me', { token: access })
    expect([status, body.data.id, 'email' in body.data]).toEqual([200, user?.id, false])
    const refused = await get('/v1/events', { token: access })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="read:events"',
    )
    const wider = await makeTokens(await makeClient(), { scope: 'user' })
    expect((await get('/v1/me', { token: wider.access })).body.data.email).toBe(wider.user?.email)
  })

  test('lives for an hour', async () => {
    const { access } = await makeTokens(await makeClient())
    expect(await me(access)).toBe(200)
    advanceClock(3_599_000)
    expect(await me(access)).toBe(200)
    advanceClock(2_000)
    expect(await me(access)).toBe(401)
    advanceClock(-3_601_000)
  })

  test('is cached like a personal token: no statement for a person who is known', async () => {
    const { access } = await makeTokens(await makeClient())
    const { token } = await makeCaller()
    for (const shown of [access, token]) {
      await me(shown)
      expect(await statementsOf(() => me(shown))).toBe(0)
    }
  })

  test('that was invented is refused without a question to the database', async () => {
    const invented = (i: number) => `fm_at_${'0123456789abcdef'.repeat(2)}${i.toString(16).padStart(8, '0')}`
    const cost = await statementsOf(async () => {
      for (let i = 0; i < 50; i += 1) expect(await me(invented(i))).toBe(401)
    })
    expect(cost).toBe(0)
    expect(await me(checkedSecret('fm_at_'))).toBe(401)
  })

  test('is the only thing of ours that an application can show', async () => {
    const client = await makeClient()
    const { refresh, code } = await makeTokens(client)
    const unused = await makeCode(client)
    for (const shown of [refresh, code, unused.code, client.secret, client.clientId])
      expect([shown.slice(0, 6), await me(shown)]).toEqual([shown.slice(0, 6), 401])
  })

  test('makes no personal tokens, and needs a session where one is wanted', async () => {
    const { access } = await makeTokens(await makeClient(), { scope: 'user' })
    const made = await post('/v1/profile/tokens', {
      token: access,
      json: { name: 'x', scopes: ['read:user'] },
    })
    expect([made.status, made.body.code]).toEqual([403, 'forbidden'])
    expect((await get('/v1/profile/sessions', { token: access })).status).toBe(403)
  })

  test('carries admin only while its person is an administrator', async () => {
    const [admin, other] = [await makeUser({ role: 'admin' }), await makeCaller(['admin'], { role: 'admin' })]
    const { access } = await makeTokens(await makeClient(), {
      scope: 'admin',
      session: await makeSession(admin.id),
    })
    const ask = async () => (await get('/v1/admin/users', { token: access })).status
    expect(await ask()).toBe(200)
    const demoted = await patch(`/v1/admin/users/${admin.id}`, { token: other.token, json: { role: 'user' } })
    expect(demoted.status).toBe(200)
    expect(await ask()).toBe(403)
  })

  test('shares the budget of its person', async () => {
    const { access, user } = await makeTokens(await makeClient())
    const { token } = await makeToken(user?.id as string, ['read:user'])
    const left = async (shown: string) =>
      Number((await get('/v1/me', { token: shown })).headers.get('x-ratelimit-remaining'))
    const first = await left(access)
    expect(await left(token)).toBe(first - 1)
  })
})

describe('an access token dies at once', () => {
  test('with its application', async () => {
    const owner = await makeCaller(['developer'])
    const client = await makeClient({ ownerId: owner.user.id })
    const { access, refresh } = await makeTokens(client)
    expect(await me(access)).toBe(200)
    const deleted = await del(`/v1/developer/apps/${client.clientId}`, { token: owner.token })
    expect(deleted.status).toBe(200)
    expect(await me(access)).toBe(401)
    expect((await askRefresh(client, refresh)).body.error).toBe('invalid_client')
  })

  test('with the account of the developer', async () => {
    const owner = await makeUser()
    const client = await makeClient({ ownerId: owner.id })
    const { access } = await makeTokens(client)
    expect(await me(access)).toBe(200)
    const gone = await call('DELETE', `/v1/profile?confirm=${owner.username}`, {
      session: await makeSession(owner.id),
    })
    expect(gone.status).toBe(200)
    expect(await me(access)).toBe(401)
  })

  test('when its person is suspended, and stays dead when they are let back in', async () => {
    const admin = await makeCaller(['admin'], { role: 'admin' })
    const client = await makeClient()
    const { access, refresh, user } = await makeTokens(client)
    expect(await me(access)).toBe(200)
    const suspend = (suspended: boolean) =>
      patch(`/v1/admin/users/${user?.id}`, { token: admin.token, json: { suspended } })
    expect((await suspend(true)).status).toBe(200)
    expect(await me(access)).toBe(401)
    expect((await askRefresh(client, refresh)).body.error).toBe('invalid_grant')
    expect((await suspend(false)).status).toBe(200)
    expect(await me(access)).toBe(401)
    expect((await askRefresh(client, refresh)).body.error).toBe('invalid_grant')
  })

  test('with the account of its person', async () => {
    const { access, user, session } = await makeTokens(await makeClient())
    expect(await me(access)).toBe(200)
    expect((await call('DELETE', `/v1/profile?confirm=${user?.username}`, { session })).status).toBe(200)
    expect(await me(access)).toBe(401)
  })

  test('control: a row that vanishes without a domain event is still cached, so it is the domain event that ends it', async () => {
    const client = await makeClient()
    const { access } = await makeTokens(client)
    expect(await me(access)).toBe(200)
    await db.delete(oauthClients).where(eq(oauthClients.clientId, client.clientId))
    expect(await me(access)).toBe(200)
  })
})

test('a use is written down with the grant, some seconds later and at most once a minute', async () => {
  const { access, user } = await makeTokens(await makeClient())
  const lastUsed = async () =>
    (
      await db
        .select()
        .from(oauthGrants)
        .where(eq(oauthGrants.userId, user?.id as string))
    )[0]?.lastUsedAt
  expect(await lastUsed()).toBeNull()
  await me(access)
  await flushLastUsed()
  const first = await lastUsed()
  expect(first).toBeInstanceOf(Date)
  await me(access)
  await flushLastUsed()
  expect(await lastUsed()).toEqual(first as Date)
  advanceClock(61_000)
  await me(access)
  await flushLastUsed()
  advanceClock(-61_000)
  expect((await lastUsed())?.getTime()).toBeGreaterThan((first as Date).getTime() + 60_000)
})
