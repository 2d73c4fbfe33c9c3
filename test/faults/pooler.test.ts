import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Finding } from '@/cli/doctor/finding'
import { openPool, type Pool } from '@/db/pool/pool'
import { findPooler } from '@/db/servers/pooler'
import { runFolkmoot } from '../support/command-line'
import { explained } from '../support/explained'
import { type PoolMode, startPgbouncer } from '../support/pgbouncer'
import { ownDatabase, startServer, startWorker, until } from '../support/processes'
import { type Seeded, seedEvent, seedPeople } from '../support/seed'
import { emptyDatabase } from '../support/upgrades/histories'
import { usualDeadlines } from '../support/usual-deadlines'

type Pgbouncer = Awaited<ReturnType<typeof startPgbouncer>>

let database: string
let outside: postgres.Sql
const before = {} as Record<PoolMode, Pgbouncer>

beforeAll(async () => {
  database = await ownDatabase()
  outside = postgres(database, { max: 1, onnotice: () => {} })
  for (const mode of ['session', 'transaction', 'statement'] as const)
    before[mode] = await startPgbouncer(database, mode, ['default_pool_size = 100'])
})

afterAll(async () => {
  await outside?.end()
  for (const pgbouncer of Object.values(before)) await pgbouncer.stop()
})

describe('a pooler', () => {
  test('is known by its mode, however many connections it holds already', async () => {
    expect(await findPooler(database)).toBe('none')
    for (const mode of ['session', 'transaction', 'statement'] as const)
      expect(await findPooler(before[mode].url)).toBe(mode)
    for (const lines of [['server_round_robin = 1'], ['default_pool_size = 1'], ['min_pool_size = 5']]) {
      const shared = await startPgbouncer(database, 'transaction', lines)
      expect(await findPooler(shared.url)).toBe('transaction')
      await shared.stop()
    }
    const narrow = await startPgbouncer(database, 'session', ['default_pool_size = 1'])
    expect(await findPooler(narrow.url)).toBe('session')
    await narrow.stop()
  })

  test('that cannot carry all is refused with a sentence', async () => {
    const start = (environment: Record<string, string>) => explained('src/server.ts', environment)
    expect(await start({ DATABASE_URL: before.transaction.url })).toEqual({
      code: 1,
      sentence:
        'DATABASE_URL leads to a pooler in transaction mode, which cannot LISTEN or hold locks: set DATABASE_DIRECT_URL to PostgreSQL itself.',
    })
    expect((await start({ DATABASE_URL: before.statement.url })).sentence).toMatch(
      /^DATABASE_URL leads to a pooler in statement mode, .* set its pool_mode to session or transaction\.$/,
    )
    expect(
      (await start({ DATABASE_URL: before.transaction.url, DATABASE_DIRECT_URL: before.transaction.url }))
        .sentence,
    ).toMatch(/^DATABASE_DIRECT_URL leads to a pooler in transaction mode/)
    expect(
      (await start({ DATABASE_URL: before.transaction.url, DATABASE_DIRECT_URL: await ownDatabase() }))
        .sentence,
    ).toMatch(/^DATABASE_DIRECT_URL leads to another database than DATABASE_URL/)
  })
})

describe('the commands of an operator behind a pooler', () => {
  const inTransactions = () => ({ DATABASE_URL: before.transaction.url })
  const past = () => ({ ...inTransactions(), DATABASE_DIRECT_URL: database })
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-pooler-'))
  const file = join(folder, 'past.backup')
  const STORAGE_URL = `file://${folder}/files`

  test('make a backup in transaction mode, with another address for sessions and without', async () => {
    await seedPeople(database, 3)
    for (const [name, settings] of [
      ['through', inTransactions()],
      ['past', past()],
    ] as const) {
      const to = join(folder, `${name}.backup`)
      const { exitCode, output } = await runFolkmoot(['backup', '--to', to], { ...settings, STORAGE_URL })
      expect([name, exitCode, output]).toEqual([name, 0, expect.stringContaining('as it was written')])
    }
  })

  test('restore by the address for sessions alone, and say so', async () => {
    const empty = await emptyDatabase()
    const shared = await startPgbouncer(empty, 'transaction')
    const restore = (settings: Record<string, string>) =>
      runFolkmoot(['restore', file], { DATABASE_URL: shared.url, STORAGE_URL, ...settings })
    const refused = await restore({})
    expect([refused.exitCode, refused.errors]).toEqual([
      1,
      expect.stringContaining('set DATABASE_DIRECT_URL to PostgreSQL itself.'),
    ])
    const { exitCode, output } = await restore({ DATABASE_DIRECT_URL: empty })
    expect([exitCode, output]).toEqual([0, expect.stringContaining('compared with the backup')])
    await shared.stop()
  })

  test('look at it: the doctor names its mode, and what is missing', async () => {
    const found = async (settings: Record<string, string>) => {
      const { output } = await runFolkmoot(['doctor', '--json'], { ...settings, STORAGE_URL })
      const checks = JSON.parse(output).data.checks as Finding[]
      return checks.filter(({ name }) => /^(pooler|database|migrations)$/.test(name))
    }
    const well = { state: 'ok' }
    expect(await found(past())).toMatchObject([well, { ...well, name: 'pooler' }, well])
    expect(await found(inTransactions())).toMatchObject([
      well,
      { name: 'pooler', state: 'wrong', todo: 'Set DATABASE_DIRECT_URL to PostgreSQL itself.' },
      well,
    ])
  })
})

for (const mode of ['session', 'transaction'] as const)
  describe(`in ${mode} mode`, () => {
    const environment = () => ({
      DATABASE_URL: before[mode].url,
      DATABASE_POOL: '6',
      RATE_LIMIT_USER_PER_HOUR: '1000000',
      ...(mode === 'transaction' && { DATABASE_DIRECT_URL: database }),
    })

    test('requests, changes on another process, queues and long reads work', async () => {
      const servers = await Promise.all([startServer(environment()), startServer(environment())])
      const worker = startWorker(environment())
      await until('the worker is ready', () => worker.output().includes('worker ready'))
      const { groupId, eventId, owner } = await seedEvent(database, { maxAttendees: 20 })
      const people = (await seedPeople(database, 40, ['write:events', 'manage:events'])) as Seeded[]
      /** Whoever is told to come again does. */
      const ask = async (at: number, path: string, token: string, method = 'GET', body?: object) => {
        for (;;) {
          const response = await fetch(`${servers[at % 2]?.url}${path}`, {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              ...(body && { 'content-type': 'application/json' }),
            },
            body: body && JSON.stringify(body),
          })
          if (response.status !== 503) return response
          await Bun.sleep(100)
        }
      }
      // Capacity is kept by locks in transactions, on two processes that share sessions.
      const answers = await Promise.all(
        people.map(({ token }, at) => ask(at, `/v1/events/${eventId}/rsvp`, token, 'POST')),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      const [counted] = await outside`
        select count(*) filter (where status = 'confirmed')::int as confirmed, count(*)::int as all
        from rsvps where event_id = ${eventId}`
      expect(counted).toEqual({ confirmed: 20, all: 40 })
      // A name changed on one process is read anew on the other, which has it in its cache.
      const title = async () => {
        const { data } = (await (await ask(1, `/v1/events/${eventId}`, owner.token)).json()) as {
          data: { title: string }
        }
        return data.title
      }
      await title()
      const changed = await ask(0, `/v1/manage/groups/${groupId}/events/${eventId}`, owner.token, 'PATCH', {
        title: `Behind a pooler in ${mode} mode`,
      })
      expect(changed.status).toBe(200)
      await until('the other hears', async () => (await title()) === `Behind a pooler in ${mode} mode`)
      // Outbox, reactions and schedules go through BullMQ's own connections.
      await until('all events are relayed', async () => {
        const [row] = await outside`select count(*)::int as waiting from outbox where relayed_at is null`
        return row?.waiting === 0
      })
      for (const { output } of [...servers, worker])
        expect(output()).not.toMatch(/"level":"error"|cannot be (used|opened)|is not heard/)
      for (const server of servers) await server.stop()
      await worker.stop()
    })

    test('settings hold for each statement, and no session is left with them', async () => {
      using _ = usualDeadlines()
      const NO_TYPES = { parsers: {}, serializers: {} }
      const options = { max: 4, statementTimeoutMs: 700, name: 'pooler-test' }
      const pool: Pool = openPool(before[mode].url, options, NO_TYPES, () => true)
      const ask = (text: string, parameters: unknown[] = []) =>
        pool.statement(text, parameters, (statement) => statement)
      const failure = await ask('select pg_sleep($1::int)', [60]).catch((error) => error)
      expect(failure.code).toBe('57014')
      const inside = await pool
        .transaction((send) => send('select pg_sleep($1::int)', [60], (statement) => statement))
        .catch((error) => error)
      expect(inside.code).toBe('57014')
      // The same texts, by name where there are names, on whichever session comes along.
      const sums = await Promise.all(
        Array.from({ length: 60 }, async (_, at) => (await ask('select $1::int + 1 as sum', [at]))[0]?.sum),
      )
      expect(sums).toEqual(Array.from({ length: 60 }, (_, at) => at + 1))
      await pool.close()
      if (mode === 'session') return
      const stranger = postgres(before.transaction.url, { max: 1, prepare: false })
      expect((await stranger.unsafe('show statement_timeout'))[0]?.statement_timeout).toBe('0')
      await stranger.end()
    })
  })
