import { expect, test } from 'bun:test'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as oauth from 'oauth4webapi'
import { apiUrl, post } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'
import {
  basicOf,
  consent,
  form,
  type MadeClient,
  makeClient,
  makeOwnedClient,
  makePublicClient,
} from './fixtures'

/** The server calls itself http://localhost; here it listens on a port. */
const there = (url: string | URL) => String(url).replace('http://localhost', apiUrl())

const fetchThere = (url: string | URL, init?: RequestInit) =>
  fetch(there(url), { ...init, headers: { ...headersOf(init), 'x-forwarded-for': '10.44.0.1' } })

const headersOf = (init?: RequestInit) => Object.fromEntries(new Headers(init?.headers).entries())

/** A person who follows the link and says yes. */
async function sayYes(session: string, url: URL): Promise<URL> {
  const answer = await consent(session, Object.fromEntries(url.searchParams))
  return new URL(answer.headers.get('location') as string)
}

test('oauth4webapi, which is strict, goes all the way with each kind of client', async () => {
  const options = { [oauth.customFetch]: fetchThere as never, [oauth.allowInsecureRequests]: true }
  const issuer = new URL('http://localhost')
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
  )
  const [confidential, open] = [
    await makeClient({ ownerId: (await makeUser()).id }),
    await makePublicClient(),
  ]
  const kinds = [
    { made: confidential, by: oauth.ClientSecretBasic(confidential.secret) },
    { made: confidential, by: oauth.ClientSecretPost(confidential.secret) },
    { made: open, by: oauth.None() },
  ]
  for (const { made, by } of kinds) {
    const user = await makeUser()
    const client = { client_id: made.clientId }
    const redirectUri = made.redirectUris[0] as string
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const url = new URL(server.authorization_endpoint as string)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: made.clientId,
      redirect_uri: redirectUri,
      scope: 'user read:events',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const callback = oauth.validateAuthResponse(
      server,
      client,
      await sayYes(await makeSession(user.id), url),
      state,
    )
    const given = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, by, callback, redirectUri, verifier, options),
    )
    expect(given.scope).toBe('user read:events')
    const next = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, by, given.refresh_token as string, options),
    )
    const resource = await oauth.protectedResourceRequest(
      next.access_token,
      'GET',
      new URL('http://localhost/v1/me'),
      undefined,
      undefined,
      options,
    )
    expect(((await resource.json()) as { data: { id: string } }).data.id).toBe(user.id)
    const told = await oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(server, client, by, next.access_token, options),
    )
    expect([told.active, told.sub]).toEqual([true, user.id])
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, by, next.refresh_token as string, options),
    )
    const dead = await fetchThere('http://localhost/v1/me', {
      headers: { authorization: `Bearer ${next.access_token}` },
    })
    expect(dead.status).toBe(401)
  }
})

test('an agent that knows nothing but the address finds its way in by itself', async () => {
  const user = await makeUser()
  const session = await makeSession(user.id)
  const kept: Record<string, unknown> = {}
  let sentTo: URL | undefined
  const provider = {
    redirectUrl: 'http://127.0.0.1:9876/callback',
    clientMetadata: {
      client_name: 'Agent',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'read:events read:groups read:user',
    },
    state: () => 'agent-state',
    clientInformation: () => kept.client,
    saveClientInformation: (value: unknown) => {
      kept.client = value
    },
    tokens: () => kept.tokens,
    saveTokens: (value: unknown) => {
      kept.tokens = value
    },
    redirectToAuthorization: (url: URL) => {
      sentTo = url
    },
    saveCodeVerifier: (value: string) => {
      kept.verifier = value
    },
    codeVerifier: () => kept.verifier,
  } as unknown as OAuthClientProvider
  const options = { serverUrl: 'http://localhost/mcp', fetchFn: fetchThere }
  expect(await auth(provider, options)).toBe('REDIRECT')
  expect(sentTo?.searchParams.get('resource')).toBe('http://localhost/mcp')
  const back = await sayYes(session, sentTo as URL)
  expect([back.origin, back.searchParams.get('state')]).toEqual(['http://127.0.0.1:9876', 'agent-state'])
  const authorizationCode = back.searchParams.get('code') as string
  expect(await auth(provider, { ...options, authorizationCode })).toBe('AUTHORIZED')
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      authProvider: provider,
      fetch: fetchThere,
    }),
  )
  expect(client.getServerVersion()?.name).toBe('folkmoot')
  // An hour later the same call refreshes by itself.
  expect(await auth(provider, options)).toBe('AUTHORIZED')
  await client.close()
})

/** What somebody without the secret of an application might show instead. */
const withoutSecret = (client: MadeClient, other: MadeClient): [string, ReturnType<typeof form>][] => {
  const token = { token: `fm_at_${'0'.repeat(40)}` }
  const named = { client_id: client.clientId, ...token }
  return [
    ['its id alone', form(named)],
    ['an empty secret in the form', form({ ...named, client_secret: '' })],
    ['a wrong secret in the form', form({ ...named, client_secret: `${client.secret.slice(0, -1)}x` })],
    ["another application's secret", form({ ...named, client_secret: other.secret })],
    ['an empty secret by Basic', form(token, basicOf({ ...client, secret: '' }))],
    ['a wrong secret by Basic', form(token, basicOf({ ...client, secret: other.secret }))],
  ]
}

test('a confidential client is never authenticated without its secret', async () => {
  const other = await makeOwnedClient()
  const registered = [
    await makeOwnedClient(),
    await makeOwnedClient({ authMethod: 'client_secret_post' }),
    await makeClient(),
    await makeClient({ authMethod: 'client_secret_post' }),
  ]
  for (const client of registered)
    for (const [what, shown] of withoutSecret(client, other))
      for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/revoke']) {
        const { status, body } = await post(path, shown)
        expect([what, path, status, body.error]).toEqual([what, path, 401, 'invalid_client'])
      }
})
