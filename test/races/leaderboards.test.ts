import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { randomHex } from '@/core/codes'
import { compactTallies } from '@/db/area'
import { differences } from '../modules/recognition/leaderboards/sums'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase, startWorker, until } from '../support/processes'
import { seededRandom } from '../support/random'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

type Badge = { id: string; groupId: string | null }

async function seedBadge(sql: postgres.Sql, points: number, groupId: string | null = null): Promise<Badge> {
  const id = Bun.randomUUIDv7()
  await sql`insert into badges (id, group_id, name, slug, icon, color, points)
    values (${id}, ${groupId}, 'Raced', ${`raced-${randomHex(6)}`}, '🏁', '#123456', ${points})`
  return { id, groupId }
}

async function seedGroup(sql: postgres.Sql, ownerId: string): Promise<string> {
  const id = Bun.randomUUIDv7()
  await sql`insert into groups (id, urlname, name) values (${id}, ${id}, 'Racers')`
  await sql`insert into group_members (id, group_id, user_id, role) values (${Bun.randomUUIDv7()}, ${id}, ${ownerId}, 'owner')`
  return id
}

const awardPath = ({ id, groupId }: Badge, userId: string) =>
  groupId === null
    ? `/v1/admin/badges/${id}/award/${userId}`
    : `/v1/manage/groups/${groupId}/badges/${id}/award/${userId}`

describe('boards over three processes', () => {
  let databaseUrl: string
  let sql: postgres.Sql
  let three: Three
  let admin: Seeded
  let people: Seeded[]
  let groupId: string
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 24, onnotice: () => {} })
    admin = (await seedPeople(databaseUrl, 1, ['admin']))[0] as Seeded
    await sql`update users set role = 'admin', profile_visibility = 'private' where id = ${admin.id}`
    people = await seedPeople(databaseUrl, 40)
    groupId = await seedGroup(sql, admin.id)
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  /** As a client would: a busy server is asked again. */
  const insist: Three['ask'] = async (...request) => {
    for (;;) {
      const status = await three.ask(...request)
      if (status !== 503) return status
    }
  }

  const BOARDS = () => ['/v1/leaderboard', '/v1/leaderboard/movers', `/v1/groups/${groupId}/leaderboard`]

  /** On which of the boards somebody stands, as one of the processes sees them. */
  async function standing(turn: number, { username }: Seeded): Promise<string> {
    const found = await Promise.all(
      BOARDS().map(async (path) => {
        const response = await fetch(`${three.servers[turn]?.url}${path}?limit=100`, {
          headers: { authorization: `Bearer ${admin.token}` },
        })
        expect(response.status).toBe(200)
        return (await response.text()).includes(`"${username}"`)
      }),
    )
    return found.map(Number).join('')
  }

  const everywhere = (person: Seeded, expected: string) =>
    until(`${person.username} is ${expected} everywhere`, async () => {
      const seen = await Promise.all([0, 1, 2].map((turn) => standing(turn, person)))
      return seen.every((one) => one === expected)
    })

  test('who comes onto the boards or leaves them is seen at once where it happened, and soon by the others', async () => {
    const [opting, hiding, suspended, deleted, losing] = people as [Seeded, Seeded, Seeded, Seeded, Seeded]
    const [platform, ofGroup] = [await seedBadge(sql, 10), await seedBadge(sql, 5, groupId)]
    const setProfile = (turn: number, { token }: Seeded, json: object) =>
      three.ask(turn, 'PATCH', '/v1/profile', token, json)
    for (const [turn, person] of [opting, hiding, suspended, deleted, losing].entries()) {
      await everywhere(person, '000')
      expect(await three.ask(turn, 'POST', awardPath(platform, person.id), admin.token)).toBe(201)
      expect(await three.ask(turn, 'POST', awardPath(ofGroup, person.id), admin.token)).toBe(201)
      expect(await standing(turn % 3, person)).toBe('111')
      await everywhere(person, '111')
    }
    const changes: [Seeded, number, () => Promise<number>][] = [
      [opting, 200, () => setProfile(0, opting, { showOnLeaderboard: false })],
      [hiding, 200, () => setProfile(1, hiding, { profileVisibility: 'private' })],
      [
        suspended,
        200,
        () => three.ask(2, 'PATCH', `/v1/admin/users/${suspended.id}`, admin.token, { suspended: true }),
      ],
      [deleted, 204, () => three.ask(0, 'DELETE', `/v1/admin/users/${deleted.id}`, admin.token)],
    ]
    for (const [turn, [person, status, change]] of changes.entries()) {
      expect(await change()).toBe(status)
      expect(await standing(turn % 3, person)).toBe('000')
      await everywhere(person, '000')
    }
    expect(await three.ask(1, 'DELETE', awardPath(platform, losing.id), admin.token)).toBe(204)
    expect(await standing(1, losing)).toBe('001')
    await everywhere(losing, '001')
  })

  test('concurrent awards, revocations, point and visibility changes: sums are correct, without deadlocks', async () => {
    const { random, pick } = seededRandom()
    const badges = [
      ...(await Promise.all([1, 5, 10, 20].map((points) => seedBadge(sql, points)))),
      ...(await Promise.all([2, 7].map((points) => seedBadge(sql, points, groupId)))),
    ]
    const crowd = people.slice(10)
    const before = await countDeadlocks(sql)
    let stopped = false
    const compacting = (async () => {
      const connection = postgres(databaseUrl, { max: 1, onnotice: () => {} })
      while (!stopped) await compactTallies(drizzle(connection))
      await connection.end()
    })()
    const worker = async (turn: number) => {
      const statuses: number[] = []
      for (let step = 0; step < 25; step += 1) {
        const [badge, person] = [pick(badges) as Badge, pick(crowd) as Seeded]
        const ask = (method: string, path: string, token: string, json?: unknown) =>
          insist(turn + step, method, path, token, json)
        const dice = random()
        statuses.push(
          dice < 0.4
            ? await ask('POST', awardPath(badge, person.id), admin.token)
            : dice < 0.6
              ? await ask('DELETE', awardPath(badge, person.id), admin.token)
              : dice < 0.67
                ? await ask('PATCH', '/v1/profile', person.token, { showOnLeaderboard: random() < 0.5 })
                : dice < 0.8
                  ? await ask('PATCH', '/v1/profile', person.token, {
                      profileVisibility: random() < 0.5 ? 'public' : 'private',
                    })
                  : await ask(
                      'PATCH',
                      badge.groupId
                        ? `/v1/manage/groups/${groupId}/badges/${badge.id}`
                        : `/v1/admin/badges/${badge.id}`,
                      admin.token,
                      { points: Math.floor(random() * 30) },
                    ),
        )
      }
      return statuses
    }
    const statuses = (await Promise.all(Array.from({ length: 12 }, (_, turn) => worker(turn)))).flat()
    stopped = true
    await compacting
    expect([...new Set(statuses)].filter((status) => ![200, 201, 204, 404, 409].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(50)
    expect(await differences((statement) => sql.unsafe(statement))).toEqual({})
    expect((await countDeadlocks(sql)) - before).toBe(0)
    // Whole accounts and badges go while the rest goes on.
    const leaving = crowd.slice(0, 6)
    const [going, ...staying] = badges as [Badge, ...Badge[]]
    const last = await Promise.all([
      ...leaving.map(({ id }, i) => insist(i, 'DELETE', `/v1/admin/users/${id}`, admin.token)),
      insist(1, 'DELETE', `/v1/admin/badges/${going.id}`, admin.token),
      ...crowd.flatMap(({ id }, i) =>
        [going, ...staying].map((badge, j) => insist(i + j, 'POST', awardPath(badge, id), admin.token)),
      ),
    ])
    expect([...new Set(last)].filter((status) => ![201, 204, 404, 409].includes(status))).toEqual([])
    expect(await differences((statement) => sql.unsafe(statement))).toEqual({})
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('an award concurrent with a change of its badge or holder is counted correctly', async () => {
    const changes = [
      (tx: postgres.TransactionSql, badge: Badge) => tx`update badges set points = 50 where id = ${badge.id}`,
      (tx: postgres.TransactionSql, _badge: Badge, { id }: Seeded) =>
        tx`update users set profile_visibility = 'private' where id = ${id}`,
    ]
    for (const [i, change] of changes.entries()) {
      const [badge, person] = [await seedBadge(sql, 3), people[5 + i] as Seeded]
      let settled = false
      const awarding = await sql.begin(async (tx) => {
        await change(tx, badge, person)
        const answer = three.ask(i, 'POST', awardPath(badge, person.id), admin.token).finally(() => {
          settled = true
        })
        const waiting = () =>
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await until('the award waits or is done', async () => settled || (await waiting()).length > 0)
        return { answer }
      })
      expect(await awarding.answer).toBe(201)
      expect(await differences((statement) => sql.unsafe(statement))).toEqual({})
    }
  })

  test('control: reading a score and writing it back, without trigger and lock, loses points and is seen', async () => {
    const url = await ownDatabase()
    const naive = postgres(url, { max: 20, onnotice: () => {} })
    const [person] = (await seedPeople(url, 1)) as [Seeded]
    const badges = await Promise.all(Array.from({ length: 20 }, () => seedBadge(naive, 5)))
    await naive`alter table badge_awards disable trigger user`
    // Everyone has read before anyone writes: what may happen at any time happens every time.
    const everyoneHasRead = Promise.withResolvers<void>()
    let readers = 0
    await Promise.all(
      badges.map((badge) =>
        naive.begin(async (tx) => {
          const [row] = await tx`select xp, badge_count as badges from users where id = ${person.id}`
          readers += 1
          if (readers === badges.length) everyoneHasRead.resolve()
          await everyoneHasRead.promise
          await tx`insert into badge_awards (id, badge_id, user_id, points, is_public, source)
            values (${Bun.randomUUIDv7()}, ${badge.id}, ${person.id}, 5, true, 'admin')`
          await tx`update users set xp = ${Number(row?.xp) + 5}, badge_count = ${Number(row?.badges) + 1}
            where id = ${person.id}`
        }),
      ),
    )
    const found = await differences((statement) => naive.unsafe(statement))
    await naive.end()
    expect(Object.keys(found).sort()).toEqual(['holders', 'scores'])
    expect(found.scores).toMatchObject([{ xp: 5, held_xp: '100' }])
  })

  test('a worker writes down the boards that are missing since the first person came, and puts tallies together', async () => {
    const url = await ownDatabase()
    const client = postgres(url, { max: 1, onnotice: () => {} })
    const [person] = (await seedPeople(url, 1)) as [Seeded]
    // A day counts as begun once it is a minute old.
    const [row] = await client`select date_trunc('day', now() - interval '1 minute', 'UTC') as today`
    await client`update users set created_at = ${row?.today}::timestamptz - interval '71 hours' where id = ${person.id}`
    const badge = await seedBadge(client, 5)
    await client`insert into badge_awards (id, badge_id, user_id, source, awarded_at)
      values (${Bun.randomUUIDv7()}, ${badge.id}, ${person.id}, 'admin', ${row?.today}::timestamptz - interval '12 hours')`
    for (const points of [6, 7, 8]) await client`update badges set points = ${points} where id = ${badge.id}`
    const worker = startWorker({ DATABASE_URL: url })
    await until('the boards are there', async () => (await client`select 1 from board_days`).length === 3)
    await until(
      'one row is left of each score',
      async () => (await client`select 1 from board_tally`).length === 1,
    )
    expect(await client`select rank, xp from board_snapshots order by day desc`).toMatchObject([
      { rank: 1, xp: 5 },
    ])
    expect(await differences((statement) => client.unsafe(statement))).toEqual({})
    await worker.stop('SIGKILL')
    await client.end()
  })
})
