import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuQuota, familyOf } from '../support/cpu-quota'
import { load } from '../support/load'
import { startPostgres } from '../support/postgres'
import { startServer } from '../support/processes'
import { seedToken } from '../support/seed'

/** Another release to try. */
const TREE = process.env.STARVED_TREE

test('with a fifteenth of a processor for server and database, answers are slow and none is 503', async () => {
  const database = await startPostgres(mkdtempSync(join(tmpdir(), 'folkmoot-starved-')))
  const server = await startServer(
    { DATABASE_URL: database.url, RATE_LIMIT_USER_PER_HOUR: '1000000', DATABASE_POOL: '4' },
    TREE,
  )
  const tokens = await Promise.all(Array.from({ length: 12 }, () => seedToken(database.url)))
  const group = cpuQuota(1 / 15)
  if (!group) return console.log('!! no control groups: a starved machine is NOT tested')
  const pids = [...familyOf(database.pid()), ...familyOf(server.pid)]
  group.add(pids)
  const traffic = tokens.map((token) => load(`${server.url}/v1/profile/tokens`, token, 2))
  await Bun.sleep(12_000)
  const found = await Promise.all(traffic.map(({ stop }) => stop()))
  group.end()
  const statuses: Record<string, number> = {}
  for (const { statuses: some } of found)
    for (const [status, count] of Object.entries(some)) statuses[status] = (statuses[status] ?? 0) + count
  console.log(
    'starved:',
    statuses,
    'without an answer:',
    found.reduce((sum, { failed }) => sum + failed, 0),
  )
  await server.stop()
  await database.stop()
  expect(Object.keys(statuses)).toEqual(['200'])
}, 90_000)
