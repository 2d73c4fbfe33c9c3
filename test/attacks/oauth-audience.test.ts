import { describe, expect, test } from 'bun:test'
import {
  asClient,
  askRefresh,
  askToken,
  type MadeClient,
  makeClient,
  makeCode,
  makeTokens,
} from '../modules/access/oauth/fixtures'
import { get, post } from '../support/api'
import { makeCaller } from '../support/make'

const API = 'http://localhost'
const MCP = 'http://localhost/mcp'
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

const atApi = (token: string) => get('/v1/me', { token })
const atMcp = (token: string) => post('/mcp', { token, json: ping })
const audienceOf = async (client: MadeClient, token: string) =>
  (await post('/oauth/introspect', asClient(client, { token }))).body.aud

/** What a token opens: the API, the door for agents. */
const opens = async (token: string) => [(await atApi(token)).status, (await atMcp(token)).status]

describe('a token that was given for one resource', () => {
  test('is refused at the other, with the right metadata', async () => {
    const client = await makeClient()
    const agent = await makeTokens(client, { resource: MCP })
    expect(await opens(agent.access)).toEqual([401, 200])
    const atTheApi = await atApi(agent.access)
    expect(atTheApi.body).toEqual({
      error: 'This token was given for another resource: ask for one with resource=http://localhost',
      code: 'unauthorized',
    })
    expect(atTheApi.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="The token was given for another resource", resource_metadata="http://localhost/.well-known/oauth-protected-resource"',
    )
    const app = await makeTokens(client, { resource: `${API}/` })
    expect(await opens(app.access)).toEqual([200, 401])
    const atTheDoor = await atMcp(app.access)
    expect(atTheDoor.body.error).toBe(
      'This token was given for another resource: ask for one with resource=http://localhost/mcp',
    )
    expect(atTheDoor.headers.get('www-authenticate')).toStartWith('Bearer error="invalid_token", ')
    expect(atTheDoor.headers.get('www-authenticate')).toContain('/oauth-protected-resource/mcp"')
    expect([await audienceOf(client, agent.access), await audienceOf(client, app.access)]).toEqual([MCP, API])
  })

  test('is refused at public routes, too, and counts to its address', async () => {
    const { access } = await makeTokens(await makeClient(), { resource: MCP, scope: 'read:events' })
    expect((await get('/v1/scopes', { token: access })).status).toBe(401)
    const counted = await atApi(access)
    expect(Number(counted.headers.get('x-ratelimit-limit'))).toBeLessThan(1000)
  })

  test('stays so through every refresh, and a refresh for the other is refused', async () => {
    const client = await makeClient()
    let { refresh } = await makeTokens(client, { resource: MCP })
    for (const more of [{}, { resource: MCP }, {}] as Record<string, string>[]) {
      const wrong = await askRefresh(client, refresh, { resource: API })
      expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_target'])
      const given = await askRefresh(client, refresh, more)
      expect(given.status).toBe(200)
      expect(await opens(given.body.access_token)).toEqual([401, 200])
      // An answer that got lost is given again with the same reach.
      const again = await askRefresh(client, refresh, more)
      expect(await opens(again.body.access_token)).toEqual([401, 200])
      refresh = given.body.refresh_token
      expect(await audienceOf(client, refresh)).toBe(MCP)
    }
  })

  test('cannot be asked for with a code of the other', async () => {
    const client = await makeClient()
    const { use } = await makeCode(client, { resource: MCP })
    const wrong = await askToken(client, { ...use, resource: API })
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_target'])
    const right = await askToken(client, use)
    expect(await opens(right.body.access_token)).toEqual([401, 200])
  })

  test('may be less than its consent allows', async () => {
    const client = await makeClient()
    const { use } = await makeCode(client)
    const first = (await askToken(client, { ...use, resource: MCP })).body
    expect(await opens(first.access_token)).toEqual([401, 200])
    const second = (await askRefresh(client, first.refresh_token, { resource: API })).body
    expect(await opens(second.access_token)).toEqual([200, 401])
    const third = (await askRefresh(client, second.refresh_token)).body
    expect(await opens(third.access_token)).toEqual([200, 200])
  })

  test('control: without a resource it opens both, and so does a personal token', async () => {
    const client = await makeClient()
    const { access } = await makeTokens(client)
    const { token } = await makeCaller()
    expect([await opens(access), await opens(token)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    expect(await audienceOf(client, access)).toEqual([API, MCP])
  })
})
