import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { del, get, patch } from '../support/api'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'

const LONG_MS = 120_000

/** An administrator and people whom everyone called a fan follows, with every count as it should be. */
async function seedStars(databaseUrl: string, sql: postgres.Sql, stars: number, fans: number) {
  const people = await seedPeople(databaseUrl, stars + 1, ['user', 'admin'])
  const [admin, ...followed] = people as [Seeded, ...Seeded[]]
  await sql`update users set role = 'admin' where id = ${admin.id}`
  await sql`insert into users (id, name, username, following_count)
    select gen_random_uuid(), 'Fan of ' || md5(n::text), 'fan-' || n, ${stars}
    from generate_series(1, ${fans}::int) as n`
  for (const { id } of followed) {
    await sql`insert into follows (follower_id, followee_id) select id, ${id} from users where name like 'Fan %'`
    await sql`update users set follower_count = ${fans} where id = ${id}`
  }
  await sql`analyze users, follows`
  return people
}

/** What the fans count, each number once. */
const followingOf = async (sql: postgres.Sql) =>
  (
    await sql`select distinct following_count from users where name like 'Fan %' order by following_count`
  ).map((row) => row.following_count)

/** People whose counts are not what the rows say. */
const wrong = async (sql: postgres.Sql) =>
  (
    await sql`
      with followers as (
        select followee_id as id, count(*) as people from follows join users on users.id = follower_id and is_public group by 1
      ), following as (
        select follower_id as id, count(*) as people from follows join users on users.id = followee_id and is_public group by 1
      )
      select username from users left join followers using (id) left join following using (id)
      where follower_count <> coalesce(followers.people, 0) or following_count <> coalesce(following.people, 0)`
  ).map(({ username }) => username)

const untilCounted = (sql: postgres.Sql) =>
  until('everyone is counted', async () => (await sql`select 1 from uncounted`).length === 0, LONG_MS)

/** So many that writing them all takes longer than a statement may. */
describe('someone with sixty thousand followers', () => {
  let server: ServerProcess
  let sql: postgres.Sql
  let people: Seeded[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    people = await seedStars(databaseUrl, sql, 3, 60_000)
    server = await startServer({ DATABASE_URL: databaseUrl })
  }, LONG_MS)
  afterAll(async () => {
    await sql.end()
    await server.stop()
  })

  test('can be hidden, suspended and deleted', async () => {
    const [admin, shy, suspended, deleted] = people as [Seeded, Seeded, Seeded, Seeded]
    const base = server.url
    const hiding = await patch('/v1/profile', {
      base,
      token: shy.token,
      json: { profileVisibility: 'private' },
    })
    expect(hiding.status).toBe(200)
    await untilCounted(sql)
    expect([await followingOf(sql), await wrong(sql)]).toEqual([[2], []])

    const suspending = await patch(`/v1/admin/users/${suspended.id}`, {
      base,
      token: admin.token,
      json: { suspended: true },
    })
    expect(suspending.status).toBe(200)
    expect((await get('/v1/me', { base, token: suspended.token })).status).toBe(401)
    expect((await get(`/v1/users/${suspended.username}`, { base, token: shy.token })).status).toBe(404)
    await untilCounted(sql)
    expect([await followingOf(sql), await wrong(sql)]).toEqual([[1], []])

    const deleting = await del(`/v1/admin/users/${deleted.id}`, { base, token: admin.token })
    expect(deleting.status).toBe(204)
    expect((await get('/v1/me', { base, token: deleted.token })).status).toBe(401)
    await untilCounted(sql)
    expect([await followingOf(sql), await wrong(sql)]).toEqual([[0], []])
    expect(await sql`select 1 from follows where followee_id = ${deleted.id} limit 1`).toHaveLength(0)
  }, 180_000)
})

describe('someone with ten thousand followers', () => {
  const FANS = 10_000
  let databaseUrl: string
  let sql: postgres.Sql
  let admin: Seeded
  let star: Seeded
  const open: { stop(signal?: NodeJS.Signals): Promise<unknown> }[] = []
  const serve = async (environment: Record<string, string> = {}) => {
    const server = await startServer({ DATABASE_URL: databaseUrl, ...environment })
    open.push(server)
    return server
  }
  const suspend = (server: ServerProcess, suspended: boolean) =>
    patch(`/v1/admin/users/${star.id}`, { base: server.url, token: admin.token, json: { suspended } })
  const remove = (server: ServerProcess) =>
    del(`/v1/admin/users/${star.id}`, { base: server.url, token: admin.token })
  beforeEach(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
    ;[admin, star] = (await seedStars(databaseUrl, sql, 1, FANS)) as [Seeded, Seeded]
  }, LONG_MS)
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop('SIGKILL')
    await sql.end()
  })

  for (const [what, change] of [
    ['suspended', (server: ServerProcess) => suspend(server, true)],
    ['deleted', remove],
  ] as const) {
    test(`is ${what}, and the process dies among the portions: a worker counts the rest`, async () => {
      const server = await serve()
      const held = await sql.reserve()
      await held`begin`
      // The portions come in the order of ids, so this one stops the last of them.
      await held`select 1 from users where name like 'Fan %' order by id desc limit 1 for update`
      expect((await change(server)).status).toBeLessThan(300)
      expect((await get('/v1/me', { base: server.url, token: star.token })).status).toBe(401)
      await until(
        'all portions but the last are done',
        async () =>
          (await sql`select 1 from users where name like 'Fan %' and following_count = 1`).length <= 1000,
        LONG_MS,
      )
      await server.stop('SIGKILL')
      await held`rollback`
      held.release()
      expect(await followingOf(sql)).toEqual([0, 1])
      open.push(startWorker({ DATABASE_URL: databaseUrl }))
      await untilCounted(sql)
      expect([await followingOf(sql), await wrong(sql)]).toEqual([[0], []])
    }, 180_000)

    test(`is ${what}, and the process dies before the first portion: a worker counts them all`, async () => {
      const doomed = await serve({ FOLKMOOT_MODE: 'test', FOLKMOOT_FAILPOINT: 'after-commit' })
      expect(await change(doomed).catch(() => 'no answer')).toBe('no answer')
      expect(await followingOf(sql)).toEqual([1])
      open.push(startWorker({ DATABASE_URL: databaseUrl }))
      await untilCounted(sql)
      expect([await followingOf(sql), await wrong(sql)]).toEqual([[0], []])
    }, 180_000)
  }

  test('is suspended and let back in, over and over: the last word counts', async () => {
    const [one, other] = [await serve(), await serve()]
    for (const last of [false, true]) {
      for (const [server, suspended] of [
        [one, true],
        [other, false],
        [one, true],
        [other, false],
        [one, last],
      ] as const)
        expect((await suspend(server, suspended)).status).toBe(200)
      await untilCounted(sql)
      expect([await followingOf(sql), await wrong(sql)]).toEqual([[last ? 0 : 1], []])
    }
  }, 180_000)
})
