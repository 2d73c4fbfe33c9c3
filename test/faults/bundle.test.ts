import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding } from '@/cli/doctor/finding'
import { randomHex } from '@/core/codes'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { get, post } from '../support/api'
import { startDemoSite } from '../support/demo-site'
import { command } from '../support/host'
import { childrenOf } from '../support/postgres'
import { ownDatabase, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { ask, asPng, png, send } from '../support/uploads'

const HERE = join(import.meta.dir, '../..')
const FOLDERS = ['src', 'workers', 'scripts', 'migrations', 'patches', 'docs']
const FILES = ['package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json']

const tree = mkdtempSync(join(tmpdir(), 'folkmoot-bundle-'))
const probe = join(tree, 'src/http/health.ts')
const KEY = 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E'
const BUILD_MS = 120_000

beforeAll(async () => {
  for (const name of [...FOLDERS, ...FILES])
    cpSync(join(HERE, name), join(tree, name), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(HERE, 'node_modules'), join(tree, 'node_modules'))
  const building = Bun.spawn([process.execPath, 'run', 'build'], { cwd: tree, stderr: 'pipe' })
  if ((await building.exited) !== 0) throw new Error(await new Response(building.stderr).text())
  // A source that differs from the bundle, and does not look it: what the server says tells which of them it is.
  const { atime, mtime } = statSync(probe)
  const text = readFileSync(probe, 'utf8')
  const changed = text.replace("status: 'ok'", "status: 'no'")
  expect(changed).not.toBe(text)
  writeFileSync(probe, changed)
  utimesSync(probe, atime, mtime)
}, BUILD_MS)

afterAll(() => rmSync(tree, { recursive: true, force: true }))

const saysOf = async (base: string) => (await get('/healthz', { base })).body.status

test(
  'a bundle serves everything that the sources do',
  async () => {
    const site = await startDemoSite({ WORKER: 'embedded' }, tree)
    const base = site.url
    expect(await saysOf(base)).toBe('ok')

    for (const page of site.pages) {
      const { status } = await get(page.path, { base, session: site.sessionOf(page) })
      expect([page.name, status < 500, status]).toEqual([page.name, true, status])
    }
    const event = site.demo.events[0]?.id
    const { text } = await get(`/events/${event}`, { base })
    const picture = /property="og:image" content="http:\/\/[^/]+([^"]+)"/.exec(text)?.[1] ?? ''
    const drawn = await fetch(base + picture)
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png'])

    for (const path of ['/docs', '/openapi.json', '/icons/192.png', '/feeds/events.ics', '/feeds/events.rss'])
      expect([path, (await get(path, { base })).status]).toEqual([path, 200])

    const { token = '' } = site.demo.people[0] ?? {}
    const listed = await post('/mcp', {
      base,
      token,
      headers: { accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    })
    expect(listed.body.result.tools.length).toBeGreaterThan(20)

    const bytes = png()
    const { uploadUrl, publicUrl } = await ask(token, asPng(bytes), base)
    expect((await send(uploadUrl, bytes, undefined, { base })).status).toBe(200)
    await until('the worker has looked at the picture', async () => (await fetch(publicUrl)).status === 200)
    await site.stop()
  },
  BUILD_MS,
)

test(
  'a bundle logs nothing of what people typed when a library fails, and says where in our code',
  async () => {
    const postgres = await startEmbeddedPostgres({
      dataDir: mkdtempSync(join(tmpdir(), 'folkmoot-postgres-')),
    })
    const server = await startServer({ DATABASE_URL: postgres.url }, tree)
    expect(await saysOf(server.url)).toBe('ok')
    expect((await fetch(`${server.url}/u/typed-by-somebody`)).status).toBe(404)
    // All of it at once: the drivers then have messages of their own, and no code.
    for (const pid of [postgres.pid, ...childrenOf(postgres.pid)]) process.kill(pid, 'SIGKILL')
    const isRefused = async () =>
      (await fetch(`${server.url}/u/typed-by-somebody-${randomHex(4)}`)).status === 503
    await until('the outage shows', isRefused)
    for (const said of ['requests are refused for now', 'the database is not heard'])
      await until(`the log says: ${said}`, () => server.output().includes(said))
    for (const message of ['typed-by-somebody', 'Failed query', 'Connection terminated unexpectedly'])
      expect(server.output()).not.toContain(message)
    await server.stop()
    await postgres.stop()

    const { sourceOf } = await import(join(tree, 'src/lifecycle/bundle.ts'))
    const bundle = join(tree, 'dist/folkmoot.js')
    const lines = readFileSync(bundle, 'utf8').split('\n')
    const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1
    expect(sourceOf(bundle, lineOf('class DrizzleQueryError extends'))).toContain('node_modules/drizzle-orm')
    expect(sourceOf(bundle, lineOf('function reasonOf('))).toBe('src/core/reason.ts')
    expect(sourceOf(bundle, 1)).toBeUndefined()
  },
  BUILD_MS,
)

test(
  'the doctor of a bundle finds what that of the sources does',
  async () => {
    const environment = { DATABASE_URL: await ownDatabase(), DATA_DIR: join(tree, 'data'), SECRET_KEY: KEY }
    const findings = async (root: string) => {
      const { output } = await command(['doctor', '--json'], environment, root)
      return (JSON.parse(output).data.checks as Finding[]).map(({ name, state, todo }) => [name, state, todo])
    }
    const found = await findings(tree)
    expect(found).toContainEqual(['migrations', 'ok', null])
    expect(found).toEqual(await findings(HERE))
  },
  BUILD_MS,
)

test(
  'a bundle is left alone as soon as one of its sources is saved',
  async () => {
    const now = new Date()
    utimesSync(probe, now, now)
    const server = await startServer({ DATABASE_URL: process.env.TEST_DATABASE_URL as string }, tree)
    expect(await saysOf(server.url)).toBe('no')
    await server.stop()
  },
  BUILD_MS,
)

test(
  'what is installed starts without a registry',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'folkmoot-offline-'))
    const port = String(await freePort())
    const up = Bun.spawn([process.execPath, 'run', 'up'], {
      cwd: tree,
      // Nobody listens there, and nothing that an earlier installation fetched is at hand.
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        BUN_CONFIG_REGISTRY: 'http://127.0.0.1:9',
        BUN_INSTALL_CACHE_DIR: join(folder, 'cache'),
        DATABASE_URL: await ownDatabase(),
        DATA_DIR: folder,
        PORT: port,
      },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until('it is ready', isReady, 60_000)
    up.kill('SIGTERM')
    await up.exited
    expect(await new Response(up.stderr).text()).not.toContain('127.0.0.1:9')
    rmSync(folder, { recursive: true, force: true })
  },
  BUILD_MS,
)
