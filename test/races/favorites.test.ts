import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

describe('counts of favorites over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let people: Seeded[]
  const groups = Array.from({ length: 4 }, (_, i) => ({ id: Bun.randomUUIDv7(), urlname: `contested-${i}` }))
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 30, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 24, ['write:favorites', 'read:groups'])
    await sql`insert into groups ${sql(groups.map((group) => ({ ...group, name: group.urlname })))}`
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  /** Groups of which the count and the rows tell different stories. */
  const wrong = async () =>
    (
      await sql`select urlname from groups g where favorites_count <>
        (select count(*) from favorites f where f.group_id = g.id) order by urlname`
    ).map(({ urlname }) => urlname)

  const ask = (i: number, method: string, path: string, { token }: Seeded) =>
    fetch(`${three.servers[i % 3]?.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })

  test('equal the rows after everyone toggled every group, and every process knows them', async () => {
    const before = await countDeadlocks(sql)
    const work = people.map(async (person, i) => {
      const statuses: number[] = []
      for (let round = 0; round < 30; round += 1) {
        const path = `/v1/favorites/${groups[(i + round) % groups.length]?.urlname}`
        const method = (i * 7 + round * 3) % 5 < 3 ? 'POST' : 'DELETE'
        // The same wish twice at once, at two processes, as an impatient finger would send it.
        const answers = await Promise.all([
          ask(round, method, path, person),
          ask(round + 1, method, path, person),
        ])
        statuses.push(...answers.map(({ status }) => status))
        if (method === 'POST') expect(answers.filter(({ status }) => status === 201).length).toBeLessThan(2)
      }
      return statuses
    })
    const statuses = (await Promise.all(work)).flat()
    expect([...new Set(statuses)].filter((status) => ![200, 201, 204].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(100)
    expect(await wrong()).toEqual([])
    expect((await countDeadlocks(sql)) - before).toBe(0)
    const rows = await sql`select urlname, favorites_count from groups`
    for (const [i] of three.servers.entries())
      await until('this process knows every count', async () => {
        const response = await ask(i, 'GET', '/v1/groups', people[0] as Seeded)
        const { data } = (await response.json()) as { data: { urlname: string; memberCount: number }[] }
        return rows.every(
          ({ urlname, favorites_count }) =>
            data.find((group) => group.urlname === urlname)?.memberCount === favorites_count,
        )
      })
  })

  test('favoriting a group that is being deleted ends with a favorite or a 404', async () => {
    for (let round = 0; round < 15; round += 1) {
      const id = Bun.randomUUIDv7()
      await sql`insert into groups (id, urlname, name) values (${id}, ${id}, 'Doomed')`
      const toggles = people.slice(0, 8).map(async (person, i) => {
        const first = await ask(i, 'POST', `/v1/favorites/${id}`, person)
        return [first.status, (await ask(i + 1, 'DELETE', `/v1/favorites/${id}`, person)).status]
      })
      const [statuses] = await Promise.all([
        Promise.all(toggles),
        Bun.sleep(round).then(() => sql`delete from groups where id = ${id}`),
      ])
      expect(statuses.flat().filter((status) => ![201, 204, 404].includes(status))).toEqual([])
    }
  })

  test('control: without the trigger, reading a count and writing it back is caught', async () => {
    await sql`drop trigger favorites_count on favorites`
    const [group] = groups as [(typeof groups)[0]]
    await sql`delete from favorites`
    await sql`update groups set favorites_count = 0`
    await Promise.all(
      people.map(({ id }) =>
        sql.begin(async (tx) => {
          const [row] = await tx`select favorites_count from groups where id = ${group.id}`
          await tx`insert into favorites (user_id, group_id) values (${id}, ${group.id})`
          await tx`update groups set favorites_count = ${Number(row?.favorites_count) + 1} where id = ${group.id}`
        }),
      ),
    )
    expect(await wrong()).toEqual([group.urlname])
  })
})
