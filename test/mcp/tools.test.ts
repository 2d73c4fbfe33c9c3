import { describe, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { tools } from '@/tools'
import { apiUrl, get, post } from '../support/api'
import { makeCaller } from '../support/make'

const rpc = (token: string, method: string, params: object = {}) =>
  post('/mcp', { token, json: { jsonrpc: '2.0', id: 1, method, params } })

const callTool = async (token: string, name: string, input: object = {}) =>
  (await rpc(token, 'tools/call', { name, arguments: input })).body.result

const listed = async (token: string): Promise<string[]> =>
  (await rpc(token, 'tools/list')).body.result.tools.map(({ name }: { name: string }) => name)

describe('a tool', () => {
  test('is listed to those who may use it, in a fixed order, as a closed object', async () => {
    const [reader, guest] = [await makeCaller(['read:user']), await makeCaller(['write:events'])]
    expect(await listed(reader.token)).toEqual(['profile_get'])
    expect(await listed(guest.token)).toEqual(['events_checkin'])
    for (const tool of tools)
      expect(tool.listed()).toMatchObject({
        name: expect.stringMatching(/^[a-z]+(_[a-z]+)+$/),
        inputSchema: { type: 'object', additionalProperties: false },
      })
    expect(JSON.stringify(tools.map((tool) => tool.listed()))).not.toContain('$ref')
  })

  test('answers with the very body of the route that binds the same action', async () => {
    const { token } = await makeCaller(['read:user'])
    const { text } = await get('/v1/profile', { token })
    const result = await callTool(token, 'profile_get')
    expect(result).toEqual({ content: [{ type: 'text', text }], structuredContent: JSON.parse(text) })
  })

  test('is refused in the words of the route', async () => {
    const { token } = await makeCaller(['read:user'])
    const refused = await callTool(token, 'events_checkin', { code: 'WRONG' })
    expect(refused.isError).toBeTrue()
    const { text } = await post('/v1/checkin/WRONG', { token, json: {} })
    expect(refused.content).toEqual([{ type: 'text', text }])
    const guest = await makeCaller(['write:events'])
    const wrong = await callTool(guest.token, 'events_checkin', { code: 5 })
    expect(JSON.parse(wrong.content[0].text)).toEqual({
      error: expect.stringContaining('code'),
      code: 'validation_error',
    })
  })

  test('is within the same limit on guesses as its route', async () => {
    const { token } = await makeCaller(['write:events'])
    const codes: string[] = []
    for (let i = 0; i < 31; i += 1) {
      const result =
        i % 2 === 0
          ? JSON.parse((await callTool(token, 'events_checkin', { code: `NOBODY${i}` })).content[0].text)
          : (await post(`/v1/checkin/NOBODY${i}`, { token, json: {} })).body
      codes.push(result.code)
    }
    expect(new Set(codes.slice(0, 30))).toEqual(new Set(['not_found']))
    expect(codes.at(-1)).toBe('rate_limited')
    const answer = await rpc(token, 'tools/call', { name: 'events_checkin', arguments: { code: 'NOBODY' } })
    expect(answer.body.result.isError).toBeTrue()
    // The answer is one of the door, whose budget is the hour's.
    expect(answer.headers.get('x-ratelimit-limit')).toBe(
      (await get('/v1/events', { token })).headers.get('x-ratelimit-limit'),
    )
  })

  test('refuses arguments that it does not know', async () => {
    const { token } = await makeCaller(['read:user', 'write:events'])
    for (const [name, input] of [
      ['profile_get', { username: 'somebody-else' }],
      ['events_checkin', { code: 'X', userId: 'x' }],
    ] as const) {
      const { content, isError } = await callTool(token, name, input)
      expect([isError, JSON.parse(content[0].text).code]).toEqual([true, 'validation_error'])
    }
  })

  test('that does not exist, or arguments that are no object, are wrong parameters', async () => {
    const { token } = await makeCaller(['read:user'])
    for (const params of [
      {},
      { name: 'nonsense' },
      { name: 'constructor' },
      { name: 'profile_get', arguments: [] },
      { name: 'profile_get', arguments: 'x' },
    ])
      expect((await rpc(token, 'tools/call', params)).body.error.code).toBe(-32602)
  })

  test('is understood by the official client', async () => {
    const { token, user } = await makeCaller(['read:user'])
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${apiUrl()}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['profile_get'])
    const { structuredContent } = await client.callTool({ name: 'profile_get' })
    expect(structuredContent).toMatchObject({ data: { username: user.username } })
    await client.close()
  })
})
