import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, parseMetrics, scrape } from '../support/metrics'
import { childrenOf } from '../support/process-tree'
import { ownDatabase, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'

const HERE = join(import.meta.dir, '../..')

/** A server of its own files, which may become those of another release. */
function ownTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'folkmoot-release-'))
  for (const name of ['src', 'workers', 'migrations', 'docs', 'package.json', 'bunfig.toml', 'tsconfig.json'])
    cpSync(join(HERE, name), join(tree, name), { recursive: true })
  symlinkSync(join(HERE, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

test('a process that comes back as another release does not serve, until the files are those of the server again', async () => {
  const tree = ownTree()
  const [description, journal] = [join(tree, 'package.json'), join(tree, 'migrations/meta/_journal.json')]
  const [asReleased, history] = [description, journal].map((file) => readFileSync(file, 'utf8')) as [
    string,
    string,
  ]
  const metricsPort = String(await freePort())
  const server = await startServer(
    { PROCESSES: '2', DATABASE_URL: await ownDatabase(), METRICS_PORT: metricsPort },
    tree,
  )
  const running = () => childrenOf(server.pid).filter(({ command }) => command.includes('api-process'))
  const telling = async () => {
    const families = parseMetrics(await scrape(metricsPort))
    return ['1', '2'].filter(
      (process) => figure(families, 'process_resident_memory_bytes', { process }) !== undefined,
    )
  }
  const said = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('restart the server'))
      .map((line) => JSON.parse(line))
  await until('the server is ready', () => server.output().includes('"message":"ready"'))
  await until('both tell their figures', async () => (await telling()).length === 2)

  const version = JSON.parse(asReleased).version
  writeFileSync(description, asReleased.replace(`"version": "${version}"`, '"version": "99.0.0"'))
  process.kill(running()[0]?.pid as number, 'SIGKILL')
  await until('the server says what to do', () => said().length > 0)
  expect(said()[0]).toMatchObject({
    level: 'error',
    message: 'a process came back as another release, and does not serve: restart the server',
  })
  expect((await telling()).length).toBe(1)
  for (let request = 0; request < 20; request += 1)
    expect((await fetch(`${server.url}/readyz`, { keepalive: false })).status).toBe(200)

  // Of the same version with another schema it is another release, too.
  const shorter = JSON.parse(history)
  shorter.entries.pop()
  writeFileSync(journal, JSON.stringify(shorter))
  writeFileSync(description, asReleased)
  const attempts = new Set<number>()
  await until(
    'it was tried twice more in vain',
    () => {
      for (const { pid } of running()) attempts.add(pid)
      return attempts.size >= 4 && running().length === 1
    },
    30_000,
  )
  expect((await telling()).length).toBe(1)

  writeFileSync(journal, history)
  await until('both serve again', async () => (await telling()).length === 2)
  expect(await server.stop()).toBe(0)
  rmSync(tree, { recursive: true, force: true })
}, 90_000)
