import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { newId } from '@/core/ids'
import { differences } from '../modules/recognition/leaderboards/sums'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase, startWorker, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { askAgain, startThree, type Three } from '../support/three'

/** More than one batch. */
const HOLDERS = 1200

async function seedHolders(databaseUrl: string, sql: postgres.Sql, holders: number) {
  const badge = newId()
  await sql`insert into badges (id, name, slug, icon, color, points)
    values (${badge}, 'Race', ${badge}, '🏅', '#123456', 5)`
  const people = (await seedPeople(databaseUrl, holders)).sort((a, b) => (a.id < b.id ? -1 : 1))
  await sql`insert into badge_awards ${sql(
    people.map(({ id }) => ({ id: newId(), badge_id: badge, user_id: id, source: 'admin' })),
  )}`
  return { badge, people }
}

describe('a badge with many holders, the last of whom is locked, over three processes', () => {
  let databaseUrl: string
  let three: Three
  let sql: postgres.Sql
  let admin: Seeded
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 5, onnotice: () => {} })
    ;[admin] = (await seedPeople(databaseUrl, 1, ['admin'])) as [Seeded]
    await sql`update users set role = 'admin' where id = ${admin.id}`
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const ask = (turn: number, method: string, path: string, json?: unknown) =>
    askAgain(three, turn, method, `/v1/admin/badges/${path}`, admin.token, json)

  const whileLocked = ({ id }: Seeded, meanwhile: () => Promise<void>) =>
    sql.begin(async (tx) => {
      await tx`select 1 from users where id = ${id} for no key update`
      await meanwhile()
    })

  const scoresOf = async (...people: Seeded[]) => {
    const rows = await sql`select id, xp from users where id in ${sql(people.map(({ id }) => id))}`
    return people.map((person) => rows.find(({ id }) => id === person.id)?.xp)
  }

  const untilScoreOf = (person: Seeded, xp: number) =>
    until(`a holder of the first batch has ${xp}`, async () => (await scoresOf(person))[0] === xp)

  const wrong = () => differences((statement) => sql.unsafe(statement))

  /** Batches that gave up at the lock are resumed by the worker. */
  async function untilSettled() {
    const worker = startWorker({ DATABASE_URL: databaseUrl })
    await until('all awards follow', async () => (await sql`select 1 from unsettled_badges`).length === 0)
    await worker.stop()
  }

  test('new points, sent twice, are answered and reach each holder once; awards and revocations go on', async () => {
    const { badge, people } = await seedHolders(databaseUrl, sql, HOLDERS)
    const [newcomer] = (await seedPeople(databaseUrl, 1)) as [Seeded]
    const [first, revoked, holder, locked] = [people[0], ...people.slice(-3)] as [
      Seeded,
      Seeded,
      Seeded,
      Seeded,
    ]
    const before = await countDeadlocks(sql)
    await whileLocked(locked, async () => {
      const changes = [0, 1].map((turn) => ask(turn, 'PATCH', badge, { points: 8 }))
      expect(await Promise.all(changes)).toEqual([200, 200])
      expect(await ask(2, 'POST', `${badge}/award/${newcomer.id}`)).toBe(201)
      expect(await ask(0, 'POST', `${badge}/award/${holder.id}`)).toBe(409)
      expect(await ask(1, 'DELETE', `${badge}/award/${revoked.id}`)).toBe(204)
      await untilScoreOf(first, 8)
      expect(await scoresOf(newcomer, revoked, holder, locked)).toEqual([8, 0, 5, 5])
    })
    await untilSettled()
    expect(await scoresOf(first, newcomer, revoked, holder, locked)).toEqual([8, 8, 0, 8, 8])
    expect([await wrong(), (await countDeadlocks(sql)) - before]).toEqual([{}, 0])
  })

  test('a badge deleted while its points change leaves no points behind', async () => {
    const { badge, people } = await seedHolders(databaseUrl, sql, HOLDERS)
    const [newcomer] = (await seedPeople(databaseUrl, 1)) as [Seeded]
    const [first, holder, locked] = [people[0], ...people.slice(-2)] as [Seeded, Seeded, Seeded]
    const before = await countDeadlocks(sql)
    await whileLocked(locked, async () => {
      expect(await ask(0, 'PATCH', badge, { points: 8 })).toBe(200)
      expect(await ask(1, 'DELETE', badge)).toBe(204)
      expect(await ask(2, 'POST', `${badge}/award/${newcomer.id}`)).toBe(404)
      await untilScoreOf(first, 0)
      expect(await scoresOf(newcomer, holder, locked)).toEqual([0, 5, 5])
    })
    await untilSettled()
    expect(await scoresOf(first, newcomer, holder, locked)).toEqual([0, 0, 0, 0])
    expect(await sql`select 1 from badge_awards where badge_id = ${badge}`).toHaveLength(0)
    expect([await wrong(), (await countDeadlocks(sql)) - before]).toEqual([{}, 0])
  })

  test('control: without locks, two runs that look for outdated awards first and add points then add them twice', async () => {
    const url = await ownDatabase()
    const naive = postgres(url, { max: 2, onnotice: () => {} })
    const { badge, people } = await seedHolders(url, naive, 3)
    await naive`alter table badge_awards disable trigger user`
    const bothHaveLooked = Promise.withResolvers<void>()
    let lookers = 0
    await Promise.all(
      Array.from({ length: 2 }, () =>
        naive.begin(async (tx) => {
          const outdated =
            await tx`select user_id from badge_awards where badge_id = ${badge} and points <> 8`
          lookers += 1
          if (lookers === 2) bothHaveLooked.resolve()
          await bothHaveLooked.promise
          const holders = outdated.map(({ user_id }) => user_id)
          await tx`update badge_awards set points = 8 where badge_id = ${badge} and user_id in ${tx(holders)}`
          await tx`update users set xp = xp + 3 where id in ${tx(holders)}`
        }),
      ),
    )
    const scores = await naive`select xp from users where id in ${naive(people.map(({ id }) => id))}`
    await naive.end()
    expect(scores.map(({ xp }) => xp)).toEqual([11, 11, 11])
  })
})
