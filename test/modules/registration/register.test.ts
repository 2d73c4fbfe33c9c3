import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { hashSecret } from '@/auth/hashing'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { call, post } from '../../support/api'

const REGISTER = '/oauth/register'
const MINIMAL = { redirect_uris: ['https://app.example.org/cb'] }

const register = (json: unknown, headers?: Record<string, string>) => post(REGISTER, { json, headers })

const rowOf = async (clientId: string) =>
  (await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId)))[0]

describe('an application registers itself', () => {
  test('with its redirect URIs alone, and is told everything that was assumed', async () => {
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

  test('is held to the scopes that are ours, and told which those are', async () => {
    const { body } = await register({ ...MINIMAL, scope: 'openid read:user  profile read:user' })
    expect(body.scope).toBe('read:user')
    expect((await rowOf(body.client_id))?.scopes).toEqual(['read:user'])
    const nothing = await register({ ...MINIMAL, scope: 'openid profile' })
    expect([nothing.status, nothing.body.error]).toEqual([400, 'invalid_client_metadata'])
    expect((await register({ ...MINIMAL, scope: '' })).body.scope).toBeUndefined()
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

  test('whatever credential it happens to send', async () => {
    for (const authorization of ['Bearer nonsense', 'Basic eDp5'])
      expect((await register(MINIMAL, { authorization })).status).toBe(201)
  })
})

describe('ten an hour for each address', () => {
  test('and no more, good or bad', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.77' }
    const statuses: number[] = []
    for (let i = 0; i < 10; i += 1)
      statuses.push((await register(i % 2 ? MINIMAL : { redirect_uris: [] }, headers)).status)
    expect(new Set(statuses)).toEqual(new Set([201, 400]))
    const refused = await register(MINIMAL, headers)
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(/^Too many requests/),
    })
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(refused.headers.get('x-ratelimit-limit')).toBe('10')
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    expect((await register(MINIMAL)).status).toBe(201)
  })
})
