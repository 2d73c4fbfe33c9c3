import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { hashSecret } from '@/auth/secrets'
import { db } from '@/db/client'
import { oauthCodes } from '@/db/tables/oauth'
import { del, get, post } from '../support/api'
import { makeCaller, makeToken } from '../support/make'
import { type ServerProcess, until } from '../support/processes'
import { makeReader, startOwnServer } from './fixtures'

const REDIRECT = 'http://localhost/callback'

const METHODS = {
  client_secret_basic: () => client.ClientSecretBasic(),
  client_secret_post: () => client.ClientSecretPost(),
  none: () => client.None(),
}

describe('openid-client', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startOwnServer()
  })
  afterAll(() => server.stop('SIGKILL'))

  /** Discovery and registration in one, as the library does it. */
  const register = (method: keyof typeof METHODS) =>
    client.dynamicClientRegistration(
      new URL(server.url),
      { redirect_uris: [REDIRECT], client_name: 'Reader', token_endpoint_auth_method: method },
      METHODS[method](),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    )

  async function signIn(config: client.Configuration, scope = 'read:user') {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const link = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope,
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const reader = await makeReader()
    const sentTo = await reader.answer(link, 'allow')
    const checks = { pkceCodeVerifier, expectedState }
    return { reader, sentTo, checks, tokens: await client.authorizationCodeGrant(config, sentTo, checks) }
  }

  const me = (config: client.Configuration, token: string) =>
    client.fetchProtectedResource(config, token, new URL(`${server.url}/v1/me`), 'GET')

  for (const method of Object.keys(METHODS) as (keyof typeof METHODS)[])
    test(`goes the whole way as a client with ${method}`, async () => {
      const config = await register(method)
      expect(config.serverMetadata().issuer).toBe(server.url)
      expect(config.serverMetadata().supportsPKCE()).toBe(true)
      expect(config.clientMetadata().client_secret === undefined).toBe(method === 'none')

      const { reader, tokens } = await signIn(config)
      expect(tokens.expiresIn()).toBeGreaterThan(3590)
      const answer = await me(config, tokens.access_token)
      expect(((await answer.json()) as { data: { id: string } }).data.id).toBe(reader.user.id)

      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token as string)
      expect(refreshed.scope).toBe('read:user')
      expect((await me(config, refreshed.access_token)).status).toBe(200)

      expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
        active: true,
        client_id: config.clientMetadata().client_id,
      })
      await client.tokenRevocation(config, refreshed.access_token)
      expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
      await client.tokenRevocation(config, refreshed.refresh_token as string)
      const dead = await client
        .refreshTokenGrant(config, refreshed.refresh_token as string)
        .catch((error) => error)
      expect(dead).toMatchObject({ error: 'invalid_grant' })
    })

  test('gets an error for a repeated code, and later the first tokens are revoked', async () => {
    const config = await register('client_secret_basic')
    const { sentTo, checks, tokens } = await signIn(config)
    const again = () => client.authorizationCodeGrant(config, sentTo, checks).catch((error) => error)
    expect(await again()).toMatchObject({ error: 'invalid_grant', status: 400 })
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true })
    // The clock of another process cannot be moved, so its code is made older.
    const hash = hashSecret(sentTo.searchParams.get('code') as string)
    const usedAt = new Date(Date.now() - 10_001)
    await db.update(oauthCodes).set({ usedAt }).where(eq(oauthCodes.hash, hash))
    expect(await again()).toMatchObject({ error: 'invalid_grant', status: 400 })
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
  })

  test('loses its access when the person takes it back, on every process', async () => {
    const config = await register('none')
    const { reader, tokens } = await signIn(config, 'read:events')
    const { token } = await makeToken(reader.user.id, ['user'])
    expect((await get('/v1/events', { token: tokens.access_token })).status).toBe(200)
    const events = new URL(`${server.url}/v1/events`)
    const status = () =>
      fetch(events, { headers: { authorization: `Bearer ${tokens.access_token}` } }).then((one) => one.status)
    expect(await status()).toBe(200)
    const { body } = await get('/v1/profile/grants', { token })
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({ clientName: 'Reader', scopes: ['read:events'] })
    expect((await del(`/v1/profile/grants/${body.data[0].grantId}`, { token })).status).toBe(200)
    expect((await get('/v1/events', { token: tokens.access_token })).status).toBe(401)
    await until('the other process knows', async () => (await status()) === 401, 1000)
    const dead = await client
      .refreshTokenGrant(config, tokens.refresh_token as string)
      .catch((error) => error)
    expect(dead).toMatchObject({ error: 'invalid_grant' })
  })

  test('loses its access when its developer deletes it, on every process', async () => {
    const { token } = await makeCaller(['developer'])
    const { body } = await post('/v1/developer/apps', {
      token,
      json: { name: 'Doomed', redirectUris: [REDIRECT] },
    })
    const held: { config: client.Configuration; token: string }[] = []
    // Made by hand, it may show its secret either way.
    for (const authentication of [client.ClientSecretBasic(), client.ClientSecretPost()]) {
      const config = await client.discovery(
        new URL(server.url),
        body.data.clientId,
        body.data.clientSecret,
        authentication,
        { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
      )
      const { tokens } = await signIn(config)
      expect((await me(config, tokens.access_token)).status).toBe(200)
      expect((await get('/v1/me', { token: tokens.access_token })).status).toBe(200)
      held.push({ config, token: tokens.access_token })
    }
    const read = await get(`/v1/developer/apps/${body.data.clientId}`, { token })
    expect(read.body.data.activeUsers).toBe(2)
    expect((await del(`/v1/developer/apps/${body.data.clientId}`, { token })).status).toBe(200)
    for (const one of held) {
      expect((await get('/v1/me', { token: one.token })).status).toBe(401)
      const refused = () =>
        me(one.config, one.token).then(
          () => false,
          () => true,
        )
      await until('the other process knows', refused, 1000)
      const dead = await client.tokenIntrospection(one.config, one.token).catch((error) => error)
      expect(dead.status ?? dead.cause?.status).toBe(401)
    }
  })
})
