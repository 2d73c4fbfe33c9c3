import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import type { ServerProcess } from '../support/processes'
import { makeReader, startOwnServer } from './fixtures'

const REDIRECT = 'http://127.0.0.1/callback'
/** The server of the tests has no certificate; everything else is as strict as the library is. */
const plain = { [oauth.allowInsecureRequests]: true }

describe('oauth4webapi', () => {
  let folkmoot: ServerProcess
  let server: oauth.AuthorizationServer
  beforeAll(async () => {
    folkmoot = await startOwnServer()
    server = await discover()
  })
  afterAll(() => folkmoot.stop('SIGKILL'))

  async function discover() {
    const issuer = new URL(folkmoot.url)
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  async function register(method: string) {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        redirect_uris: [REDIRECT],
        client_name: `By ${method}`,
        token_endpoint_auth_method: method,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      plain,
    )
    return oauth.processDynamicClientRegistrationResponse(response)
  }

  const AUTHENTICATE: Record<string, (client: oauth.Client) => oauth.ClientAuth> = {
    client_secret_basic: (client) => oauth.ClientSecretBasic(client.client_secret as string),
    client_secret_post: (client) => oauth.ClientSecretPost(client.client_secret as string),
    none: () => oauth.None(),
  }

  /** From a link to tokens. The port is the system's choice, as it is for a native application. */
  async function signIn(client: oauth.Client, authentication: oauth.ClientAuth, scope: string) {
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const redirectUri = 'http://127.0.0.1:51234/callback'
    const link = new URL(server.authorization_endpoint as string)
    for (const [name, value] of Object.entries({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }))
      link.searchParams.set(name, value)
    const reader = await makeReader()
    const sentTo = await reader.answer(link, 'allow')
    // The library insists on `state` and, since the metadata promises it, on `iss`.
    const parameters = oauth.validateAuthResponse(server, client, sentTo, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      plain,
    )
    return { reader, link, tokens: await oauth.processAuthorizationCodeResponse(server, client, response) }
  }

  const me = (token: string) =>
    oauth.protectedResourceRequest(
      token,
      'GET',
      new URL(`${folkmoot.url}/v1/me`),
      undefined,
      undefined,
      plain,
    )

  test('finds what the server says about itself', async () => {
    expect(server.issuer).toBe(folkmoot.url)
    expect(server.code_challenge_methods_supported).toEqual(['S256'])
    expect(server.authorization_response_iss_parameter_supported).toBe(true)
    expect(server.token_endpoint_auth_methods_supported?.toSorted()).toEqual(
      Object.keys(AUTHENTICATE).toSorted(),
    )
    for (const endpoint of [
      server.authorization_endpoint,
      server.token_endpoint,
      server.registration_endpoint,
      server.revocation_endpoint,
      server.introspection_endpoint,
    ])
      expect(endpoint).toStartWith(`${folkmoot.url}/oauth/`)
    const resource = new URL(folkmoot.url)
    const response = await oauth.resourceDiscoveryRequest(resource, plain)
    const { authorization_servers } = await oauth.processResourceDiscoveryResponse(resource, response)
    expect(authorization_servers).toEqual([folkmoot.url])
  })

  for (const method of Object.keys(AUTHENTICATE))
    test(`goes the whole way as a client with ${method}`, async () => {
      const client = await register(method)
      expect(client.token_endpoint_auth_method).toBe(method)
      const authentication = AUTHENTICATE[method]?.(client) as oauth.ClientAuth
      const { reader, tokens } = await signIn(client, authentication, 'read:user user:email')
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read:user user:email' })

      const answer = await me(tokens.access_token)
      expect(((await answer.json()) as { data: { id: string } }).data.id).toBe(reader.user.id)

      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          tokens.refresh_token as string,
          plain,
        ),
      )
      expect(refreshed.access_token).not.toBe(tokens.access_token)
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
      expect((await me(refreshed.access_token)).status).toBe(200)

      const introspect = async (token: string) =>
        oauth.processIntrospectionResponse(
          server,
          client,
          await oauth.introspectionRequest(server, client, authentication, token, plain),
        )
      expect(await introspect(refreshed.access_token)).toMatchObject({
        active: true,
        client_id: client.client_id,
        sub: reader.user.id,
        scope: 'read:user user:email',
        iss: folkmoot.url,
      })

      const revoked = await oauth.revocationRequest(
        server,
        client,
        authentication,
        refreshed.refresh_token as string,
        plain,
      )
      await oauth.processRevocationResponse(revoked)
      expect(await introspect(refreshed.access_token)).toEqual({ active: false })
      const refused = await me(refreshed.access_token).catch(
        (error: oauth.WWWAuthenticateChallengeError) => error,
      )
      expect(refused).toBeInstanceOf(oauth.WWWAuthenticateChallengeError)
      expect((refused as oauth.WWWAuthenticateChallengeError).cause[0]).toMatchObject({
        scheme: 'bearer',
        parameters: { error: 'invalid_token' },
      })
    })

  test('understands a refusal: the person says no', async () => {
    const client = await register('none')
    const reader = await makeReader()
    const link = new URL(server.authorization_endpoint as string)
    link.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'read:user',
      state: 'xyz',
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: 'S256',
    }).toString()
    const sentTo = await reader.answer(link, 'deny')
    expect(() => oauth.validateAuthResponse(server, client, sentTo, 'xyz')).toThrow(
      expect.objectContaining({ error: 'access_denied' }),
    )
  })

  test('understands a refusal: the secret is wrong', async () => {
    for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
      const client = await register(method)
      const wrong = AUTHENTICATE[method]?.({ ...client, client_secret: 'wrong' }) as oauth.ClientAuth
      const response = await oauth.refreshTokenGrantRequest(server, client, wrong, 'fm_rt_x', plain)
      const error = await oauth
        .processRefreshTokenResponse(server, client, response)
        .catch((thrown) => thrown)
      if (method === 'client_secret_basic') expect(error).toBeInstanceOf(oauth.WWWAuthenticateChallengeError)
      else expect(error).toMatchObject({ error: 'invalid_client', status: 401 })
    }
  })

  test('a secret works by the method that was registered and by no other', async () => {
    for (const [method, other] of [
      ['client_secret_basic', 'client_secret_post'],
      ['client_secret_post', 'client_secret_basic'],
    ] as const) {
      const client = await register(method)
      const secret = client.client_secret as string
      const by =
        other === 'client_secret_post' ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
      const response = await oauth.refreshTokenGrantRequest(server, client, by, 'fm_rt_x', plain)
      expect([method, response.status]).toEqual([method, 401])
    }
  })

  test('understands a refusal: metadata that is none', async () => {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: ['javascript:alert(1)'] },
      plain,
    )
    const error = await oauth.processDynamicClientRegistrationResponse(response).catch((thrown) => thrown)
    expect(error).toMatchObject({ error: 'invalid_redirect_uri', status: 400 })
  })

  test('would notice an answer that another server sent', async () => {
    const client = await register('none')
    const forged = new URL(`${REDIRECT}?code=x&state=s&iss=https://evil.example`)
    expect(() => oauth.validateAuthResponse(server, client, forged, 's')).toThrow(/iss/)
    const silent = new URL(`${REDIRECT}?code=x&state=s`)
    expect(() => oauth.validateAuthResponse(server, client, silent, 's')).toThrow(/iss/)
  })
})
