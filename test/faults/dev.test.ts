import { afterAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesNaming } from '../support/process-tree'
import { until } from '../support/processes'
import { freePort } from '../support/redis'

const root = join(import.meta.dir, '../..')
const PARTS = [
  'src',
  'workers',
  'scripts',
  'migrations',
  'docs',
  'package.json',
  'bun.lock',
  'bunfig.toml',
  'tsconfig.json',
]

/** A copy, so that what is saved here changes nothing there. */
const tree = mkdtempSync(join(tmpdir(), 'folkmoot-dev-'))
const dataDir = join(tree, 'data')
for (const part of PARTS) cpSync(join(root, part), join(tree, part), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))

afterAll(() => {
  for (const { pid } of processesNaming(dataDir)) process.kill(pid, 'SIGKILL')
  rmSync(tree, { recursive: true, force: true })
})

test('bun run dev restarts the server on every save, keeps the database, and ends with Ctrl-C', async () => {
  const port = await freePort()
  const dev = Bun.spawn([process.execPath, 'run', 'dev'], {
    cwd: tree,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'ignore'],
    // A group of its own, as a terminal gives it.
    detached: true,
  })
  const version = () =>
    fetch(`http://127.0.0.1:${port}/openapi.json`)
      .then(async (response) => ((await response.json()) as { info: { version: string } }).info.version)
      .catch(() => undefined)
  const save = (text: string) => writeFileSync(join(tree, 'src/core/version.ts'), text)
  const postmaster = () => readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]

  await until('it is ready', async () => (await version()) !== undefined, 60_000)
  const database = postmaster()
  const versions = (name: string) => `export const VERSION = '${name}'\nexport const API_VERSION = VERSION\n`
  for (const name of ['first', 'second', 'third']) {
    save(versions(name))
    await until(`the ${name} save is served`, async () => (await version()) === name, 30_000)
  }
  // Several at once, one of them half-written.
  save('export const VERSION = ')
  save(`export const VERSION = 'half' +`)
  await until('what cannot be read is not served', async () => (await version()) === undefined, 30_000)
  save(versions('mended'))
  await until('the mended save is served', async () => (await version()) === 'mended', 30_000)
  expect(postmaster()).toBe(database)

  process.kill(-dev.pid, 'SIGINT')
  await until('nothing is left', () => processesNaming(dataDir).length === 0, 20_000)
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false)
}, 180_000)
