import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { apiUrl } from '../support/api'
import { makeCaller } from '../support/make'

const PROGRAM = join(import.meta.dir, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

/**
 * The scenarios of the protocol's own suite that a server can meet which sends JSON alone and has tools of its own; docs/mcp.md
 * says which others there are, and why they do not apply.
 */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]

let door: ReturnType<typeof Bun.serve>

/** The suite has no tokens, so somebody in between adds one. */
beforeAll(async () => {
  const { token } = await makeCaller([
    'user',
    'write:events',
    'manage:groups',
    'manage:events',
    'manage:badges',
  ])
  door = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      const body = request.method === 'POST' ? await request.text() : undefined
      return fetch(apiUrl() + new URL(request.url).pathname, { method: request.method, headers, body })
    },
  })
})
afterAll(() => door.stop(true))

describe('the suite of the protocol', () => {
  for (const scenario of SCENARIOS)
    test(scenario, async () => {
      const child = Bun.spawn(
        [
          process.execPath,
          PROGRAM,
          'server',
          '--url',
          `http://127.0.0.1:${door.port}/mcp`,
          '--scenario',
          scenario,
        ],
        { stdout: 'pipe', stderr: 'pipe' },
      )
      const said = (await child.stdout.text()) + (await child.stderr.text())
      expect([await child.exited, said]).toEqual([0, expect.stringMatching(/Passed: (\d+)\/\1, 0 failed/)])
    }, 30_000)
})
