import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runFolkmoot } from '../support/command-line'
import { figure, parseMetrics, scrape } from '../support/metrics'
import { type ServerProcess, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedEvent } from '../support/seed'
import { startPair, type TestCluster } from '../support/standby'

let primary: TestCluster
let standby: TestCluster
const servers: ServerProcess[] = []

beforeAll(async () => {
  ;[primary, standby] = await startPair({ isSynchronous: false })
})

afterAll(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  for (const cluster of [primary, standby]) await cluster.stop()
})

const start = async (seconds: number, environment: Record<string, string> = {}) => {
  const server = await startServer({
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: standby.url,
    DATABASE_REPLICA_MAX_LAG: String(seconds),
    RATE_LIMIT_USER_PER_HOUR: '1000000',
    ...environment,
  })
  servers.push(server)
  return server
}

let questions = 0
/** The titles in a public feed, each time by another filter that all of them match: none of it comes from a cache. */
const titlesAt = async (server: ServerProcess, path?: string) => {
  questions += 1
  const asked =
    path ??
    `/feeds/events.json?from=20${10 + (questions % 10)}-01-01T00:00:${String(questions % 60).padStart(2, '0')}Z`
  const response = await fetch(`${server.url}${asked}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { items: { title: string }[] }).items.map(
    ({ title }) => title.split(' · ')[0],
  )
}

/** An event that comes without a message: whoever reads a replica that is behind cannot know of it. */
async function addSilently(title: string) {
  const seeded = await seedEvent(primary.url)
  await primary.sql`update events set title = ${title} where id = ${seeded.eventId}`
  return seeded
}

async function untilCaughtUp() {
  await until('the standby has it all', async () => {
    const [row] =
      await primary.sql`select bool_and(replay_lsn >= pg_current_wal_insert_lsn()) as all from pg_stat_replication`
    return row?.all === true
  })
}

const pause = () => standby.sql`select pg_wal_replay_pause()`
const resume = () => standby.sql`select pg_wal_replay_resume()`

/** What the doctor says of replicas. */
async function doctorOf(DATABASE_REPLICA_URL: string) {
  const { output } = await runFolkmoot(['doctor', '--json'], {
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL,
    DATABASE_REPLICA_MAX_LAG: '1',
    DATA_DIR: '/nonexistent',
  })
  const { checks } = (JSON.parse(output) as { data: { checks: { name: string }[] } }).data
  return checks.filter(({ name }) => name === 'replica')
}

describe('a read replica', () => {
  test('is looked at by the doctor: one that follows, one of a wrong password, and the primary itself', async () => {
    await untilCaughtUp()
    const { password } = new URL(standby.url)
    expect(await doctorOf(standby.url)).toMatchObject([{ state: 'ok' }])
    expect(await doctorOf(standby.url.replace(password, 'wrong'))).toMatchObject([
      { state: 'warning', found: expect.stringContaining('cannot be asked') },
    ])
    expect(await doctorOf(primary.url)).toMatchObject([
      { state: 'warning', found: expect.stringContaining('takes writes') },
    ])
  })

  test('answers public lists, and never with data older than a received change', async () => {
    const [one, other] = [await start(3600), await start(3600)] as const
    const { groupId, eventId, owner } = await addSilently('Before')
    await untilCaughtUp()
    // Control: replay stands still, and what nobody was told of is not seen. So it is the replica that answers.
    await until('the replica answers', async () => {
      await pause()
      const marker = `Silent ${questions}`
      await addSilently(marker)
      const isFromReplica =
        !(await titlesAt(one)).includes(marker) && !(await titlesAt(other)).includes(marker)
      await resume()
      await untilCaughtUp()
      return isFromReplica
    })
    await pause()
    const kept = '/feeds/events.json'
    await titlesAt(one, kept)
    await titlesAt(other, kept)
    const changed = await fetch(`${one.url}/v1/manage/groups/${groupId}/events/${eventId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'After' }),
    })
    expect(changed.status).toBe(200)
    // Whoever wrote reads it at once, from the cache that it dropped and from all others.
    for (const path of [kept, undefined, undefined]) expect(await titlesAt(one, path)).toContain('After')
    await until('the other process hears', async () => (await titlesAt(other, kept)).includes('After'))
    for (let again = 0; again < 5; again += 1) {
      expect(await titlesAt(other)).toContain('After')
      expect(await titlesAt(other, kept)).toContain('After')
    }
    // Once it has come after, it answers again.
    await resume()
    await untilCaughtUp()
    await until('the replica answers again', async () => {
      await pause()
      const marker = `Silent ${questions}`
      await addSilently(marker)
      const isFromReplica = !(await titlesAt(one)).includes(marker)
      await resume()
      await untilCaughtUp()
      return isFromReplica
    })
    expect(await titlesAt(one)).toContain('After')
  })

  test('that is behind for longer than allowed, is away, or is no standby, is not read, and that is said once', async () => {
    const metrics = await freePort()
    const server = await start(1, { METRICS_PORT: String(metrics) })
    const { eventId } = await seedEvent(primary.url)
    await untilCaughtUp()
    const look = async () => {
      const families = parseMetrics(await scrape(metrics))
      const [staleness = 0, usable] = ['staleness_seconds', 'usable'].map((name) =>
        figure(families, `folkmoot_database_replica_${name}`, { host: standby.host }),
      )
      return { staleness, usable }
    }
    await until('it is used', async () => (await look()).usable === 1)
    await pause()
    await primary.sql`update events set title = 'Late' where id = ${eventId}`
    // It is asked for a while whether it has come after, and is not read while it is too old.
    let isOld = false
    await until('it is said', async () => {
      const { staleness, usable } = await look()
      if (isOld) expect(usable).toBe(0)
      isOld ||= staleness > 1
      return server.output().includes('"why":"it is behind"')
    })
    await until('the primary answers', async () => (await titlesAt(server)).includes('Late'))
    // How far it is behind is told all the more.
    await until('it grows', async () => (await look()).staleness > 2)
    expect(await doctorOf(standby.url)).toMatchObject([
      { state: 'warning', found: expect.stringContaining(`${standby.host} is behind`) },
    ])
    await resume()
    await until('it is used again', () => server.output().includes('a replica is used again'))
    await standby.kill()
    for (let again = 0; again < 5; again += 1) expect(await titlesAt(server)).toContain('Late')
    await until('it is said', () => server.output().includes('"why":"it cannot be asked"'))
    await standby.start()
    await until(
      'it is used again',
      () => (server.output().match(/a replica is used again/g) ?? []).length === 2,
    )
    await standby.promote()
    await until('it is said', () => server.output().includes('"why":"it is no standby of this database"'))
    await addSilently('On the primary')
    expect(await titlesAt(server)).toContain('On the primary')
    for (const why of ['it is behind', 'it cannot be asked', 'it is no standby of this database'])
      expect(server.output().split(`"why":"${why}"`).length).toBe(2)
  })
})
