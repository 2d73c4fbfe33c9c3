import { expect, test } from 'bun:test'
import { get, patch, post } from '../../support/api'
import { makeCaller, makeUser } from '../../support/make'
import { connect } from './fixtures'

const rpc = async (token: string, method: string, params: object = {}) =>
  (await post('/mcp', { token, json: { jsonrpc: '2.0', id: 1, method, params } })).body.result

/** Those of passes: some tools of other areas are for everybody. */
const listed = async (token: string): Promise<string[]> =>
  (await rpc(token, 'tools/list')).tools
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => name.startsWith('meetpass_'))

test('agents list passes and connections, and change a pass, as far as they may', async () => {
  const { user, token } = await makeCaller(['write:meetpass'])
  const reader = await makeCaller(['read:meetpass'])
  expect(await listed(token)).toEqual(['meetpass_list', 'meetpass_connections', 'meetpass_update'])
  expect(await listed(reader.token)).toEqual(['meetpass_list', 'meetpass_connections'])
  await connect(user.id, (await makeUser()).id)
  const call = async (name: string, input: object = {}) => {
    const { isError, content } = await rpc(token, 'tools/call', { name, arguments: input })
    expect(isError).toBeUndefined()
    return content[0].text
  }
  expect(await call('meetpass_list')).toBe((await get('/v1/meetpass', { token })).text)
  const inbound = (await get('/v1/meetpass/connections?direction=inbound', { token })).text
  expect(await call('meetpass_connections', { direction: 'inbound' })).toBe(inbound)
  const { id } = (await get('/v1/meetpass/qr', { token })).body.data
  const changed = await call('meetpass_update', { id, label: 'By my agent', autoFollow: 1 })
  expect(JSON.parse(changed).data).toMatchObject({ id, label: 'By my agent', autoFollow: 1 })
  expect((await patch(`/v1/meetpass/${id}`, { token, json: {} })).text).toBe(changed)
})
