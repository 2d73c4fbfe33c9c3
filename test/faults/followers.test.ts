import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { del, get, patch } from '../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'

const FANS = 60_000

/** So many that writing them all takes longer than a statement may. */
describe('someone with sixty thousand followers', () => {
  let server: ServerProcess
  let sql: postgres.Sql
  let people: Seeded[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 4, ['user', 'admin'])
    const [admin, ...stars] = people as [Seeded, ...Seeded[]]
    await sql`update users set role = 'admin' where id = ${admin.id}`
    await sql`insert into users (id, name, username, following_count)
      select gen_random_uuid(), 'Fan of ' || md5(n::text), 'fan-' || n, ${stars.length}
      from generate_series(1, ${FANS}) as n`
    for (const { id } of stars) {
      await sql`insert into follows (follower_id, followee_id) select id, ${id} from users where name like 'Fan %'`
      await sql`update users set follower_count = ${FANS} where id = ${id}`
    }
    server = await startServer({ DATABASE_URL: databaseUrl })
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
  })

  test('is hidden, suspended and deleted like anybody', async () => {
    const [admin, shy, suspended, deleted] = people as [Seeded, Seeded, Seeded, Seeded]
    const base = server.url
    const following = async () =>
      (await sql`select distinct following_count from users where name like 'Fan %'`).map(
        (row) => row.following_count,
      )
    const hiding = await patch('/v1/profile', {
      base,
      token: shy.token,
      json: { profileVisibility: 'private' },
    })
    expect([hiding.status, await following()]).toEqual([200, [2]])
    const suspending = await patch(`/v1/admin/users/${suspended.id}`, {
      base,
      token: admin.token,
      json: { suspended: true },
    })
    expect([suspending.status, await following()]).toEqual([200, [1]])
    expect((await get('/v1/me', { base, token: suspended.token })).status).toBe(401)
    const deleting = await del(`/v1/admin/users/${deleted.id}`, { base, token: admin.token })
    expect([deleting.status, await following()]).toEqual([204, [0]])
  }, 180_000)
})
