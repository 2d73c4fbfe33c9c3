import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { load } from '../support/load'
import { startPgbouncer } from '../support/pgbouncer'
import { childrenOf } from '../support/process-tree'
import { ownDatabase, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedToken } from '../support/seed'

const PROCESSES = 3

test('a rolling restart behind a pooler answers every request without 503', async () => {
  const database = await ownDatabase()
  const pgbouncer = await startPgbouncer(database, 'transaction')
  const token = await seedToken(database)
  const PORT = await freePort()
  const server = await startServer({
    DATABASE_URL: pgbouncer.url,
    DATABASE_DIRECT_URL: database,
    PORT: String(PORT),
    PROCESSES: String(PROCESSES),
    RATE_LIMIT_USER_PER_HOUR: '1000000',
  })
  await until('all are ready', () => server.output().includes('"message":"ready"'))
  const pids = () =>
    childrenOf(server.pid).flatMap(({ pid, command }) => (command.includes('api-process') ? pid : []))
  const traffic = load(`${server.url}/v1/profile/tokens`, token, 16)
  for (const pid of pids()) {
    process.kill(pid, 'SIGTERM')
    await until('another listens', () => !pids().includes(pid) && listeners(PORT) === PROCESSES, 60_000)
    await traffic.answers(200)
  }
  const { statuses, failed, faults } = await traffic.stop()
  await server.stop()
  await pgbouncer.stop()
  console.log('rolling restarts:', statuses)
  expect({ statuses: Object.keys(statuses), failed, faults }).toEqual({
    statuses: ['200'],
    failed: 0,
    faults: [],
  })
})

/** How many processes share a port, as the kernel counts them. */
function listeners(port: number): number {
  const listening = `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`
  return readFileSync('/proc/net/tcp', 'utf8').split(listening).length - 1
}
