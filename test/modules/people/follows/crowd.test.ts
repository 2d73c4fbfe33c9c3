import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { del, get, patch } from '../../../support/api'
import { ownDatabase, type ServerProcess, startServer, until } from '../../../support/processes'
import { type Seeded, seedPeople } from '../../../support/seed'

/** Three slices. */
const FANS = 2500
const IDOLS = 1200
const AT_ONCE = 250

describe('a person whom thousands follow', () => {
  let server: ServerProcess
  let sql: postgres.Sql
  let star: Seeded
  let admin: Seeded
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    const people = await seedPeople(databaseUrl, 2, ['user', 'admin'])
    ;[star, admin] = people as [Seeded, Seeded]
    await sql`update users set role = 'admin' where id = ${admin.id}`
    await sql`insert into users (id, name, username) select gen_random_uuid(), 'Fan', 'fan-' || n
      from generate_series(1, ${FANS}) as n`
    await sql`insert into follows (follower_id, followee_id) select id, ${star.id} from users where name = 'Fan'`
    await sql`insert into follows (follower_id, followee_id) select ${star.id}, id from users
      where name = 'Fan' order by username limit ${IDOLS}`
    await sql`update users set
      follower_count = (select count(*) from follows where followee_id = users.id),
      following_count = (select count(*) from follows where follower_id = users.id)`
    await sql`create table changes (id serial, people int not null)`
    await sql.unsafe(`create function write_down() returns trigger language plpgsql as $$
      begin insert into changes (people) select count(*) from changed; return null; end $$;
      create trigger written_down after update on users referencing new table as changed
        for each statement execute function write_down()`)
    server = await startServer({ DATABASE_URL: databaseUrl })
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
  })

  /** How many fans have which counts. */
  const counts = async () =>
    (
      await sql`select follower_count, following_count, count(*)::int as fans from users where name = 'Fan'
        group by 1, 2 order by 1, 2`
    ).map((row) => [row.follower_count, row.following_count, row.fans])

  const counted = [
    [0, 1, FANS - IDOLS],
    [1, 1, IDOLS],
  ]
  const uncounted = [[0, 0, FANS]]

  /** How many people each statement of a call wrote. */
  async function changesOf(call: () => Promise<{ status: number }>, status: number) {
    await sql`truncate changes`
    expect((await call()).status).toBe(status)
    const written = async (): Promise<number[]> =>
      (await sql`select people from changes where people > 1 order by id`).map(({ people }) => people)
    // The answer does not wait for long work.
    await until('the counts of all fans are written', async () => {
      const fans = (await written()).reduce((sum, people) => sum + people, 0)
      return fans >= FANS
    })
    return written()
  }

  const inSlices = Array.from({ length: FANS / AT_ONCE }, () => AT_ONCE)
  const show = (profileVisibility: string) => () =>
    patch('/v1/profile', { base: server.url, token: star.token, json: { profileVisibility } })
  const suspend = (suspended: boolean) => () =>
    patch(`/v1/admin/users/${star.id}`, { base: server.url, token: admin.token, json: { suspended } })

  test('leaves sight and comes back with every count, a portion at a time and each of them once', async () => {
    expect(await counts()).toEqual(counted)
    expect(await changesOf(show('private'), 200)).toEqual(inSlices)
    expect(await counts()).toEqual(uncounted)
    expect(await changesOf(show('public'), 200)).toEqual(inSlices)
    expect(await counts()).toEqual(counted)
  })

  test('is suspended, let back in and deleted the same way', async () => {
    expect(await changesOf(suspend(true), 200)).toEqual(inSlices)
    expect(await counts()).toEqual(uncounted)
    expect((await get('/v1/me', { base: server.url, token: star.token })).status).toBe(401)
    expect(await changesOf(suspend(false), 200)).toEqual(inSlices)
    expect(await counts()).toEqual(counted)
    const remove = () => del(`/v1/admin/users/${star.id}`, { base: server.url, token: admin.token })
    expect(await changesOf(remove, 204)).toEqual(inSlices)
    expect(await counts()).toEqual(uncounted)
  })
})
