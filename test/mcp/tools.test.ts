import { describe, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { tools } from '@/areas'
import { apiUrl, get, post } from '../support/api'
import { makeCaller, makeEvent, makeGroup } from '../support/make'

/** As clients of a later version say it, whose results hold a value beside the text. */
const LATER = { 'mcp-protocol-version': '2025-06-18' }

const rpc = (token: string, method: string, params: object = {}, headers: Record<string, string> = LATER) =>
  post('/mcp', { token, json: { jsonrpc: '2.0', id: 1, method, params }, headers })

const callTool = async (token: string, name: string, input: object = {}) =>
  (await rpc(token, 'tools/call', { name, arguments: input })).body.result

const listed = async (token: string): Promise<string[]> =>
  (await rpc(token, 'tools/list')).body.result.tools.map(({ name }: { name: string }) => name)

describe('a tool', () => {
  test('is listed for callers who may use it, in a fixed order, as a closed object', async () => {
    const [reader, guest] = [await makeCaller(['read:user']), await makeCaller(['write:events'])]
    expect(await listed(reader.token)).toEqual([
      'profile_get',
      'profile_badges',
      'profile_achievements',
      'profile_entitlements',
      'users_search',
      'users_get',
      'users_followers',
      'users_following',
      'badges_list',
      'badges_get',
      'claims_info',
      'leaderboard_global',
      'leaderboard_movers',
    ])
    expect(await listed(guest.token)).toEqual([
      'events_list',
      'events_get',
      'events_rsvp',
      'events_cancel_rsvp',
      'events_rsvp_status',
      'events_mine',
      'events_rsvp_summary',
      'events_checkin',
      'claims_info',
    ])
    // A copy: the matcher writes into what it is given.
    for (const tool of tools)
      expect(structuredClone(tool.listed())).toMatchObject({
        name: expect.stringMatching(/^[a-z]+(_[a-z]+)+$/),
        inputSchema: { type: 'object', additionalProperties: false },
      })
    expect(JSON.stringify(tools.map((tool) => tool.listed()))).not.toContain('$ref')
  })

  test('does what its name says: an RSVP is made and cancelled', async () => {
    const { user, token } = await makeCaller(['write:events'])
    const { id: eventId } = await makeEvent((await makeGroup({}, user.id)).id)
    const status = async () =>
      (await callTool(token, 'events_rsvp_status', { eventId })).structuredContent.data.rsvp?.status
    await callTool(token, 'events_rsvp', { eventId })
    expect(await status()).toBe('confirmed')
    await callTool(token, 'events_cancel_rsvp', { eventId })
    expect(await status()).toBe('cancelled')
  })

  test('returns the same body as the route of the same action', async () => {
    const { token } = await makeCaller(['read:user'])
    const { text } = await get('/v1/profile', { token })
    const result = await callTool(token, 'profile_get')
    expect(result).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: JSON.parse(text),
      _meta: { 'folkmoot/untrusted': expect.stringContaining('data') },
    })
    // A client of the first version knows nothing of values, nor of their shapes.
    const first = (await rpc(token, 'tools/call', { name: 'profile_get' }, {})).body.result
    expect(Object.keys(first)).toEqual(['content', '_meta'])
    const [tool, later] = [await rpc(token, 'tools/list', {}, {}), await rpc(token, 'tools/list')].map(
      ({ body }) => body.result.tools[0],
    )
    expect([tool.outputSchema, later.outputSchema.type]).toEqual([undefined, 'object'])
  })

  test('is refused with the message of the route', async () => {
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

  test('shares the failure limit of its route', async () => {
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

  test('describes each argument, and whether repeating it changes more', () => {
    for (const { listed, name, action } of tools) {
      const { inputSchema, annotations } = listed() as {
        inputSchema: { properties: Record<string, { description?: string }> }
        annotations: { idempotentHint?: boolean }
      }
      const silent = Object.entries(inputSchema.properties).filter(([, { description }]) => !description)
      expect([name, silent.map(([argument]) => argument)]).toEqual([name, []])
      expect([name, typeof annotations.idempotentHint]).toEqual([
        name,
        action.reads ? 'undefined' : 'boolean',
      ])
    }
  })

  test('RSVPs once: the second call is a conflict', async () => {
    const { user, token } = await makeCaller(['write:events'])
    const { id: eventId } = await makeEvent((await makeGroup({}, user.id)).id)
    await callTool(token, 'events_rsvp', { eventId })
    const again = await callTool(token, 'events_rsvp', { eventId })
    expect(JSON.parse(again.content[0].text).code).toBe('conflict')
    const { description, listed } = tools.find(({ name }) => name === 'events_rsvp') as (typeof tools)[number]
    expect(description).toContain('`conflict`')
    expect(listed().annotations).toMatchObject({ idempotentHint: true })
  })

  test('finds nothing by a malformed id, like its route', async () => {
    const { token } = await makeCaller(['write:events', 'write:portfolio'])
    const { text } = await get('/v1/events/x', { token })
    for (const eventId of ['x', '', '01890000-0000-7000-8000-00000000000'])
      expect(await callTool(token, 'events_get', { eventId })).toEqual({
        content: [{ type: 'text', text }],
        isError: true,
      })
    for (const confirm of [undefined, true]) {
      const gone = await callTool(token, 'portfolio_delete', { id: 'x', confirm })
      expect([gone.isError, JSON.parse(gone.content[0].text).code]).toEqual([true, 'not_found'])
    }
    const wrong = await callTool(token, 'events_get', { eventId: 5 })
    expect(JSON.parse(wrong.content[0].text).error).toMatch(/^eventId must be a UUID such as [0-9a-f-]{36}$/)
  })

  test('refuses unknown arguments and names the known ones', async () => {
    const { token } = await makeCaller(['read:user', 'write:events'])
    for (const [name, input] of [
      ['profile_get', { username: 'somebody-else' }],
      ['events_checkin', { code: 'X', userId: 'x' }],
    ] as const) {
      const { content, isError } = await callTool(token, name, input)
      expect([isError, JSON.parse(content[0].text).code]).toEqual([true, 'validation_error'])
    }
    const all = await makeCaller(['admin'], { role: 'admin' })
    for (const { name, listed } of tools) {
      const { properties } = listed().inputSchema as { properties: object }
      const { content } = await callTool(all.token, name, { nonsense: 1 })
      const [, said] = / but (.*)$/.exec(JSON.parse(content[0].text).error) ?? []
      expect([name, said?.split(', ') ?? []]).toEqual([name, Object.keys(properties)])
    }
  })

  test('that is unknown, or with non-object arguments, is an invalid-params error', async () => {
    const { token } = await makeCaller(['read:user'])
    for (const params of [
      {},
      { name: 'nonsense' },
      { name: 'constructor' },
      { name: 'profile_get', arguments: [] },
      { name: 'profile_get', arguments: 'x' },
    ])
      expect((await rpc(token, 'tools/call', params)).body.error.code).toBe(-32602)
    for (const [name, meant] of [
      ['event_get', 'did you mean events_get?'],
      ['uploads_delete', 'did you mean uploads_list?'],
      ['nonsense', 'see tools/list'],
    ])
      expect((await rpc(token, 'tools/call', { name })).body.error.message).toContain(meant)
  })

  test('that destroys something previews the effect and changes nothing', async () => {
    const { token } = await makeCaller(['write:portfolio'])
    const made = await callTool(token, 'portfolio_create', { title: 'A boat' })
    const { id } = made.structuredContent.data
    const count = async () => (await callTool(token, 'portfolio_list')).structuredContent.data.length
    for (const confirm of [undefined, false, 'true', 1]) {
      const { structuredContent, isError } = await callTool(token, 'portfolio_delete', { id, confirm })
      expect([isError, structuredContent.data.preview, await count()]).toEqual([undefined, true, 1])
    }
    const wrong = await callTool(token, 'portfolio_delete', { id: 5 })
    expect(JSON.parse(wrong.content[0].text).code).toBe('validation_error')
    const stranger = await makeCaller(['write:portfolio'])
    for (const confirm of [undefined, true]) {
      const other = await callTool(stranger.token, 'portfolio_delete', { id, confirm })
      expect([JSON.parse(other.content[0].text).code, other.structuredContent]).toEqual([
        'not_found',
        undefined,
      ])
    }
    const reader = await makeCaller(['read:portfolio'])
    const refused = await callTool(reader.token, 'portfolio_delete', { id })
    expect(JSON.parse(refused.content[0].text).code).toBe('insufficient_scope')
    await callTool(token, 'portfolio_delete', { id, confirm: true })
    expect(await count()).toBe(0)
    expect(tools.filter(({ asksFirst }) => asksFirst).map(({ name }) => name)).toEqual([
      'portfolio_delete',
      'tokens_revoke',
      'manage_members_remove',
      'manage_events_cancel',
      'manage_badges_revoke',
      'admin_users_update',
    ])
  })

  test('is marked read-only if its action only reads', () => {
    for (const { name, action, listed } of tools) {
      const { readOnlyHint, destructiveHint } = listed().annotations as Record<string, unknown>
      expect([name, readOnlyHint, destructiveHint === undefined]).toEqual([name, action.reads, action.reads])
    }
    const readers = tools.filter(({ action }) => action.reads).map(({ name }) => name)
    expect(readers).toEqual(expect.arrayContaining(['events_list', 'claims_info', 'admin_jobs']))
    expect(readers).not.toContain('onboarding_dismiss')
  })

  test('of a member has a short description, with an example if it takes arguments', async () => {
    const member = tools.filter(({ name }) => !/^(manage|admin)_/.test(name))
    const list = JSON.stringify({ tools: member.map((tool) => tool.listed()) })
    // JSON of this kind has more than three and a half letters to a token.
    expect(list.length / 3.5).toBeLessThan(12_000)
    for (const { listed, description, name } of tools) {
      const { required } = listed().inputSchema as { required: string[] }
      expect([name, description.length < 420]).toEqual([name, true])
      if (required?.length > 0)
        expect([name, description]).toEqual([name, expect.stringContaining('Example: {')])
    }
  })

  test('has an example that is valid input', () => {
    for (const { listed, description, name } of tools) {
      const [, example] = /Example: (\{.*\})\./.exec(description) ?? []
      if (example === undefined) continue
      const { properties, required = [] } = listed().inputSchema as {
        properties: object
        required?: string[]
      }
      const given = Object.keys(JSON.parse(example))
      expect([name, given.filter((key) => !(key in properties))]).toEqual([name, []])
      expect([name, required.filter((key) => !given.includes(key))]).toEqual([name, []])
    }
  })

  test('works with the official client', async () => {
    const { token, user } = await makeCaller(['read:user'])
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${apiUrl()}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    )
    const [first] = (await client.listTools()).tools
    expect(first).toMatchObject({ name: 'profile_get', annotations: { readOnlyHint: true } })
    const { structuredContent } = await client.callTool({ name: 'profile_get' })
    expect(structuredContent).toMatchObject({ data: { username: user.username } })
    await client.close()
  })
})
