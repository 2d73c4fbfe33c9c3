import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Demo } from '@/demo/tokens'
import { cpuQuota } from '../support/cpu-quota'
import { until } from '../support/processes'
import { freePort } from '../support/redis'

const root = join(import.meta.dir, '../..')
/** Another release to try. */
const TREE = process.env.STARVED_TREE ?? root
const STARTS = Number(process.env.STARVED_STARTS ?? 1)
const SHARE_AT_START = 0.1
const SHARE = 0.3
const REQUESTS = 200
const CLIENTS = 8

/** What people do in an evening: mostly reading. */
const MIX: [method: string, path: string, json?: object][] = [
  ['GET', '/'],
  ['GET', '/events'],
  ['GET', '/v1/events?limit=20'],
  ['GET', '/groups'],
  ['GET', '/v1/profile/tokens'],
  ['GET', '/v1/groups?limit=20'],
  ['GET', '/v1/leaderboard?limit=20'],
  ['PATCH', '/v1/profile', { bio: 'Here on a small machine.' }],
]

test('with a tenth of a processor "bun run up" waits for its slow database, and with a third it answers slowly, without 503', async () => {
  const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-starved-start-')), 'data')
  const PORT = String(await freePort())
  const statuses: Record<string, number> = {}
  for (let start = 1; start <= STARTS; start += 1) {
    const group = cpuQuota(SHARE_AT_START)
    if (!group) return console.log('!! no control groups: a starved start is NOT tested')
    const began = performance.now()
    const child = Bun.spawn(group.inside(process.execPath, 'run', 'up'), {
      cwd: TREE,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR,
        PORT,
        RATE_LIMIT_ANONYMOUS_PER_HOUR: '100000',
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    let said = ''
    const hear = async (stream: ReadableStream<Uint8Array>) => {
      for await (const chunk of stream) said += new TextDecoder().decode(chunk)
    }
    const heard = Promise.all([hear(child.stdout), hear(child.stderr)])
    const isReady = () => said.includes('Folkmoot is ready.')
    await until('it is ready or has ended', () => child.exitCode !== null || isReady(), 120_000)
    console.log(`start ${start}: ready after ${Math.round((performance.now() - began) / 1000)} s`)
    group.give(SHARE)
    if (start === STARTS) await askAll(`http://127.0.0.1:${PORT}`, DATA_DIR, statuses)
    group.end()
    expect([child.exitCode, said]).toEqual([null, expect.not.stringMatching(/\n +at /)])
    child.kill('SIGTERM')
    await child.exited
    await heard
  }
  console.log('answers:', statuses)
  expect(Object.keys(statuses)).toEqual(['200'])
}, 300_000)

async function askAll(base: string, folder: string, statuses: Record<string, number>) {
  const { people } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo
  let sent = 0
  await Promise.all(
    people.slice(0, CLIENTS).map(async ({ token }) => {
      while (sent < REQUESTS) {
        const [method, path, json] = MIX[sent % MIX.length] as (typeof MIX)[number]
        sent += 1
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const response = await fetch(base + path, {
          method,
          ...(path.startsWith('/v1') && { headers }),
          ...(json && { body: JSON.stringify(json) }),
        })
        await response.arrayBuffer()
        const answer = response.status === 200 ? '200' : `${response.status} ${method} ${path}`
        statuses[answer] = (statuses[answer] ?? 0) + 1
      }
    }),
  )
}
