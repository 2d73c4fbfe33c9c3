import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

const ROUNDS = 40

describe('owners of a group over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let people: Seeded[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 20, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 6, ['manage:groups'])
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  type Owner = Seeded & { memberId: string }

  /** A group of its own that all of these people own. */
  async function owned(count: number): Promise<{ groupId: string; owners: Owner[] }> {
    const groupId = Bun.randomUUIDv7()
    const owners = people.slice(0, count).map((person) => ({ ...person, memberId: Bun.randomUUIDv7() }))
    await sql`insert into groups (id, urlname, name) values (${groupId}, ${groupId}, 'Contested')`
    await sql`insert into group_members ${sql(
      owners.map(({ id, memberId }) => ({ id: memberId, group_id: groupId, user_id: id, role: 'owner' })),
    )}`
    return { groupId, owners }
  }

  const ownersOf = async (groupId: string) =>
    Number(
      (await sql`select count(*) from group_members where group_id = ${groupId} and role = 'owner'`)[0]
        ?.count,
    )

  const ask = (i: number, method: string, path: string, { token }: Seeded, body?: object) =>
    three.ask(i, method, `/v1/manage/groups/${path}`, token, body)

  test('who all leave at once leave exactly one behind', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { groupId, owners } = await owned(2 + (round % 5))
      const statuses = await Promise.all(
        owners.map((owner, i) => ask(i + round, 'POST', `${groupId}/leave`, owner)),
      )
      expect(await ownersOf(groupId)).toBe(1)
      expect(statuses.sort()).toEqual([...Array(owners.length - 1).fill(200), 409])
    }
  })

  test('who leave, step down, demote and remove each other at once leave exactly one behind', async () => {
    const seen = new Set<number>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const { groupId, owners } = await owned(2 + (round % 5))
      const statuses = await Promise.all(
        owners.flatMap((owner, i) => {
          const next = owners[(i + 1) % owners.length] as Owner
          const lower = { role: i % 2 ? 'manager' : 'volunteer' }
          return [
            ask(i, 'PATCH', `${groupId}/members/${owner.memberId}`, owner, lower),
            ask(i + 1, 'DELETE', `${groupId}/members/${next.memberId}`, owner),
            ask(i + 2, 'POST', `${groupId}/leave`, owner),
          ]
        }),
      )
      expect(await ownersOf(groupId)).toBe(1)
      for (const status of statuses) seen.add(status)
    }
    expect([...seen].filter((status) => ![200, 204, 403, 404, 409].includes(status))).toEqual([])
    expect(seen).toContain(409)
  })

  test('who leave while their group is deleted are no reason for a fault', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { groupId, owners } = await owned(4)
      const [first, ...others] = owners as [Owner, ...Owner[]]
      const statuses = await Promise.all([
        ask(round, 'DELETE', `${groupId}?confirm=${groupId}`, first),
        ...others.map((owner, i) => ask(i + round, 'POST', `${groupId}/leave`, owner)),
      ])
      expect(statuses[0]).toBe(204)
      expect(statuses.slice(1).filter((status) => ![200, 404].includes(status))).toEqual([])
    }
  })

  test('control: without the guard, counting before leaving leaves no owner', async () => {
    await sql`drop trigger group_members_owner on group_members`
    const { groupId, owners } = await owned(2)
    const counted = Promise.withResolvers<void>()
    let waiting = owners.length
    await Promise.all(
      owners.map(({ memberId }) =>
        sql.begin(async (tx) => {
          const [row] =
            await tx`select count(*) from group_members where group_id = ${groupId} and role = 'owner'`
          waiting -= 1
          if (waiting === 0) counted.resolve()
          await counted.promise
          if (Number(row?.count) > 1) await tx`delete from group_members where id = ${memberId}`
        }),
      ),
    )
    expect(await ownersOf(groupId)).toBe(0)
    const served = await owned(3)
    await Promise.all(served.owners.map((owner, i) => ask(i, 'POST', `${served.groupId}/leave`, owner)))
    expect(await ownersOf(served.groupId)).toBe(0)
  })
})
