import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { advanceClock } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { call, get, post } from '../../../support/api'
import { makeCaller } from '../../../support/make'
import {
  asClient,
  askRefresh,
  form,
  type MadeClient,
  makeClient,
  makePublicClient,
  makeTokens,
} from './fixtures'

const revoke = (client: MadeClient, token: string, more: Record<string, string> = {}) =>
  post('/oauth/revoke', asClient(client, { token, ...more }))

const introspect = async (client: MadeClient, token: string, more: Record<string, string> = {}) =>
  post('/oauth/introspect', asClient(client, { token, ...more }))

const me = async (token: string) => (await get('/v1/me', { token })).status

describe('revocation', () => {
  test('of a refresh token revokes its whole family', async () => {
    for (const client of [await makeClient(), await makePublicClient()]) {
      const first = await makeTokens(client)
      const second = (await askRefresh(client, first.refresh)).body
      const answer = await revoke(client, second.refresh_token)
      expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([
        200,
        '{}',
        'no-store',
      ])
      expect([await me(first.access), await me(second.access_token)]).toEqual([401, 401])
      expect((await askRefresh(client, second.refresh_token)).body.error).toBe('invalid_grant')
    }
  })

  test('of a refresh token that was replaced ends the family too', async () => {
    const client = await makeClient()
    const { refresh } = await makeTokens(client)
    const next = (await askRefresh(client, refresh)).body
    expect((await revoke(client, refresh)).status).toBe(200)
    expect(await me(next.access_token)).toBe(401)
  })

  test('of an access token ends that alone', async () => {
    const client = await makeClient()
    const { access, refresh } = await makeTokens(client)
    expect(await me(access)).toBe(200)
    expect((await revoke(client, access)).status).toBe(200)
    expect(await me(access)).toBe(401)
    expect((await askRefresh(client, refresh)).status).toBe(200)
  })

  test('leaves other consents alone, of the same person and client too', async () => {
    const client = await makeClient()
    const one = await makeTokens(client)
    const two = await makeTokens(client, { session: one.session })
    await revoke(client, one.refresh)
    expect([await me(one.access), await me(two.access)]).toEqual([401, 200])
  })

  test('says 200 to what is unknown, mistyped, misnamed or of another client, and does nothing', async () => {
    const [client, other] = [await makeClient(), await makeClient()]
    const { access, refresh } = await makeTokens(client)
    const { token } = await makeCaller()
    for (const foreign of [access, refresh]) expect((await revoke(other, foreign)).status).toBe(200)
    for (const unknown of [checkedSecret('fm_at_'), checkedSecret('fm_rt_'), 'x', '\u0000', token])
      expect((await revoke(client, unknown)).status).toBe(200)
    expect([await me(access), await me(token)]).toEqual([200, 200])
    expect((await askRefresh(client, refresh)).status).toBe(200)
    expect((await revoke(client, access, { token_type_hint: 'refresh_token' })).status).toBe(200)
    expect(await me(access)).toBe(401)
    expect((await revoke(client, access, { token_type_hint: 'nonsense' })).status).toBe(200)
  })

  test('needs a client and a token, in the body', async () => {
    const client = await makeClient()
    const { access } = await makeTokens(client)
    expect((await post('/oauth/revoke', form({ token: access }))).body.error).toBe('invalid_client')
    expect((await post('/oauth/revoke', asClient(client, {}))).body.error).toBe('invalid_request')
    const inQuery = await post(`/oauth/revoke?token=${access}`, asClient(client, {}))
    expect([inQuery.status, inQuery.body.error]).toEqual([400, 'invalid_request'])
    expect(await me(access)).toBe(200)
  })
})

describe('introspection', () => {
  test('describes a living token to the client that holds it', async () => {
    const client = await makeClient()
    const { access, refresh, user } = await makeTokens(client, { scope: 'user read:events' })
    const { status, body, headers } = await introspect(client, access)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      active: true,
      scope: 'user read:events',
      client_id: client.clientId,
      username: user?.username,
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub: user?.id,
      aud: ['http://localhost', 'http://localhost/mcp'],
      iss: 'http://localhost',
    })
    expect(body.exp - body.iat).toBe(3600)
    const bound = await makeTokens(client, { resource: 'http://localhost/mcp' })
    expect((await introspect(client, bound.access)).body.aud).toBe('http://localhost/mcp')
    expect(Math.abs(body.iat - Date.now() / 1000)).toBeLessThan(60)
    const longer = (await introspect(client, refresh, { token_type_hint: 'access_token' })).body
    expect([longer.active, longer.token_type, longer.exp - longer.iat]).toEqual([
      true,
      'refresh_token',
      60 * 86_400,
    ])
  })

  test('says nothing but that it is not active of what is dead, foreign or none', async () => {
    const [client, other] = [await makeClient(), await makeClient()]
    const living = await makeTokens(client)
    const replaced = await makeTokens(client)
    await askRefresh(client, replaced.refresh)
    const revoked = await makeTokens(client)
    await revoke(client, revoked.refresh)
    const suspended = await makeTokens(client)
    await db
      .update(users)
      .set({ suspendedAt: new Date() })
      .where(eq(users.id, suspended.user?.id as string))
    const { token } = await makeCaller()
    const cases: [MadeClient, string][] = [
      [other, living.access],
      [other, living.refresh],
      [client, replaced.refresh],
      [client, revoked.access],
      [client, revoked.refresh],
      [client, suspended.access],
      [client, suspended.refresh],
      [client, token],
      [client, living.session],
      [client, checkedSecret('fm_at_')],
      [client, 'x'],
    ]
    for (const [asking, asked] of cases)
      expect((await introspect(asking, asked)).body).toEqual({ active: false })
    advanceClock(3_600_001)
    expect((await introspect(client, living.access)).body).toEqual({ active: false })
    advanceClock(-3_600_001)
    expect((await introspect(client, living.access)).body.active).toBe(true)
  })

  test('needs a client and a token, in the body', async () => {
    const client = await makeClient()
    const { access } = await makeTokens(client)
    expect((await post('/oauth/introspect', form({ token: access }))).body.error).toBe('invalid_client')
    expect((await post('/oauth/introspect', asClient(client, {}))).body.error).toBe('invalid_request')
    expect((await post(`/oauth/introspect?token=${access}`, asClient(client, {}))).body.error).toBe(
      'invalid_request',
    )
  })
})

test('both answer JSON, to pages of every origin', async () => {
  const client = await makePublicClient()
  const { access } = await makeTokens(client)
  for (const path of ['/oauth/introspect', '/oauth/revoke']) {
    const preflight = await call('OPTIONS', path, {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect([path, preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      path,
      204,
      '*',
    ])
    for (const asked of [asClient(client, { token: access }), form({})]) {
      const { headers } = await post(path, {
        ...asked,
        headers: { ...asked.headers, origin: 'https://app.example' },
      })
      expect([path, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
        path,
        'application/json; charset=utf-8',
        '*',
      ])
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  }
})
