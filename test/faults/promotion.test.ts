import { afterAll, describe, expect, test } from 'bun:test'
import { runFolkmoot } from '../support/command-line'
import { figure, parseMetrics, scrape } from '../support/metrics'
import { type ServerProcess, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { type Seeded, seedEvent, seedPeople } from '../support/seed'
import { startPair, type TestCluster } from '../support/standby'

type Check = { name: string; state: string; found: string; todo: string | null }

/** What the doctor says, by name. */
async function doctor(environment: Record<string, string>): Promise<Record<string, Check | undefined>> {
  const { output } = await runFolkmoot(['doctor', '--json'], { DATA_DIR: '/nonexistent', ...environment })
  const { checks } = (JSON.parse(output) as { data: { checks: Check[] } }).data
  return Object.fromEntries(checks.map((check) => [check.name, check]))
}

const WRITERS = 8
/** For a machine that does much else; the time that it took is printed. */
const AT_MOST_MS = 30_000

const clusters: TestCluster[] = []
const servers: ServerProcess[] = []

afterAll(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  for (const cluster of clusters) await cluster.stop()
})

const start = async (environment: Record<string, string>) => {
  const server = await startServer({
    RATE_LIMIT_USER_PER_HOUR: '1000000',
    QUOTA_TOKENS: '1000000',
    WORKER: 'embedded',
    ...environment,
  })
  servers.push(server)
  return server
}

const write = (url: string, token: string) =>
  fetch(`${url}/v1/profile/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'written', scopes: ['read:user'] }),
  }).catch(() => undefined)

describe('two hosts in DATABASE_URL', () => {
  test('the primary is killed under load and the standby promoted: nothing acknowledged is lost, all comes back', async () => {
    const [primary, standby] = await startPair()
    clusters.push(primary, standby)
    // The standby first: connections go to whoever takes writes, not to whoever is named first.
    const { password } = new URL(primary.url)
    const DATABASE_URL = `postgres://folkmoot:${password}@${standby.host},${primary.host}/folkmoot?target_session_attrs=read-write`
    const people = (await seedPeople(primary.url, WRITERS)) as Seeded[]
    const { groupId, eventId, owner } = await seedEvent(primary.url)
    const [one, other] = [await start({ DATABASE_URL }), await start({ DATABASE_URL })] as const
    expect(one.output()).toContain(`"host":"${primary.host}"`)

    const acknowledged = new Map<string, { sentAt: number; at: number }>()
    const statuses = new Set<number | undefined>()
    let isOver = false
    const writers = people.map(async ({ token }, at) => {
      while (!isOver) {
        const sentAt = performance.now()
        const response = await write((at % 2 ? one : other).url, token)
        statuses.add(response?.status)
        if (response?.status === 201)
          acknowledged.set(((await response.json()) as { data: { id: string } }).data.id, {
            sentAt,
            at: performance.now(),
          })
        else await Bun.sleep(20)
      }
    })
    await until('there is a load', () => acknowledged.size > 100)
    await primary.kill()
    const before = acknowledged.size
    const promotedAt = performance.now()
    await standby.promote()
    await until('writes are taken again', () => acknowledged.size > before + 50, AT_MOST_MS)
    isOver = true
    await Promise.all(writers)
    const after = [...acknowledged.values()].filter(({ sentAt }) => sentAt > promotedAt)
    const first = Math.min(...after.map(({ at }) => at))
    console.log(`first write ${Math.round(first - promotedAt)} ms after the promotion was ordered`)

    const kept = new Set((await standby.sql`select id from personal_tokens`).map(({ id }) => String(id)))
    expect([...acknowledged.keys()].filter((id) => !kept.has(id))).toEqual([])
    expect(statuses).toEqual(new Set([201, 503]))

    // Processes hear each other again, over the new primary.
    const titleAt = async (server: ServerProcess) => {
      const response = await fetch(`${server.url}/v1/events/${eventId}`, {
        headers: { authorization: `Bearer ${owner.token}` },
      })
      return ((await response.json()) as { data?: { title: string } }).data?.title
    }
    await titleAt(other)
    const change = await fetch(`${one.url}/v1/manage/groups/${groupId}/events/${eventId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'After the promotion' }),
    })
    expect(change.status).toBe(200)
    await until('the other hears', async () => (await titleAt(other)) === 'After the promotion')
    await until('listeners are on the new primary', async () => {
      const [row] = await standby.sql`select count(*)::int as count from pg_stat_activity
        where application_name = 'folkmoot-notify-channel'`
      return row?.count === 2
    })
    await until('the relay works on it', async () => {
      const [row] = await standby.sql`select count(*)::int as count from outbox where relayed_at is null`
      return row?.count === 0
    })

    // The old primary comes back without having been told that it is none: it takes writes, and gets none.
    const [writer] = people as [Seeded]
    await primary.start()
    const countAt = async ({ sql }: TestCluster) => {
      const [row] = await sql`select count(*)::int as count from personal_tokens where user_id = ${writer.id}`
      return Number(row?.count)
    }
    const [strayed, landed] = [await countAt(primary), await countAt(standby)]
    const late = await start({
      DATABASE_URL: `postgres://folkmoot:${password}@${primary.host},${standby.host}/folkmoot`,
    })
    expect(late.output()).toContain('another host takes writes, too')
    for (const server of [one, other, late]) expect((await write(server.url, writer.token))?.status).toBe(201)
    expect([await countAt(primary), await countAt(standby)]).toEqual([strayed, landed + 3])
  })

  test('an old primary returns while the promoted one is away: processes that saw the promotion do not write to it', async () => {
    const [primary, standby] = await startPair({ isSynchronous: false })
    clusters.push(primary, standby)
    const { password } = new URL(primary.url)
    const DATABASE_URL = `postgres://folkmoot:${password}@${primary.host},${standby.host}/folkmoot?target_session_attrs=read-write`
    const people = (await seedPeople(primary.url, 4)) as Seeded[]
    const [person] = people as [Seeded]
    await until('the standby has it all', async () => {
      const [row] =
        await primary.sql`select bool_and(replay_lsn >= pg_current_wal_insert_lsn()) as all from pg_stat_replication`
      return row?.all === true
    })
    const metrics = await freePort()
    const knowing = await start({ DATABASE_URL, METRICS_PORT: String(metrics) })
    await primary.kill()
    await standby.promote()
    await until('writes go on', async () => (await write(knowing.url, person.token))?.status === 201)
    await primary.start()
    await until('two primaries are noticed by a process at rest', () =>
      knowing.output().includes('another host takes writes, too'),
    )
    expect(figure(parseMetrics(await scrape(metrics)), 'folkmoot_database_primaries')).toBe(2)
    expect((await doctor({ DATABASE_URL })).hosts).toMatchObject({
      state: 'wrong',
      found: `More than one takes writes: ${primary.host} takes writes on timeline 1; ${standby.host} takes writes on timeline 2.`,
      todo: expect.stringContaining('Stop all but'),
    })

    const acknowledged: string[] = []
    let isOver = false
    let refused = 0
    const writers = people.map(async ({ token }) => {
      while (!isOver) {
        const response = await write(knowing.url, token)
        if (response?.status === 201)
          acknowledged.push(((await response.json()) as { data: { id: string } }).data.id)
        else {
          expect(response?.status).toBe(503)
          refused += 1
          await Bun.sleep(20)
        }
      }
    })
    await until('there is a load', () => acknowledged.length > 20)
    await standby.kill()
    await until('the old primary is refused', () =>
      /"level":"error","message":"database: a host that has missed a promotion.*"timeline":1,"latest":2/.test(
        knowing.output(),
      ),
    )
    // The server remembers what no look at the hosts can tell.
    const PORT = new URL(knowing.url).port
    const told = await doctor({ DATABASE_URL, PORT })
    expect(told.server).toMatchObject({ state: 'wrong' })
    expect(told.hosts).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining(
        `${primary.host} has missed a promotion, which the server on this machine`,
      ),
      todo: expect.stringContaining(`Stop PostgreSQL on ${primary.host}`),
    })
    expect(told.standbys?.todo).toBe('Do what is said of "hosts" first.')
    const untold = await doctor({ DATABASE_URL, PORT: String(await freePort()) })
    expect(untold.hosts).toMatchObject({
      state: 'warning',
      todo: expect.stringMatching(
        /^Look at the machine that does not answer first\. If there is a file above 0000000\d\.history in its pg_wal/,
      ),
    })
    // Whoever begins now cannot know.
    const fresh = await start({ DATABASE_URL })
    expect((await write(fresh.url, person.token))?.status).toBe(201)
    const refusedBefore = refused
    await until('writes are refused meanwhile', () => refused > refusedBefore + 5)
    const before = acknowledged.length
    await standby.start()
    await until('writes are taken again', () => acknowledged.length > before + 20, AT_MOST_MS)
    isOver = true
    await Promise.all(writers)
    const idsAt = async ({ sql }: TestCluster) =>
      new Set((await sql`select id from personal_tokens`).map(({ id }) => String(id)))
    const kept = await idsAt(standby)
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])

    await until('who could not know has left the old one', () =>
      /"level":"error","message":"database: left a host that has missed a promotion.*"timeline":1,"latest":2/.test(
        fresh.output(),
      ),
    )
    const astray = await idsAt(primary)
    await until('it writes again', async () => (await write(fresh.url, person.token))?.status === 201)
    expect((await idsAt(primary)).size).toBe(astray.size)
    await until('nobody is connected to the old one', async () => {
      const [row] = await primary.sql`select count(*)::int as count from pg_stat_activity
        where application_name like 'folkmoot%' and application_name <> 'folkmoot-look'`
      return row?.count === 0
    })
  })

  test('a synchronous standby that is away: the log and the doctor say what writes wait for', async () => {
    const [primary, standby] = await startPair()
    clusters.push(primary, standby)
    const [person] = (await seedPeople(primary.url, 1)) as [Seeded]
    await primary.sql`create role plain login password 'plain'`
    await primary.sql`grant pg_read_all_data to plain`
    const plain = primary.url.replace(/folkmoot:[^@]+@/, 'plain:plain@')
    const standbys = async (DATABASE_URL: string) => (await doctor({ DATABASE_URL })).standbys
    const connected = 'Commits wait for 1 standby (synchronous_standby_names), and 1 is connected'
    expect(await standbys(primary.url)).toMatchObject({ state: 'ok', found: `${connected}.` })
    expect(await standbys(plain)).toMatchObject({
      state: 'ok',
      found: `${connected}; whether it confirms is seen after: runuser -u postgres -- psql -c "grant pg_read_all_stats to plain"`,
    })
    const server = await start({ DATABASE_URL: primary.url })
    await standby.kill()
    expect((await write(server.url, person.token))?.status).toBe(503)
    await until('the log says it', () => server.output().includes('"code":"COMMIT_SILENT"'))
    for (const url of [primary.url, plain])
      expect(await standbys(url)).toMatchObject({
        state: 'wrong',
        found: expect.stringMatching(
          /^Commits wait for 1 standby .+ and 0 are connected.*: writes are answered 503\.$/,
        ),
        todo: expect.stringMatching(
          new RegExp(
            `^Start the standby.+Only if no other host was promoted after this one.+, on ${primary.host}: .+alter system reset`,
          ),
        ),
      })
    // It is one of the hosts, and may be away because it was promoted.
    const both = `postgres://folkmoot:${new URL(primary.url).password}@${primary.host},${standby.host}/folkmoot`
    expect(await standbys(both)).toMatchObject({
      state: 'wrong',
      todo: expect.stringMatching(/^Do what is said of "hosts" first\. Only if no other host was promoted /),
    })
    await standby.start()
    await until('writes are taken again', async () => (await write(server.url, person.token))?.status === 201)
    expect(await standbys(primary.url)).toMatchObject({ state: 'ok' })
  })

  test('a primary that becomes a standby under its connections is left, and another is found', async () => {
    const [primary, standby] = await startPair({ isSynchronous: false })
    clusters.push(primary, standby)
    const { password } = new URL(primary.url)
    const DATABASE_URL = `postgres://folkmoot:${password}@${primary.host},${standby.host}/folkmoot`
    const [person] = (await seedPeople(primary.url, 1)) as [Seeded]
    await until('the standby knows them', async () => {
      const [row] = await standby.sql`select count(*)::int as count from users where id = ${person.id}`
      return row?.count === 1
    })
    const server = await start({ DATABASE_URL })
    expect((await write(server.url, person.token))?.status).toBe(201)
    expect((await doctor({ DATABASE_URL })).standbys).toMatchObject({
      state: 'warning',
      found: `Commits wait for no standby, and 1 is connected: what is acknowledged may be lost with ${primary.host}.`,
      todo: expect.stringContaining('Let commits wait for it: step 3'),
    })
    // Connections that are open take no more writes, as those of a server that was demoted in place.
    await standby.promote()
    await primary.sql.unsafe('alter system set default_transaction_read_only = on')
    await primary.sql.unsafe('select pg_reload_conf()')
    await until('writes go to the other', async () => (await write(server.url, person.token))?.status === 201)
    const [row] =
      await standby.sql`select count(*)::int as count from personal_tokens where user_id = ${person.id}`
    expect(row?.count).toBeGreaterThanOrEqual(2)
    expect(server.output()).toContain(`"host":"${standby.host}"`)
    expect(server.output()).not.toMatch(/"status":500/)
  })
})
