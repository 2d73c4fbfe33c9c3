import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { randomHex } from '@/core/codes'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'

describe('domain events that several workers count at once', () => {
  let databaseUrl: string
  let sql: postgres.Sql
  let workers: ReturnType<typeof startWorker>[]
  let server: ServerProcess
  let admin: Seeded
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 45, onnotice: () => {} })
    ;[admin] = (await seedPeople(databaseUrl, 1, ['admin'])) as [Seeded]
    await sql`update users set role = 'admin' where id = ${admin.id}`
    server = await startServer({ DATABASE_URL: databaseUrl })
    workers = [1, 2].map(() => startWorker({ DATABASE_URL: databaseUrl }))
  })
  afterAll(async () => {
    await sql.end()
    for (const process of [server, ...workers]) await process.stop('SIGKILL')
  })

  const ask = async (method: string, path: string, json: object) => {
    const response = await fetch(`${server.url}/v1/admin/achievements${path}`, {
      method,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    await response.arrayBuffer()
    return response.status
  }

  /** Something to achieve by losing tokens, and its badge. */
  async function define(fields: object) {
    const key = `race-${randomHex(5)}`
    await sql`insert into badges (id, name, slug, icon, color, points)
      values (${Bun.randomUUIDv7()}, ${key}, ${key}, '🏁', '#000000', 10)`
    const json = { key, name: key, eventType: 'token.revoked', badgeSlug: key, ...fields }
    expect(await ask('POST', '', json)).toBe(201)
    return key
  }

  /** All in one statement, so that no worker has begun before there is enough for all. */
  const happen = (domainEvents: { userId: string; tokenId: string }[]) =>
    sql`insert into outbox ${sql(
      domainEvents.map((payload) => ({
        id: Bun.randomUUIDv7(),
        type: 'token.revoked',
        payload: sql.json(payload) as never,
      })),
    )}`

  const counted = (userIds: string[], domainEvents: number) => {
    const enough = async () => {
      const [row] = await sql`select count(*)::int as done from reactions r join outbox o on o.id = r.fact_id
        where r.status = 'done' and o.type = 'token.revoked' and o.payload->>'userId' in ${sql(userIds)}`
      return row?.done >= domainEvents
    }
    return until(`${domainEvents} domain events were counted`, enough, 40_000)
  }

  const outcome = async (userId: string, key: string) => {
    const [row] = await sql`select
      (select current_value from achievement_progress where user_id = u.id and achievement_key = ${key}) as value,
      (select completed_at is not null from achievement_progress where user_id = u.id and achievement_key = ${key}) as completed,
      (select count(*)::int from badge_awards a join badges b on b.id = a.badge_id where a.user_id = u.id and b.slug = ${key}) as awards,
      (select count(*)::int from outbox where type = 'achievement.unlocked' and payload->>'userId' = u.id::text and payload->>'key' = ${key}) as told
      from users u where u.id = ${userId}`
    return { ...row }
  }

  test('40 of one person: an exact count, one badge, and every different value once', async () => {
    const [person] = (await seedPeople(databaseUrl, 1)) as [Seeded]
    const far = await define({ targetValue: 1000 })
    const near = await define({ targetValue: 25 })
    const different = await define({ targetValue: 8, progressMode: 'distinct', progressField: 'tokenId' })
    const tokens = Array.from({ length: 8 }, () => Bun.randomUUIDv7())
    await happen(
      Array.from({ length: 40 }, (_, i) => ({ userId: person.id, tokenId: tokens[i % 8] as string })),
    )
    await counted([person.id], 40)
    expect(await outcome(person.id, far)).toEqual({ value: 40, completed: false, awards: 0, told: 0 })
    expect(await outcome(person.id, near)).toEqual({ value: 25, completed: true, awards: 1, told: 1 })
    expect(await outcome(person.id, different)).toEqual({ value: 8, completed: true, awards: 1, told: 1 })
    const [score] = await sql`select xp, badge_count as badges from users where id = ${person.id}`
    expect({ ...score }).toEqual({ xp: 20, badges: 2 })
    for (const key of [far, near, different]) await ask('DELETE', `/${key}`, {})
  })

  test('while the target falls and the badge changes: completed once each, without deadlocks', async () => {
    const before = await countDeadlocks(sql)
    const people = await seedPeople(databaseUrl, 12)
    const key = await define({ targetValue: 1000 })
    const ids = people.map(({ id }) => id)
    const domainEvents = people.flatMap(({ id: userId }, i) =>
      Array.from({ length: i + 1 }, () => ({ userId, tokenId: Bun.randomUUIDv7() })),
    )
    const counting = happen(domainEvents).then(() => counted(ids, domainEvents.length))
    let done = false
    void counting.finally(() => {
      done = true
    })
    const changing = (async () => {
      for (let points = 1; !done; points += 1) {
        await sql`update badges set points = ${points % 50} where slug = ${key}`
        await sql`insert into badge_awards (id, badge_id, user_id, source)
          select ${Bun.randomUUIDv7()}, id, ${ids[points % 12] as string}, 'admin' from badges where slug = ${key}
          on conflict do nothing`
      }
    })()
    for (const [i, targetValue] of [900, 12, 9, 6, 5].entries()) {
      await counted(ids, 12 * i)
      expect(await ask('PATCH', `/${key}`, { targetValue })).toBe(200)
    }
    await Promise.all([counting, changing])
    for (const [i, id] of ids.entries()) {
      const reached = i + 1 >= 5
      expect([i, await outcome(id, key)]).toEqual([
        i,
        expect.objectContaining({ completed: reached, told: reached ? 1 : 0 }),
      ])
      if (reached) expect((await outcome(id, key)).awards).toBe(1)
      else expect((await outcome(id, key)).value).toBe(i + 1)
    }
    const wrong = await sql`select u.id from users u where u.xp <>
      (select coalesce(sum(points), 0) from badge_awards where user_id = u.id and group_id is null)`
    expect(wrong).toHaveLength(0)
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('control: reading a value and writing it back, without lock and in two steps, loses domain events and completes twice', async () => {
    const [person] = (await seedPeople(databaseUrl, 1)) as [Seeded]
    const key = await define({ targetValue: 1, enabled: false })
    await sql`insert into achievement_progress (user_id, achievement_key) values (${person.id}, ${key})`
    const everyoneHasRead = Promise.withResolvers<void>()
    let [readers, completions] = [0, 0]
    await Promise.all(
      Array.from({ length: 40 }, () =>
        sql.begin(async (tx) => {
          const [row] = await tx`select current_value as value, completed_at from achievement_progress
            where user_id = ${person.id} and achievement_key = ${key}`
          readers += 1
          if (readers === 40) everyoneHasRead.resolve()
          await everyoneHasRead.promise
          await tx`update achievement_progress set current_value = ${Number(row?.value) + 1}, completed_at = now()
            where user_id = ${person.id} and achievement_key = ${key}`
          if (row?.completed_at === null) completions += 1
        }),
      ),
    )
    expect([(await outcome(person.id, key)).value, completions]).toEqual([1, 40])
  })
})
