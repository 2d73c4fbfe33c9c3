import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Redis from 'ioredis'
import { sealer } from '@/auth/secrets'
import { newId } from '@/core/ids'
import { VERSION } from '@/core/version'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { DEMO_DOMAIN } from '@/db/migrate/installation'
import { runFolkmoot } from '../support/command-line'
import { startMailServer } from '../support/mail-server'
import { ownDatabase, until } from '../support/processes'
import { freePort, startRedis } from '../support/redis'
import { databaseOf, HISTORIES, type History } from '../support/upgrades/histories'
import { uploadWorld } from '../support/upload-world'

type Check = { name: string; state: string; found: string; todo: string | null }

const KEY = 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E'
const SECRET = 'hunter2-is-no-password'

/** Whoever runs the tests may have a server on the usual one. */
const nobodysPort = async () => String(await freePort())

/** What the doctor says, by name and how it stands. */
async function doctor(environment: Record<string, string>) {
  const DATA_DIR = environment.DATA_DIR ?? join(mkdtempSync(join(tmpdir(), 'folkmoot-doctor-')), 'data')
  const PORT = await nobodysPort()
  const { output, errors, exitCode } = await runFolkmoot(['doctor', '--json'], {
    DATA_DIR,
    PORT,
    ...environment,
  })
  expect(output + errors).not.toContain(SECRET)
  expect(output + errors).not.toContain(KEY)
  const { isWell, checks } = JSON.parse(output).data as { isWell: boolean; checks: Check[] }
  expect(exitCode).toBe(isWell ? 0 : 1)
  const of = (state: string) => checks.filter((check) => check.state === state).map(({ name }) => name)
  for (const { state, todo } of checks) expect(todo === null).toBe(state === 'ok')
  return { checks, of, about: (name: string) => checks.find((check) => check.name === name) }
}

describe('folkmoot doctor', () => {
  test('finds nothing wrong with a healthy server', async () => {
    const { sql, ready, databaseUrl, storageUrl } = await uploadWorld()
    await ready()
    await sql`update users set role = 'admin'`
    await sql`insert into heartbeats (worker, at) values ('worker', now())`
    const [{ id: ownerId }] = await sql`select id from users`
    const [open, webhookId] = [sealer('webhook', KEY), newId()]
    await sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values (${webhookId}, ${ownerId}, 'https://folk.example', '{*}', '{user}', ${open.seal(Buffer.from('x'), webhookId)})`
    await sql`insert into installation (use, backed_up_at) values ('production', now() - interval '3 hours')`
    const smtp = await startMailServer()
    const { checks, of, about } = await doctor({
      DATABASE_URL: databaseUrl,
      STORAGE_URL: storageUrl,
      STORAGE_KEEP_FREE: '0',
      SMTP_URL: smtp.url,
    })
    await smtp.stop()
    expect(of('wrong')).toEqual([])
    expect(about('backup')?.found).toBe('The last one was made 3 hours ago.')
    // Nobody but this machine, and no server beside it.
    expect(of('warning')).toEqual(['address', 'server'])
    expect(checks.map(({ name }) => name)).toEqual([
      ...[
        'address',
        'server',
        'files',
        'open files',
        'disk',
        'redis',
        'mail',
        'sign-in',
        'database',
        'pooler',
      ],
      ...[
        'connections',
        'clock',
        'migrations',
        'key',
        'administrators',
        'demo',
        'worker',
        'given up',
        'unfinished',
        'backup',
        'storage',
      ],
    ])
    await sql.close()
  }, 20_000)

  test('finds problems, says what to do, and prints no secret', async () => {
    const { sql, ready, databaseUrl, storageUrl, storage } = await uploadWorld()
    await storage.remove((await ready()).name)
    const [{ id: ownerId }] = await sql`select id from users`
    const [other, webhookId, eventId] = [sealer('webhook', 'another key'), newId(), newId()]
    await sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values (${webhookId}, ${ownerId}, 'https://folk.example', '{*}', '{user}', ${other.seal(Buffer.from('x'), webhookId)})`
    await sql`update users set email = ${`robin@${DEMO_DOMAIN}`}`
    await sql`insert into heartbeats (worker, at) values ('worker', now() - interval '5 minutes')`
    await sql`insert into outbox (id, type, payload, created_at)
      values (${newId()}, 'user.updated', '{}', now() - interval '10 minutes')`
    await sql`insert into outbox (id, type, payload, relayed_at) values (${eventId}, 'user.updated', '{}', now())`
    await sql`insert into reactions (fact_id, listener, status) values (${eventId}, 'token-mail', 'dead')`
    await sql`insert into ended_groups (group_id) values (${newId()}), (${newId()})`
    const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-doctor-')), 'data')
    mkdirSync(DATA_DIR, { mode: 0o700 })
    writeFileSync(join(DATA_DIR, 'secret-key'), 'x')
    chmodSync(join(DATA_DIR, 'secret-key'), 0o644)
    const smtp = await startMailServer({
      authOptional: false,
      onAuth: (_auth, _session, answer) => answer(new Error('no')),
    })
    const redis = await startRedis(Bun.which('redis-server') as string, tmpdir())
    const client = new Redis(redis.url)
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    client.disconnect()
    const { of, about } = await doctor({
      DATABASE_URL: databaseUrl,
      STORAGE_URL: storageUrl,
      STORAGE_KEEP_FREE: String(Number.MAX_SAFE_INTEGER),
      BASE_URL: 'http://folk.invalid',
      DATA_DIR,
      SMTP_URL: smtp.url.replace('//', `//folk:${SECRET}@`),
      REDIS_URL: redis.url,
    })
    await Promise.all([smtp.stop(), redis.stop(), sql.close()])
    expect(of('wrong').sort()).toEqual(
      [
        'address',
        'files',
        'disk',
        'redis',
        'mail',
        'key',
        'administrators',
        'demo',
        'worker',
        'storage',
      ].sort(),
    )
    expect(of('warning')).toEqual(['server', 'public address', 'given up', 'unfinished', 'backup'])
    expect(about('files')).toMatchObject({ todo: `Close it: chmod go= '${DATA_DIR}/secret-key'` })
    expect(about('mail')?.found).toBe(
      'It cannot be used: the mail server refuses the user or the password (EAUTH).',
    )
    expect(about('redis')).toMatchObject({ todo: expect.stringContaining('maxmemory-policy noeviction') })
    expect(about('worker')?.found).toBe(
      'The last sign of life of a worker is 5 minutes old. Work has waited for 10 minutes.',
    )
    expect(about('unfinished')?.found).toContain('deleted groups (2)')
    expect(about('administrators')?.todo).toContain('folkmoot admin create')
    expect(about('storage')?.found).toContain('1 missing')
  }, 30_000)

  test('reports a running release that differs from the installed one', async () => {
    const figures = Bun.serve({
      port: 0,
      fetch: () => new Response('folkmoot_build_info{version="0.9.0",role="api",process="1"} 1\n'),
    })
    const DATABASE_URL = await ownDatabase()
    const { about } = await doctor({ DATABASE_URL, METRICS_PORT: String(figures.port) })
    await figures.stop()
    expect(about('release')).toMatchObject({
      state: 'warning',
      found: `0.9.0 runs, and the files that lie here are of ${VERSION}.`,
    })
  }, 30_000)

  test('reports open file modes and fixes none', async () => {
    const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-doctor-')), 'data')
    const settings = { DATA_DIR, SECRET_KEY: '' }
    expect((await runFolkmoot(['migrate'], settings)).exitCode).toBe(0)
    const open = [DATA_DIR, join(DATA_DIR, 'secret-key'), join(DATA_DIR, 'postgres-password')]
    const modes = () => open.map((path) => statSync(path).mode & 0o777)
    for (const path of open) chmodSync(path, 0o755)
    const { checks, about } = await doctor(settings)
    expect(checks.filter(({ name }) => name === 'files').map(({ found }) => found)).toEqual(
      open.map((path) => `${path} is open to others (mode 755).`),
    )
    // It has opened the database by itself, as no server runs.
    expect(about('database')?.state).toBe('ok')
    expect(about('worker')?.todo).toStartWith('Start the server, without WORKER=none')
    await runFolkmoot(['jobs'], settings)
    await runFolkmoot(['migrate', '--check'], settings)
    expect(modes()).toEqual([0o755, 0o755, 0o755])

    const [doubt, key] = (await doctor({ DATA_DIR, SECRET_KEY: KEY })).checks.filter(
      ({ name }) => name === 'key',
    )
    expect(doubt).toMatchObject({ state: 'wrong', todo: expect.stringContaining('Take SECRET_KEY out') })
    expect(key?.state).toBe('ok')

    const cluster = join(DATA_DIR, 'postgres')
    chmodSync(cluster, 0o755)
    const refused = await doctor(settings)
    expect(refused.about('database')).toMatchObject({
      found: expect.stringContaining('is open to others (mode 755), and PostgreSQL refuses it so.'),
      todo: expect.stringContaining('chmod go='),
    })
    expect(statSync(cluster).mode & 0o777).toBe(0o755)

    expect((await runFolkmoot(['migrate'], settings)).exitCode).toBe(0)
    expect(modes()).toEqual([process.getuid?.() === 0 ? 0o711 : 0o700, 0o600, 0o600])
  }, 60_000)

  test('reports what it can while the database, Redis and the storage are unreachable', async () => {
    const { of, about } = await doctor({
      DATABASE_URL: `postgres://folk:${SECRET}@127.0.0.1:1/folk`,
      REDIS_URL: `redis://:${SECRET}@127.0.0.1:1`,
    })
    expect(of('wrong')).toEqual(['redis', 'sign-in', 'database'])
    expect(about('database')).toMatchObject({
      found: 'The database of DATABASE_URL cannot be used (ECONNREFUSED).',
      todo: expect.stringContaining('Check that it runs'),
    })
    expect(about('redis')?.found).toBe('It cannot be used: nothing listens at that address (ECONNREFUSED).')
    expect(about('data')?.state).toBe('warning')
    const embedded = await doctor({})
    expect(embedded.about('database')?.todo).toContain('"folkmoot migrate" makes a first one')
  }, 20_000)

  test('names pg_hba.conf if that refuses it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'folkmoot-doctor-'))
    const postgres = await startEmbeddedPostgres({ dataDir })
    writeFileSync(join(dataDir, 'postgres/pg_hba.conf'), 'host folkmoot all 127.0.0.1/32 scram-sha-256\n')
    process.kill(postgres.pid, 'SIGHUP')
    const url = new URL(postgres.url)
    url.pathname = '/trial'
    const look = async () => (await doctor({ DATABASE_URL: url.href })).about('database')
    await until('it is in force', async () => (await look())?.found.includes('28000') === true)
    expect(await look()).toMatchObject({
      found: 'The database of DATABASE_URL cannot be used (28000).',
      todo: expect.stringContaining('pg_hba.conf on its machine, which needs a line for this database'),
    })
    await postgres.stop()
  }, 30_000)

  test('warns about a worker without a recent heartbeat', async () => {
    const { sql, ready, databaseUrl, storageUrl } = await uploadWorld()
    await ready()
    await sql`insert into heartbeats (worker, at) values ('worker', now() - interval '38 seconds')`
    const { about } = await doctor({ DATABASE_URL: databaseUrl, STORAGE_URL: storageUrl })
    expect(about('worker')).toMatchObject({
      state: 'warning',
      todo: expect.stringContaining('bun run worker'),
    })
  }, 20_000)

  test('finds a worker that does not keep up', async () => {
    const { sql, ready, databaseUrl, storageUrl } = await uploadWorld()
    await ready()
    await sql`insert into heartbeats (worker, at) values ('worker', now())`
    await sql`with happened as (
        insert into outbox (id, type, payload, relayed_at)
        values (uuidv7(interval '-9 minutes'), 'user.updated', '{}', now()) returning id
      ) insert into reactions (fact_id, listener) select id, 'rsvp-mail' from happened`
    await sql`insert into mails (id, address, letter, fact, urgency, created_at, due_at, expires_at)
      values (uuidv7(), 'x@y.example', 'sign-in', 'x', 1, now(), now() - interval '20 minutes', now() + interval '1 day')`
    const { about } = await doctor({ DATABASE_URL: databaseUrl, STORAGE_URL: storageUrl })
    expect(about('worker')).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining(
        'A reaction to an event has waited for 9 minutes. A letter has waited for 20 minutes.',
      ),
      todo: expect.stringContaining('folkmoot jobs'),
    })
  }, 20_000)

  test('distinguishes pending migrations from an unknown history', async () => {
    const [oldest] = HISTORIES as [History, ...History[]]
    const behind = await doctor({ DATABASE_URL: await databaseOf(oldest) })
    expect(behind.about('migrations')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/^\d+ migrations of this release have not been run: 0001_/),
    })
    const newer = { name: 'newer', steps: [...oldest.steps, { text: 'select 1', when: Date.UTC(2100, 0) }] }
    const ahead = await doctor({ DATABASE_URL: await databaseOf(newer) })
    expect(ahead.about('migrations')).toMatchObject({
      state: 'wrong',
      found: 'The database was brought up to date by a newer release than this one.',
    })
    expect(ahead.about('data')?.state).toBe('warning')
  }, 20_000)

  test('detects that another program answers in place of PostgreSQL', async () => {
    const url = new URL(await ownDatabase())
    const { port, hostname } = new URL(url)
    // As a pooler does: whoever greets us names another process than the one that works for us.
    const between = createServer((client) => {
      const server = connect(Number(port), hostname)
      client.pipe(server)
      server.on('data', (data: Buffer) => {
        const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
        if (at >= 0) data.writeUInt32BE(data.readUInt32BE(at + 5) + 1, at + 5)
        client.write(data)
      })
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one.on('close', () => other.destroy()).on('error', () => other.destroy())
    })
    await new Promise<void>((resolve) => void between.listen(0, '127.0.0.1', resolve))
    url.port = String((between.address() as AddressInfo).port)
    const { about } = await doctor({ DATABASE_URL: url.href })
    expect(about('pooler')).toMatchObject({ state: 'ok', found: 'One in session mode.' })
    expect(about('worker')).toMatchObject({ state: 'warning', found: 'No worker has given a sign of life.' })
    between.close()
  }, 20_000)

  test('prints a line per check, the remedy below it, and a summary', async () => {
    const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-doctor-')), 'data')
    const { output, exitCode } = await runFolkmoot(['doctor'], { DATA_DIR, PORT: await nobodysPort() })
    expect(exitCode).toBe(1)
    expect(output).toMatch(/^wrong {4}sign-in {9}There is no way to sign in\.\n {25}→ Set SMTP_URL/m)
    expect(output).toMatch(/\n\n3 things are wrong, 2 warnings\.\n$/)
  })
})

test('the doctor finds settings files that others can read', async () => {
  const settings = join(mkdtempSync(join(tmpdir(), 'folkmoot-settings-')), 'folkmoot.env')
  writeFileSync(settings, `DATABASE_URL=postgres://folk:${SECRET}@127.0.0.1:1/folk\nSECRET_KEY=${KEY}\n`)
  const about = async (mode: number) => {
    chmodSync(settings, mode)
    const words = [process.execPath, `--env-file=${settings}`, 'src/folkmoot.ts', 'doctor', '--json']
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: '/nonexistent' }
    const output = await new Response(
      Bun.spawn(words, { cwd: join(import.meta.dir, '../..'), env, stdout: 'pipe', stderr: 'ignore' }).stdout,
    ).text()
    expect(output).not.toContain(SECRET)
    return (JSON.parse(output).data.checks as Check[]).filter(({ name }) => name === 'files')
  }
  expect(await about(0o644)).toEqual([
    {
      name: 'files',
      state: 'wrong',
      found: `${settings} is open to others (mode 644).`,
      todo: `Close it: chmod o= '${settings}'`,
    },
  ])
  expect(await about(0o640)).toMatchObject([{ state: 'ok' }])
}, 90_000)
