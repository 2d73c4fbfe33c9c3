import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

describe('counts of followers over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let people: Seeded[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 20, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 24)
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  /** What the counts say and what the rows say, for everyone where the two differ. */
  const wrong = () => sql`
    select username, follower_count, following_count, real_followers, real_following from (
      select u.username, u.follower_count, u.following_count,
        (select count(*)::int from follows f join users o on o.id = f.follower_id where f.followee_id = u.id and o.profile_visibility = 'public') as real_followers,
        (select count(*)::int from follows f join users o on o.id = f.followee_id where f.follower_id = u.id and o.profile_visibility = 'public') as real_following
      from users u) c
    where follower_count <> real_followers or following_count <> real_following`

  test('equal the rows after everyone toggled everyone while others went in and out of sight', async () => {
    const before = await countDeadlocks(sql)
    const ask = (i: number, method: string, path: string, { token }: Seeded, body?: object) =>
      fetch(`${three.servers[i % 3]?.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      })
    const work = people.map(async (person, i) => {
      const statuses: number[] = []
      for (let round = 0; round < 40; round += 1) {
        const other = people[(i + 1 + ((round * 7) % (people.length - 1))) % people.length] as Seeded
        const response =
          i % 6 === 0
            ? await ask(round, 'PATCH', '/v1/profile', person, {
                profileVisibility: round % 2 ? 'public' : 'private',
              })
            : await ask(
                round,
                round % 3 === 2 ? 'DELETE' : 'POST',
                `/v1/users/${other.username}/follow`,
                person,
              )
        statuses.push(response.status)
      }
      return statuses
    })
    const statuses = (await Promise.all(work)).flat()
    expect([...new Set(statuses)].filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(100)
    expect(await wrong()).toHaveLength(0)
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('equal the rows without deadlocks, for overlapping sets too large for one statement', async () => {
    const before = await countDeadlocks(sql)
    const stars = people.slice(0, 3)
    await sql`update users set profile_visibility = 'public'`
    await sql`insert into users (id, name, username)
      select gen_random_uuid(), 'Fan', 'fan-' || n from generate_series(1, 2400) as n`
    // Each has two thirds of the fans, and shares half of them with each of the others.
    for (const [i, { id }] of stars.entries())
      await sql`insert into follows (follower_id, followee_id) select id, ${id} from users
        where name = 'Fan' and substr(username, 5)::int % 3 <> ${i}`
    for (const { id } of stars)
      await sql`insert into follows (follower_id, followee_id) select ${id}, follower_id from follows
        where followee_id = ${id} on conflict do nothing`
    await sql`analyze users, follows`
    await sql`update users set
      follower_count = (select count(*) from follows f join users o on o.id = f.follower_id where f.followee_id = users.id and o.is_public),
      following_count = (select count(*) from follows f join users o on o.id = f.followee_id where f.follower_id = users.id and o.is_public)`
    expect(await wrong()).toHaveLength(0)
    const statuses = await Promise.all(
      stars.map(async ({ token }, i) => {
        const answers: number[] = []
        for (const profileVisibility of ['private', 'public', 'private', 'public'])
          answers.push(await three.ask(i, 'PATCH', '/v1/profile', token, { profileVisibility }))
        return answers
      }),
    )
    expect(new Set(statuses.flat())).toEqual(new Set([200]))
    expect(await wrong()).toHaveLength(0)
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('control: reading a count and writing it back is caught', async () => {
    const [star, ...fans] = people as [Seeded, ...Seeded[]]
    await sql`delete from follows`
    await sql`update users set follower_count = 0, following_count = 0`
    await sql`update users set profile_visibility = 'public'`
    await Promise.all(
      fans.map(({ id }) =>
        sql.begin(async (tx) => {
          const [row] = await tx`select follower_count from users where id = ${star.id}`
          await tx`insert into follows (follower_id, followee_id) values (${id}, ${star.id})`
          await tx`update users set following_count = 1 where id = ${id}`
          await tx`update users set follower_count = ${Number(row?.follower_count) + 1} where id = ${star.id}`
        }),
      ),
    )
    expect((await wrong()).map(({ username }) => username)).toEqual([star.username])
  })
})
