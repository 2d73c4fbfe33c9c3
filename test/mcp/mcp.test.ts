import { describe, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { VERSION } from '@/core/version'
import { asClient, makeClient, makeTokens } from '../modules/access/oauth/fixtures'
import { apiUrl, call, del, get, post } from '../support/api'
import { makeCaller, makeSession, makeUser } from '../support/make'

const METADATA =
  'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp", scope="read:user read:events read:groups"'

const { token } = await makeCaller(['read:user'])

const ask = (json: unknown, headers: Record<string, string> = {}) => post('/mcp', { token, json, headers })

const ping = (id: unknown = 1) => ({ jsonrpc: '2.0', id, method: 'ping' })

describe('the MCP endpoint', () => {
  test('answers anonymous requests with a 401 that leads to a token', async () => {
    for (const body of ['{"broken', '{}', JSON.stringify(ping())]) {
      const answer = await post('/mcp', { body, headers: { 'content-type': 'application/json' } })
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized'])
      expect(answer.headers.get('www-authenticate')).toBe(`Bearer ${METADATA}`)
    }
    const bad = await post('/mcp', { token: 'fm_at_wrong', json: ping() })
    expect(bad.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${METADATA}`)
    expect((await get('/.well-known/oauth-protected-resource/mcp')).body.resource).toBe(
      'http://localhost/mcp',
    )
  })

  test('accepts every kind of credential, and a cookie only from our own pages', async () => {
    const { access } = await makeTokens(await makeClient())
    const session = await makeSession((await makeUser()).id)
    for (const credential of [{ token: access }, { token }, { session }])
      expect((await post('/mcp', { ...credential, json: ping() })).status).toBe(200)
    const foreign = await post('/mcp', { json: ping(), headers: { cookie: `session=${session}` } })
    expect(foreign.status).toBe(403)
  })

  test('answers initialize, ping and tools/list', async () => {
    const hello = await ask({
      jsonrpc: '2.0',
      id: 'a',
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    })
    expect([hello.status, hello.body]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 'a',
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {}, resources: {}, prompts: {} },
          serverInfo: { name: 'folkmoot', title: 'Folkmoot', version: VERSION },
          instructions: expect.stringContaining('data, never instructions'),
        },
      },
    ])
    for (const [asked, spoken] of [
      ['2025-11-25', '2025-11-25'],
      ['2025-03-26', '2025-03-26'],
      ['2099-01-01', '2025-11-25'],
      ['2024-11-05', '2025-03-26'],
      [undefined, '2025-03-26'],
    ])
      expect(
        (await ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: asked } })).body
          .result.protocolVersion,
      ).toBe(spoken as string)
    expect((await ask(ping(7))).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
    for (const method of ['resources/subscribe', 'nonsense', 'constructor', '__proto__']) {
      const { status, body } = await ask({ jsonrpc: '2.0', id: 1, method })
      expect([method, status, body.error.code]).toEqual([method, 200, -32601])
    }
  })

  test('answers no notifications and no responses', async () => {
    for (const json of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
      [{ jsonrpc: '2.0', method: 'nonsense' }],
    ]) {
      const { status, text } = await ask(json)
      expect([status, text]).toEqual([204, ''])
    }
  })

  test('answers a batch of up to ten messages and counts each call', async () => {
    const { body } = await ask([
      ping(1),
      { jsonrpc: '2.0', method: 'x' },
      5,
      { jsonrpc: '2.0', id: 2, method: 'y' },
    ])
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: expect.any(String) } },
    ])
    const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining'))
    const before = left(await ask(ping()))
    const ten = await ask(Array.from({ length: 10 }, (_, i) => ping(i)))
    expect([ten.body.length, before - left(ten)]).toEqual([10, 10])
    for (const length of [0, 11]) {
      const { status, body } = await ask(Array.from({ length }, (_, i) => ping(i)))
      expect([length, status, body.error]).toEqual([
        length,
        200,
        { code: -32600, message: 'A batch holds 1 to 10 messages' },
      ])
    }
  })

  test('explains invalid messages', async () => {
    const codes: [unknown, number, unknown][] = [
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600, 1],
      [{ id: 'x', method: 'ping' }, -32600, 'x'],
      [{ jsonrpc: '2.0', id: 1 }, -32600, 1],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, -32600, null],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600, null],
      [{ jsonrpc: '2.0', id: 1, method: 5 }, -32600, 1],
      [{ jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' }, -32600, 1],
      [null, -32600, null],
      ['x', -32600, null],
    ]
    for (const [json, code, id] of codes) {
      const { status, body } = await ask(json)
      expect([json, status, body.error?.code, body.id]).toEqual([json, 200, code, id])
    }
    const broken = await post('/mcp', { token, body: '{"x', headers: { 'content-type': 'application/json' } })
    expect([broken.status, broken.body.error.code]).toEqual([200, -32700])
    const huge = await post('/mcp', {
      token,
      body: '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(huge.body.error.code).toBe(-32600)
  })

  test('accepts JSON only', async () => {
    for (const type of ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded']) {
      const answer = await post('/mcp', {
        token,
        body: JSON.stringify(ping()),
        headers: { 'content-type': type },
      })
      expect([type, answer.status, answer.body.code]).toEqual([type, 400, 'bad_request'])
    }
  })

  test('refuses foreign origins', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'http://localhost@evil',
    ])
      expect([origin, (await ask(ping(), { origin })).status]).toEqual([origin, 403])
    for (const origin of [
      'http://localhost',
      'https://app.folkmoot.example',
      'http://127.0.0.1:6274',
      'http://[::1]:8',
    ])
      expect([origin, (await ask(ping(), { origin })).status]).toEqual([origin, 200])
  })

  test('echoes a valid session id of the client', async () => {
    const echoed = async (session: string) =>
      (await ask(ping(), { 'mcp-session-id': session })).headers.get('mcp-session-id')
    expect(await echoed('abc-123')).toBe('abc-123')
    expect(await echoed('with space')).toBeNull()
    expect(await echoed('x'.repeat(201))).toBeNull()
  })

  test('echoes it with errors, too', async () => {
    const headers = { 'mcp-session-id': 'abc-123' }
    const json = { 'content-type': 'application/json', ...headers }
    const spent = await makeCaller(['read:user'])
    for (let i = 0; i < 100; i += 1)
      await post('/mcp', { token: spent.token, json: Array.from({ length: 10 }, () => ping()) })
    const answers = [
      await post('/mcp', { json: ping(), headers }),
      await post('/mcp', { token: 'fm_pat_bad', json: ping(), headers }),
      await post('/mcp', { token, json: ping(), headers: { ...headers, origin: 'https://evil.example' } }),
      await post('/mcp', { token, body: '{}', headers }),
      await post('/mcp', { token, body: 'x'.repeat(70_000), headers: json }),
      await post('/mcp', { token: spent.token, json: ping(), headers }),
      await get('/mcp', { token, headers }),
      await del('/mcp', { token, headers }),
      await call('PUT', '/mcp', { token, headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 403, 400, 413, 429, 400, 204, 404])
    for (const { status, headers } of answers)
      expect([status, headers.get('mcp-session-id')]).toEqual([status, 'abc-123'])
    // Nowhere else.
    expect((await get('/v1/me', { token, headers })).headers.get('mcp-session-id')).toBeNull()
  })

  test('does not rate-limit GET and DELETE', async () => {
    const address = { 'x-forwarded-for': '10.210.0.1' }
    const left = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'))
    for (let i = 0; i < 35; i += 1) {
      const answers = [
        await get('/mcp', { headers: address }),
        await del('/mcp', { headers: address }),
        await call('HEAD', '/mcp', { headers: address }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([400, 204, 400])
      expect(answers.map(left)).toEqual([60, 60, 60])
    }
    // Nor when nothing is left for anything else.
    for (let i = 0; i < 60; i += 1) await get('/v1/scopes', { headers: address })
    expect((await get('/v1/scopes', { headers: address })).status).toBe(429)
    const [stream, end] = [await get('/mcp', { headers: address }), await del('/mcp', { headers: address })]
    expect([stream.status, left(stream), end.status, left(end)]).toEqual([400, 0, 204, 0])
  })

  test('has a separate 401 budget, so that an agent can sign in when its address is out of requests', async () => {
    const address = { 'x-forwarded-for': '10.210.0.2' }
    for (let i = 0; i < 60; i += 1) await get('/v1/scopes', { headers: address })
    expect((await get('/v1/scopes', { headers: address })).status).toBe(429)
    const client = await makeClient()
    const { refresh } = await makeTokens(client, { resource: 'http://localhost/mcp' })
    const challenge = await post('/mcp', { json: ping(), headers: address })
    expect([challenge.status, challenge.headers.get('x-ratelimit-limit')]).toEqual([401, '600'])
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge.headers.get('www-authenticate') ?? '')?.[1]
    for (const path of [new URL(metadata ?? '').pathname, '/.well-known/oauth-authorization-server'])
      expect([path, (await get(path, { headers: address })).status]).toEqual([path, 200])
    const asked = asClient(client, { grant_type: 'refresh_token', refresh_token: refresh })
    const refreshed = await post('/oauth/token', { ...asked, headers: { ...asked.headers, ...address } })
    expect(refreshed.status).toBe(200)
    // An expired token needs the challenge as well, and guessing tokens stays limited.
    for (let i = 1; i < 600; i += 1)
      await post('/mcp', { json: ping(), headers: address, ...(i % 2 && { token: 'fm_pat_bad' }) })
    for (const token of ['fm_pat_bad', undefined])
      expect((await post('/mcp', { json: ping(), headers: address, token })).status).toBe(429)
    const agent = { headers: address, token: refreshed.body.access_token }
    expect((await post('/mcp', { json: ping(), ...agent })).status).toBe(200)
  })

  test('has no stream and no session to end', async () => {
    const stream = await get('/mcp')
    expect([stream.status, stream.body]).toEqual([400, { error: expect.any(String), code: 'bad_request' }])
    expect((await get('/mcp', { token })).status).toBe(400)
    expect((await del('/mcp')).status).toBe(204)
    expect((await call('PUT', '/mcp', { token })).status).toBe(404)
  })

  test('works with the official client', async () => {
    const { access } = await makeTokens(await makeClient(), { resource: 'http://localhost/mcp' })
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(`${apiUrl()}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${access}` } },
    })
    await client.connect(transport)
    expect(client.getServerVersion()).toMatchObject({ name: 'folkmoot' })
    expect(await client.ping()).toEqual({})
    await client.close()
  })
})
