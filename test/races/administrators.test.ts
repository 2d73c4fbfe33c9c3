import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

const ROUNDS = 30

describe('administrators over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
    three = await startThree(databaseUrl, { RATE_LIMIT_ANONYMOUS_PER_HOUR: '1000000' })
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  /** So many administrators, and no others. */
  async function appoint(count: number): Promise<Seeded[]> {
    const people = await seedPeople(databaseUrl, count, ['admin'])
    const ids = people.map(({ id }) => id)
    await sql`update users set role = 'admin' where id = any(${ids})`
    await sql`update users set role = 'user' where role = 'admin' and id <> all(${ids})`
    return people
  }

  const left = async () =>
    Number((await sql`select count(*) from users where role = 'admin' and suspended_at is null`)[0]?.count)

  /** One of the ways in which somebody ceases to be an administrator. */
  const remove = (turn: number, way: number, { token }: Seeded, target: Seeded) => {
    const path = `/v1/admin/users/${way % 2 ? target.id : target.username}`
    if (way % 3 === 0) return three.ask(turn, 'PATCH', path, token, { role: 'user' })
    if (way % 3 === 1) return three.ask(turn, 'PATCH', path, token, { suspended: true })
    return three.ask(turn, 'DELETE', path, token)
  }

  test('who all demote, suspend or delete themselves at once leave exactly one behind', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const people = await appoint(2 + (round % 5))
      const statuses = await Promise.all(
        people.map((person, i) => remove(i + round, i + round, person, person)),
      )
      expect(await left()).toBe(1)
      expect(statuses.filter((status) => status === 409)).toHaveLength(1)
      expect(statuses.filter((status) => ![200, 204, 409].includes(status))).toEqual([])
    }
  })

  test('who all do it to each other at once leave one behind at least, and as many as were refused', async () => {
    const seen = new Set<number>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const people = await appoint(2 + (round % 5))
      const statuses = await Promise.all(
        people.map((person, i) =>
          remove(i + round, i + round, person, people[(i + 1) % people.length] as Seeded),
        ),
      )
      const done = statuses.filter((status) => status === 200 || status === 204).length
      expect(await left()).toBe(people.length - done)
      expect(await left()).toBeGreaterThan(0)
      for (const status of statuses) seen.add(status)
    }
    // Whoever lost their own role first is refused at the door.
    expect([...seen].filter((status) => ![200, 204, 401, 403, 409].includes(status))).toEqual([])
    expect(seen).toContain(409)
  })

  test('control: without the guard no administrator is left', async () => {
    const people = await appoint(5)
    await sql`alter table users disable trigger users_administrator_changes`
    await sql`alter table users disable trigger users_administrator_leaves`
    const statuses = await Promise.all(people.map((person, i) => remove(i, i, person, person)))
    expect(statuses).not.toContain(409)
    expect(await left()).toBe(0)
  })
})
