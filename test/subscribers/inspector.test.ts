import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tools } from '@/areas'
import { SCOPE_NAMES } from '@/core/scopes'
import { apiUrl } from '../support/api'
import { makeCaller } from '../support/make'
import { run } from './run'

/**
 * The protocol's own inspector, and the Node that it needs: 300 MB, for which nobody else who installs our packages should
 * wait.
 */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const NODE = `node-${process.platform}-${process.arch}@22.23.3`

const folder = mkdtempSync(join(tmpdir(), 'folkmoot-inspector-'))
const program = (name: string) => join(folder, 'node_modules/.bin', name)

beforeAll(async () => {
  await Bun.write(join(folder, 'package.json'), '{"private":true}')
  await run([process.execPath, 'add', '--exact', '--cwd', folder, INSPECTOR, NODE])
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What it said, on both ways out: what it finds fault with does not fail it. */
async function inspect(token: string, ...words: string[]) {
  const child = Bun.spawn(
    [
      ...[program('node'), program('inspector'), '--cli', `${apiUrl()}/mcp`, '--transport', 'http'],
      ...['--header', `Authorization: Bearer ${token}`, ...words],
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', env: { PATH: process.env.PATH, HOME: folder } },
  )
  const [said, warned] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([await child.exited, warned]).toEqual([0, ''])
  return JSON.parse(said)
}

test('lists every tool for a full token without a warning', async () => {
  const { token } = await makeCaller([...SCOPE_NAMES], { role: 'admin' })
  const { tools: listed } = await inspect(token, '--method', 'tools/list', '--strict')
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(tools.map(({ name }) => name))
}, 60_000)

test('calls a tool with an argument', async () => {
  const { token } = await makeCaller(['read:events'])
  const { content, structuredContent } = await inspect(
    token,
    ...['--method', 'tools/call', '--tool-name', 'events_list', '--tool-arg', 'limit=3'],
  )
  expect(JSON.parse(content[0].text)).toEqual(structuredContent)
  expect(structuredContent.data.length).toBeLessThanOrEqual(3)
}, 60_000)
