import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { look } from '@/lifecycle/process-table'
import { explained } from '../support/explained'
import { load } from '../support/load'
import { figure, parseMetrics, scrape } from '../support/metrics'
import { childrenOf } from '../support/process-tree'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedToken } from '../support/seed'

const SEVERAL = { PROCESSES: '2', RATE_LIMIT_USER_PER_HOUR: '10000000' }

/** Nobody was there to take the connection, or whoever took it was killed. */
const isLost = (error: unknown) =>
  /ECONNREFUSED|ConnectionRefused|ECONNRESET|ConnectionClosed/.test(
    String((error as { code?: string }).code ?? error),
  )
const wasNotSent = (error: unknown) =>
  /ECONNREFUSED|ConnectionRefused/.test(String((error as { code?: string }).code ?? error))

const apiProcessesOf = (pid: number) =>
  childrenOf(pid).filter(({ command }) => command.includes('api-process'))

/** What the server says of processes that ended. */
const endings = (server: ServerProcess) =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes('a process has ended and is started again'))
    .map((line) => JSON.parse(line))
    .map(({ level, code, signal }) => ({ level, code, signal }))

const gone = (pids: number[]) => () => pids.every((pid) => look(pid) === undefined)

test('a process that is killed is started again, and the others answer meanwhile', async () => {
  const databaseUrl = await ownDatabase()
  const token = await seedToken(databaseUrl)
  const metricsPort = String(await freePort())
  const server = await startServer({ ...SEVERAL, DATABASE_URL: databaseUrl, METRICS_PORT: metricsPort })
  const traffic = load(`${server.url}/v1/me`, token, 16, isLost)
  await traffic.answers(200)
  const before = apiProcessesOf(server.pid).map(({ pid }) => pid)
  expect(before.length).toBe(2)
  process.kill(before[0] as number, 'SIGKILL')
  await until('there are two again', () => {
    const now = apiProcessesOf(server.pid).map(({ pid }) => pid)
    return now.length === 2 && !now.includes(before[0] as number)
  })
  await traffic.answers(500)
  const { statuses } = await traffic.stop()
  expect(Object.keys(statuses)).toEqual(['200'])
  expect(endings(server)).toEqual([{ level: 'error', code: null, signal: 'SIGKILL' }])

  await until('both tell their figures', async () => {
    const families = parseMetrics(await scrape(metricsPort))
    return ['parent', '1', '2'].every(
      (process) => (figure(families, 'process_resident_memory_bytes', { process }) ?? 0) > 0,
    )
  })
  expect(await server.stop()).toBe(0)
})

test('a process stopped by a signal is no error, ready or not', async () => {
  const server = await startServer({ ...SEVERAL, DATABASE_URL: await ownDatabase() })
  await until('all are ready', () => server.output().includes('"message":"ready"'))
  const first = apiProcessesOf(server.pid).map(({ pid }) => pid)
  process.kill(first[0] as number, 'SIGTERM')
  await until('it has ended', () => endings(server).length === 1)
  expect(endings(server)).toEqual([{ level: 'info', code: 0, signal: null }])
  // The one in its place has not got as far as to listen for signals.
  await until('there is another', () => {
    const young = apiProcessesOf(server.pid).find(({ pid }) => !first.includes(pid))
    if (young) process.kill(young.pid, 'SIGTERM')
    return young !== undefined
  })
  await until('it has ended, too', () => endings(server).length === 2)
  expect(endings(server)[1]).toMatchObject({ level: 'info' })
  expect(await server.stop()).toBe(0)
})

test('SIGTERM under load: all processes answer what was sent to them, and leave with the server', async () => {
  const databaseUrl = await ownDatabase()
  const token = await seedToken(databaseUrl)
  const server = await startServer({ ...SEVERAL, DATABASE_URL: databaseUrl, WORKER: 'embedded' })
  // Both look the token up once. On a busy machine so many at once may find no connection in time, which is another matter.
  const first = load(`${server.url}/v1/me`, token, 32)
  await first.answers(500)
  await first.stop()
  const traffic = load(`${server.url}/v1/me`, token, 32, wasNotSent)
  await traffic.answers(1000)
  const pids = apiProcessesOf(server.pid).map(({ pid }) => pid)
  const exit = await server.stop('SIGTERM')
  const { statuses, failed, faults } = await traffic.stop()
  expect({ exit, statuses: Object.keys(statuses), failed, faults }).toEqual({
    exit: 0,
    statuses: ['200'],
    failed: 0,
    faults: [],
  })
  expect(gone(pids)()).toBe(true)
})

test('SIGTERM while one of them is still starting: the others answer what was sent to them', async () => {
  const databaseUrl = await ownDatabase()
  const token = await seedToken(databaseUrl)
  const starting = startServer({ ...SEVERAL, DATABASE_URL: databaseUrl })
  let slow = 0
  await until('one begins', () => {
    slow = childrenOf(process.pid).flatMap(({ pid }) => apiProcessesOf(pid))[0]?.pid ?? 0
    if (slow > 0) process.kill(slow, 'SIGSTOP')
    return slow > 0
  })
  const server = await starting
  const traffic = load(`${server.url}/v1/me`, token, 16, wasNotSent)
  await traffic.answers(500)
  expect(server.output()).not.toContain('"message":"ready"')
  const exiting = server.stop('SIGTERM')
  await until('it is told', () => server.output().includes('"message":"stopping"'))
  process.kill(slow, 'SIGCONT')
  const exit = await exiting
  const { failed, faults } = await traffic.stop()
  expect({ exit, failed, faults }).toEqual({ exit: 0, failed: 0, faults: [] })
})

test('processes and the embedded database go when the server is killed', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'folkmoot-processes-'))
  const server = await startServer({ ...SEVERAL, DATA_DIR, SECRET_KEY: '' })
  const pids = childrenOf(server.pid).map(({ pid }) => pid)
  expect(pids.length).toBeGreaterThanOrEqual(3)
  await server.stop('SIGKILL')
  await until('all of them are gone', gone(pids))
  rmSync(DATA_DIR, { recursive: true, force: true })
})

test('a port that is taken is said once, in a sentence', async () => {
  const taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { code, sentence } = await explained('src/server.ts', {
    ...SEVERAL,
    DATABASE_URL: await ownDatabase(),
    PORT: String(taken.port),
  })
  await taken.stop(true)
  expect([code, sentence]).toEqual([1, expect.stringMatching(/^PORT \d+ is in use: stop the other program/)])
})
