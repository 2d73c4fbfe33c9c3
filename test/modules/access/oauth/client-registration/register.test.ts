import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { ago, DAY_MS } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { removeUnusedClients } from '@/modules/access/oauth/area'
import { call, post } from '../../../../support/api'

const REGISTER = '/oauth/register'
/** One that named no scope of ours may ask for anything, and is not told otherwise. */
const NO_SCOPE = expect.not.objectContaining({ scope: expect.anything() })

const MINIMAL = { redirect_uris: ['https://app.example.org/cb'] }

const register = (json: unknown, headers?: Record<string, string>) => post(REGISTER, { json, headers })

const rowOf = async (clientId: string) =>
  (await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId)))[0]

describe('an application registers itself', () => {
  test('with only its redirect URIs, and the response lists all defaults', async () => {
    const { status, body, headers } = await register(MINIMAL)
    expect(status).toBe(201)
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-ratelimit-limit')).not.toBeNull()
    const { client_id, client_secret, client_id_issued_at, ...rest } = body
    expect(client_id).toMatch(/^fm_app_[0-9a-f]{32}$/)
    expect(client_secret).toMatch(/^fm_cs_[0-9a-f]{64}$/)
    expect(Math.abs(client_id_issued_at - Date.now() / 1000)).toBeLessThan(60)
    expect(rest).toEqual({
      client_secret_expires_at: 0,
      redirect_uris: ['https://app.example.org/cb'],
      client_name: 'Unnamed app',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
    const row = await rowOf(client_id)
    expect(row).toMatchObject({ ownerId: null, scopes: null, lastUsedAt: null })
    expect(Buffer.from(row?.secretHash as Uint8Array)).toEqual(Buffer.from(hashSecret(client_secret)))
  })

  test('with all that it has to say', async () => {
    const said = {
      redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb', 'https://App.example.org/CB'],
      client_name: ' Émile’s app ',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['refresh_token', 'authorization_code'],
      response_types: ['code'],
      scope: 'read:user write:events',
      client_uri: 'https://app.example.org/',
      logo_uri: 'https://app.example.org/logo.png',
      policy_uri: 'https://app.example.org/policy',
      tos_uri: 'https://app.example.org/tos',
    }
    const { status, body } = await register({
      ...said,
      contacts: ['me@example.org'],
      software_id: 'x',
      'client_name#de': 'App',
      jwks: { keys: [] },
    })
    expect(status).toBe(201)
    const { client_id, client_secret, client_id_issued_at, ...rest } = body
    expect(rest).toEqual({
      ...said,
      client_name: 'Émile’s app',
      grant_types: ['authorization_code', 'refresh_token'],
      client_secret_expires_at: 0,
    })
    expect(await rowOf(client_id)).toMatchObject({
      name: 'Émile’s app',
      redirectUris: said.redirect_uris,
      website: said.client_uri,
      logoUri: said.logo_uri,
      policyUri: said.policy_uri,
      tosUri: said.tos_uri,
      authMethod: 'client_secret_post',
      scopes: ['read:user', 'write:events'],
    })
  })

  test('as a public client, without a secret and without a word about one', async () => {
    const { body } = await register({ ...MINIMAL, token_endpoint_auth_method: 'none' })
    expect(Object.keys(body)).not.toContain('client_secret')
    expect(Object.keys(body)).not.toContain('client_secret_expires_at')
    expect(await rowOf(body.client_id)).toMatchObject({ authMethod: 'none', secretHash: null })
  })

  test('null counts as not said', async () => {
    const { status, body } = await register({
      ...MINIMAL,
      client_name: null,
      scope: null,
      client_uri: null,
      grant_types: null,
    })
    expect([status, body.client_name]).toEqual([201, 'Unnamed app'])
  })

  test('keeps only our scopes, and the response lists them', async () => {
    const { body } = await register({ ...MINIMAL, scope: 'openid read:user  profile read:user' })
    expect(body.scope).toBe('read:user')
    expect((await rowOf(body.client_id))?.scopes).toEqual(['read:user'])
    for (const scope of ['openid profile', ''])
      expect(await register({ ...MINIMAL, scope })).toMatchObject({ status: 201, body: NO_SCOPE })
  })

  test('from a page of any origin', async () => {
    const origin = 'https://inspector.example'
    const preflight = await call('OPTIONS', REGISTER, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(preflight.status).toBeLessThan(300)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type')
    const { status, headers } = await register(MINIMAL, { origin })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([201, '*'])
  })

  test('ignoring any credential it sends', async () => {
    for (const authorization of ['Bearer nonsense', 'Basic eDp5'])
      expect((await register(MINIMAL, { authorization })).status).toBe(201)
  })
})

describe('ten different applications an hour for each address', () => {
  const named = (name: string, more = {}) => ({ ...MINIMAL, client_name: name, ...more })

  test('and no more, good or bad', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.77' }
    const statuses: number[] = []
    for (let i = 0; i < 10; i += 1)
      statuses.push((await register(i % 2 ? named(randomHex(8)) : { redirect_uris: [] }, headers)).status)
    expect(new Set(statuses)).toEqual(new Set([201, 400]))
    for (const last of [named(randomHex(8)), { redirect_uris: [] }]) {
      const refused = await register(last, headers)
      expect(refused.status).toBe(429)
      expect(refused.body).toEqual({
        error: 'temporarily_unavailable',
        error_description: expect.stringMatching(/^Too many requests/),
      })
      expect(refused.headers.get('cache-control')).toBe('no-store')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
      expect(refused.headers.get('x-ratelimit-limit')).toBe('10')
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    }
    expect((await register(named(randomHex(8)))).status).toBe(201)
  })

  test('do not stop an agent that is hosted for many people: a public one is the same each time', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.78' }
    const agent = named(randomHex(8), {
      token_endpoint_auth_method: 'none',
      client_uri: 'https://agent.example/',
      scope: 'read:user openid',
    })
    const first = await register(agent, headers)
    expect(first.status).toBe(201)
    for (let i = 0; i < 40; i += 1) {
      const again = await register({ ...agent, software_version: String(i) }, headers)
      expect([again.status, again.body]).toEqual([201, first.body])
    }
    // Nor does one that other applications at its address have used up.
    for (let i = 0; i < 12; i += 1) await register(named(randomHex(8)), headers)
    expect((await register(named(randomHex(8)), headers)).status).toBe(429)
    expect((await register(agent, headers)).body).toEqual(first.body)
    expect((await register(agent)).body).toEqual(first.body)
    // Whoever says anything else is somebody else.
    for (const other of [
      { client_name: `${agent.client_name} x` },
      { redirect_uris: ['https://app.example.org/cb2'] },
      { scope: 'read:user read:events' },
      { client_uri: 'https://agent.example/other' },
      { token_endpoint_auth_method: 'client_secret_post' },
    ]) {
      const { status, body } = await register({ ...agent, ...other })
      expect([status, body.client_id === first.body.client_id]).toEqual([201, false])
    }
  })

  test('nor one that keeps a secret: each time it gets another, three hundred an hour', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.79' }
    const agent = named(randomHex(8))
    const made = [await register(agent, headers)]
    for (let i = 0; i < 300; i += 1) made.push(await register(agent, headers))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(made.map(({ body }) => body.client_id)).size).toBe(301)
    expect(new Set(made.map(({ body }) => body.client_secret)).size).toBe(301)
    const refused = await register(agent, headers)
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '300'])
  })

  test('public ones that come at the same moment are one', async () => {
    const agent = named(randomHex(8), { token_endpoint_auth_method: 'none' })
    const made = await Promise.all(Array.from({ length: 20 }, () => register(agent)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(made.map(({ body }) => body.client_id)).size).toBe(1)
  })

  test('one that is registered again is not removed for want of use', async () => {
    const agent = named(randomHex(8), { token_endpoint_auth_method: 'none' })
    const { client_id } = (await register(agent)).body
    const long = new Date(Date.now() - 40 * 86_400_000)
    await db.update(oauthClients).set({ createdAt: long }).where(eq(oauthClients.clientId, client_id))
    expect((await register(agent)).body.client_id).toBe(client_id)
    await removeUnusedClients(ago(30 * DAY_MS))
    expect(await rowOf(client_id)).toBeDefined()
    // Control: had it not come again, it would be gone.
    await db.update(oauthClients).set({ lastUsedAt: long }).where(eq(oauthClients.clientId, client_id))
    await removeUnusedClients(ago(30 * DAY_MS))
    expect(await rowOf(client_id)).toBeUndefined()
    const anew = await register(agent)
    expect([anew.status, anew.body.client_id === client_id]).toEqual([201, false])
  })
})
