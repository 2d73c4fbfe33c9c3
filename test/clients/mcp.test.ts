import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as split from '@modelcontextprotocol/client'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { makeEvent, makeGroup, makeUser } from '../support/make'
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
  invalidateCredentials = (which: string) => {
    if (which === 'tokens') this.kept = undefined
  }
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

  /** Both families of the protocol's own client: the one package, and the packages that follow it. */
  const FAMILIES = {
    'SDK 1': (memory: Memory) => ({ client: new Client(AGENT), transport: transport(memory) }),
    'SDK 2': (memory: Memory) => ({
      client: new split.Client(AGENT),
      transport: new split.StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        authProvider: memory,
      }),
    }),
  }
  type Family = keyof typeof FAMILIES

  /** The client connects, which sends its person to the consent page; their answer makes its token. */
  async function connectWith(family: Family, memory: Memory, ticked: string[]) {
    const reader = await makeReader()
    const first = FAMILIES[family](memory)
    await first.client.connect(first.transport as never).catch(() => undefined)
    await finish(family, memory, await reader.answer(memory.link as URL, 'allow', ticked))
    const { client, transport } = FAMILIES[family](memory)
    await client.connect(transport as never)
    return { client, reader }
  }

  const finish = (family: Family, memory: Memory, sentTo: URL) =>
    family === 'SDK 1'
      ? transport(memory).finishAuth(sentTo.searchParams.get('code') as string)
      : FAMILIES['SDK 2'](memory).transport.finishAuth(sentTo.searchParams)

  const openEvent = async () => (await makeEvent((await makeGroup({}, (await makeUser()).id)).id)).id

  for (const family of Object.keys(FAMILIES) as Family[])
    test(`${family} takes a seat when its person ticked the box for it`, async () => {
      const { client } = await connectWith(family, new Memory('none'), ['write:events', 'write:portfolio'])
      const eventId = await openEvent()
      const names = (await client.listTools()).tools.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['events_rsvp', 'portfolio_create']))
      expect(await client.callTool({ name: 'events_rsvp', arguments: { eventId } })).toMatchObject({
        structuredContent: { data: { eventId, status: 'confirmed' } },
      })
    })

  test('SDK 1 learns from the instructions how it gets a seat later, and gets it that way', async () => {
    const memory = new Memory('none')
    const { client, reader } = await connectWith('SDK 1', memory, [])
    expect(client.getInstructions()).toContain('write:events')
    expect(client.getInstructions()).toContain(`${server.url}/settings/applications`)
    await reader.disconnect(server.url)
    const eventId = await openEvent()
    const rsvp = { name: 'events_rsvp', arguments: { eventId } }
    expect(await client.callTool(rsvp).catch((error) => error)).toBeInstanceOf(UnauthorizedError)
    await finish('SDK 1', memory, await reader.answer(memory.link as URL, 'allow', ['write:events']))
    expect(await client.callTool(rsvp)).toMatchObject({
      structuredContent: { data: { status: 'confirmed' } },
    })
  })

  test('SDK 2 asks its person for more when a call needs it', async () => {
    const memory = new Memory('none')
    const { client, reader } = await connectWith('SDK 2', memory, [])
    const rsvp = { name: 'events_rsvp', arguments: { eventId: await openEvent() } }
    expect(await client.callTool(rsvp).catch((error) => error)).toBeInstanceOf(split.UnauthorizedError)
    expect(memory.link?.searchParams.get('scope')?.split(' ')).toContain('write:events')
    await finish('SDK 2', memory, await reader.answer(memory.link as URL, 'allow'))
    expect(await client.callTool(rsvp)).toMatchObject({
      structuredContent: { data: { status: 'confirmed' } },
    })
  })
})

const AGENT = { name: 'agent', version: '1.0.0' }
