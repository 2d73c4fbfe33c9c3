import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { ServerProcess } from '../support/processes'
import { makeReader, startOwnServer } from './fixtures'

type Method = 'none' | 'client_secret_post' | 'client_secret_basic'

/** What an agent keeps between the moment it is refused and the moment its person comes back. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:33418/callback'
  registered?: OAuthClientInformationMixed
  kept?: OAuthTokens
  verifier = ''
  link?: URL

  constructor(private readonly method: Method) {}

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'An agent',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: this.method,
    }
  }
  state = () => 'where-we-were'
  clientInformation = () => this.registered
  saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.registered = information
  }
  tokens = () => this.kept
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens
  }
  redirectToAuthorization = (link: URL) => {
    this.link = link
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

describe("the Model Context Protocol's own client", () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startOwnServer()
  })
  afterAll(() => server.stop('SIGKILL'))

  const transport = (authProvider: Memory) =>
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider })

  const connect = (memory: Memory) =>
    new Client({ name: 'agent', version: '1.0.0' }).connect(transport(memory))

  for (const method of ['none', 'client_secret_basic', 'client_secret_post'] as const)
    test(`finds its way from a 401 to a token, registered by itself with ${method}`, async () => {
      const memory = new Memory(method)
      const refused = await connect(memory).catch((error) => error)
      expect(refused).toBeInstanceOf(UnauthorizedError)
      expect(memory.registered).toMatchObject({ client_name: 'An agent', token_endpoint_auth_method: method })
      const link = memory.link as URL
      expect(link.href).toStartWith(`${server.url}/oauth/authorize?`)
      expect(link.searchParams.get('resource')).toBe(`${server.url}/mcp`)
      expect(link.searchParams.get('code_challenge_method')).toBe('S256')

      const reader = await makeReader()
      const sentTo = await reader.answer(link, 'allow')
      expect(sentTo.searchParams.get('state')).toBe('where-we-were')
      await transport(memory).finishAuth(sentTo.searchParams.get('code') as string)
      expect(memory.kept?.token_type).toBe('Bearer')
      const introspected = await fetch(`${server.url}/oauth/introspect`, {
        method: 'POST',
        body: new URLSearchParams({
          token: memory.kept?.access_token as string,
          client_id: memory.registered?.client_id as string,
        }),
      })
      if (method === 'none')
        expect(await introspected.json()).toMatchObject({ sub: reader.user.id, aud: `${server.url}/mcp` })

      // Its token opens the door that refused it, and no other.
      await connect(memory)
      const elsewhere = await fetch(`${server.url}/v1/me`, {
        headers: { authorization: `Bearer ${memory.kept?.access_token}` },
      })
      expect(elsewhere.status).toBe(401)
    })

  test('renews a token that the server no longer takes', async () => {
    const memory = new Memory('none')
    await connect(memory).catch(() => undefined)
    const sentTo = await (await makeReader()).answer(memory.link as URL, 'allow')
    await transport(memory).finishAuth(sentTo.searchParams.get('code') as string)
    const before = memory.kept as OAuthTokens
    memory.kept = { ...before, access_token: 'fm_at_0000000000000000000000000000000000000000' }
    await connect(memory)
    expect(memory.kept.refresh_token).not.toBe(before.refresh_token)
  })
})
