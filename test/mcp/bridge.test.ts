import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { apiUrl } from '../support/api'
import { makeCaller } from '../support/make'

const PROGRAM = join(import.meta.dir, '../../scripts/folkmoot.ts')

const start = (env: Record<string, string>) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env: { PATH: process.env.PATH as string, HOME: process.env.HOME as string, ...env },
    stderr: 'ignore',
  })

test("the bridge forwards a stdio client's messages", async () => {
  const { token, user } = await makeCaller(['read:user'])
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(start({ FOLKMOOT_URL: apiUrl(), FOLKMOOT_TOKEN: token }))
  const { tools } = await client.listTools()
  expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBeTrue()
  const { structuredContent } = await client.callTool({ name: 'profile_get' })
  expect(structuredContent).toMatchObject({ data: { username: user.username } })
  await expect(client.callTool({ name: 'nonsense' })).rejects.toThrow('no such tool')
  await client.close()
})

test('an invalid token and an unreachable server are reported as readable errors', async () => {
  const said = { error: 'This credential is unknown, expired or revoked', code: 'unauthorized' }
  const strict = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json(said, { status: 401 }),
  })
  const bad = new Client({ name: 'test', version: '1' })
  const refused = bad.connect(start({ FOLKMOOT_URL: strict.url.origin, FOLKMOOT_TOKEN: 'fm_pat_wrong' }))
  await expect(refused).rejects.toThrow('unknown, expired or revoked')
  await strict.stop(true)
  const away = new Client({ name: 'test', version: '1' })
  const nobody = away.connect(start({ FOLKMOOT_URL: 'http://127.0.0.1:9', FOLKMOOT_TOKEN: 'x' }))
  await expect(nobody).rejects.toThrow('cannot be reached')
})
