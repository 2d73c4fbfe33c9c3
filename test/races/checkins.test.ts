import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { readableCode } from '@/core/codes'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { askAgain, countStatuses, startThree, type Three } from '../support/three'

describe('uses of a check-in code over three processes', () => {
  let databaseUrl: string
  let three: Three
  let sql: postgres.Sql
  let people: Seeded[]
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 20, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 60, ['write:events', 'manage:checkins'])
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  /** An event that begins now, of a group that the first person owns, and a code for it. */
  async function seedDoor(db: postgres.Sql, ownerId: string, maxUses: number | null) {
    const [groupId, eventId, codeId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const code = readableCode(8)
    await db`insert into groups (id, urlname, name) values (${groupId}, ${groupId}, 'Racers')`
    await db`insert into group_members (id, group_id, user_id, role) values (${Bun.randomUUIDv7()}, ${groupId}, ${ownerId}, 'owner')`
    await db`insert into events (id, group_id, title, start_time, over_at, timezone, status)
      values (${eventId}, ${groupId}, 'Race', date_trunc('second', now()), date_trunc('second', now()) + interval '3 hours', 'Europe/Berlin', 'published')`
    await db`insert into checkin_codes (id, event_id, code, max_uses) values (${codeId}, ${eventId}, ${code}, ${maxUses})`
    return { groupId, eventId, codeId, code }
  }

  /** What the code counts, and how many came in with it. */
  const counted = async (db: postgres.Sql, codeId: string) => {
    const [row] = await db`
      select current_uses as uses, (select count(*)::int from checkins where code_id = c.id) as rows
      from checkin_codes c where id = ${codeId}`
    return [row?.uses, row?.rows]
  }

  const ask = (i: number, method: string, path: string, { token }: Seeded) =>
    askAgain(three, i, method, path, token)

  test('60 people at a code with 10 uses: ten come in', async () => {
    const { codeId, code } = await seedDoor(sql, (people[0] as Seeded).id, 10)
    const statuses = await Promise.all(
      people.map((person, i) => ask(i, 'POST', `/v1/checkin/${code}`, person)),
    )
    expect(countStatuses(statuses)).toEqual({ 201: 10, 410: 50 })
    expect(await counted(sql, codeId)).toEqual([10, 10])
  })

  test('one person 30 times at once: they come in once and cost one use', async () => {
    const [person] = people as [Seeded]
    for (const maxUses of [null, 1, 5]) {
      const { codeId, code } = await seedDoor(sql, person.id, maxUses)
      const statuses = await Promise.all(
        Array.from({ length: 30 }, (_, i) => ask(i, 'POST', `/v1/checkin/${code}`, person)),
      )
      expect(countStatuses(statuses)).toEqual({ 201: 1, 409: 29 })
      expect(await counted(sql, codeId)).toEqual([1, 1])
    }
  })

  test('concurrent check-ins and undos: uses equal rows, without deadlocks', async () => {
    const [owner, ...guests] = people as [Seeded, ...Seeded[]]
    const { groupId, eventId, codeId, code } = await seedDoor(sql, owner.id, 8)
    const before = await countDeadlocks(sql)
    const undo = (i: number, guest: Seeded) =>
      ask(i, 'DELETE', `/v1/manage/groups/${groupId}/events/${eventId}/attendees/${guest.id}/checkin`, owner)
    const statuses = await Promise.all(
      guests.slice(0, 16).map(async (guest, i) => {
        const seen: number[] = []
        for (let round = 0; round < 10; round += 1)
          seen.push(
            ...(await Promise.all([
              ask(i + round, 'POST', `/v1/checkin/${code}`, guest),
              undo(i + round + 1, guest),
            ])),
          )
        return seen
      }),
    )
    expect(
      [...new Set(statuses.flat())].filter((status) => ![201, 204, 404, 409, 410].includes(status)),
    ).toEqual([])
    const [uses, rows] = await counted(sql, codeId)
    expect(uses).toBe(rows)
    expect((await countDeadlocks(sql)) - before).toBe(0)
    // The code goes while people use it: what they were told stays true.
    const racing = guests.map((guest, i) => ask(i, 'POST', `/v1/checkin/${code}`, guest))
    const gone = await ask(1, 'DELETE', `/v1/manage/groups/${groupId}/checkin-codes/${codeId}`, owner)
    const last = await Promise.all(racing)
    expect(gone).toBe(204)
    expect([...new Set(last)].filter((status) => ![201, 404, 409, 410].includes(status))).toEqual([])
    const [left] =
      await sql`select count(*)::int as rows from checkins where event_id = ${eventId} and code_id is null`
    expect(left?.rows).toBe(Number(rows) + last.filter((status) => status === 201).length)
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('control: without the guards, reading a count and writing it back lets too many in', async () => {
    const url = await ownDatabase()
    const naive = postgres(url, { max: 20, onnotice: () => {} })
    const guests = await seedPeople(url, 20)
    const { eventId, codeId } = await seedDoor(naive, (guests[0] as Seeded).id, 10)
    await naive`alter table checkin_codes drop constraint checkin_codes_uses`
    // Everyone has read before anyone writes: what may happen at any time happens every time.
    const everyoneHasRead = Promise.withResolvers<void>()
    let readers = 0
    await Promise.all(
      guests.map(({ id }) =>
        naive.begin(async (tx) => {
          const [row] =
            await tx`select current_uses as uses, max_uses as most from checkin_codes where id = ${codeId}`
          readers += 1
          if (readers === guests.length) everyoneHasRead.resolve()
          await everyoneHasRead.promise
          if (row?.uses >= row?.most) return
          await tx`insert into checkins (id, event_id, user_id, code_id, method) values (${Bun.randomUUIDv7()}, ${eventId}, ${id}, ${codeId}, 'link')`
          await tx`update checkin_codes set current_uses = ${Number(row?.uses) + 1} where id = ${codeId}`
        }),
      ),
    )
    const [uses, rows] = await counted(naive, codeId)
    await naive.end()
    expect([uses, rows]).toEqual([1, 20])
  })
})
