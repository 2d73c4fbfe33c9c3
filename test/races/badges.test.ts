import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { askAgain, countStatuses, startThree, type Three } from '../support/three'

async function seedBadge(sql: postgres.Sql, groupId: string | null, points: number): Promise<string> {
  const id = newId()
  await sql`insert into badges (id, group_id, name, slug, icon, color, points)
    values (${id}, ${groupId}, 'Race', ${id}, '🏅', '#123456', ${points})`
  return id
}

async function seedGroup(sql: postgres.Sql, managers: Seeded[]): Promise<string> {
  const id = newId()
  await sql`insert into groups (id, urlname, name) values (${id}, ${id}, 'Racers')`
  await sql`insert into group_members ${sql(
    managers.map((manager, i) => ({
      id: newId(),
      group_id: id,
      user_id: manager.id,
      role: i === 0 ? 'owner' : 'manager',
    })),
  )}`
  return id
}

/** Whatever scores and counts say that the awards do not. */
const mistakes = async (sql: postgres.Sql) => [
  ...(await sql`
    select 'score' as what, u.id, u.xp, u.badge_count, sum(a.points) as points, count(a.id) as awards
    from users u left join badge_awards a on a.user_id = u.id and a.group_id is null
    group by u.id having u.xp <> coalesce(sum(a.points), 0) or u.badge_count <> count(a.id)`),
  ...(await sql`
    select 'group score' as what, s.xp, s.badge_count, a.xp as points, a.badge_count as awards
    from group_scores s full join (
      select group_id, user_id, sum(points) as xp, count(*) as badge_count
      from badge_awards where group_id is not null group by group_id, user_id
    ) a using (group_id, user_id)
    where (s.xp, s.badge_count) is distinct from (a.xp, a.badge_count)`),
  ...(await sql`
    select 'holders' as what, b.id, t.holders, t.seen, a.holders as real_holders, a.seen as really_seen
    from badges b
    left join (select badge_id, sum(holders) as holders, sum(public_holders) as seen from badge_tally group by badge_id) t
      on t.badge_id = b.id
    left join (select badge_id, count(*) as holders, count(*) filter (where is_public) as seen from badge_awards group by badge_id) a
      on a.badge_id = b.id
    where (coalesce(t.holders, 0), coalesce(t.seen, 0)) <> (coalesce(a.holders, 0), coalesce(a.seen, 0))`),
  ...(await sql`
    select 'copied points' as what, a.id from badge_awards a join badges b on b.id = a.badge_id
    where (a.points, a.group_id) is distinct from (b.points, b.group_id)`),
]

describe('badges over three processes', () => {
  let databaseUrl: string
  let three: Three
  let sql: postgres.Sql
  let staff: Seeded[]
  let admins: Seeded[]
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 20, onnotice: () => {} })
    staff = await seedPeople(databaseUrl, 3, ['manage:badges', 'manage:groups'])
    admins = await seedPeople(databaseUrl, 2, ['admin'])
    await sql`update users set role = 'admin' where id in ${sql(admins.map(({ id }) => id))}`
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const ask: Three['ask'] = (...request) => askAgain(three, ...request)

  test('one badge through every door at once is held once and counted once', async () => {
    const groupId = await seedGroup(sql, staff)
    const [ofGroup, ofPlatform] = [await seedBadge(sql, groupId, 30), await seedBadge(sql, null, 70)]
    const people = await seedPeople(databaseUrl, 8)
    const doors = [
      ...[...staff, ...admins].map(({ token }) => ({
        token,
        path: `/v1/manage/groups/${groupId}/badges/${ofGroup}/award`,
      })),
      ...[...admins, ...admins].map(({ token }) => ({ token, path: `/v1/admin/badges/${ofPlatform}/award` })),
    ]
    const statuses = await Promise.all(
      people.flatMap(({ id, username }, i) =>
        doors.map(({ token, path }, door) =>
          ask(i + door, 'POST', `${path}/${door % 2 ? id : username}`, token),
        ),
      ),
    )
    // For each person one of five at the one door and one of four at the other.
    expect(countStatuses(statuses)).toEqual({ 201: 16, 409: 8 * 7 })
    const awards =
      await sql`select count(*)::int as rows, count(distinct (badge_id, user_id))::int as pairs from badge_awards`
    expect(awards[0]).toEqual({ rows: 16, pairs: 16 })
    const scores =
      await sql`select u.xp, u.badge_count, s.xp as group_xp, s.badge_count as group_count from users u
        join group_scores s on s.user_id = u.id where u.id in ${sql(people.map(({ id }) => id))}`
    expect(new Set(scores.map((row) => JSON.stringify(Object.values(row))))).toEqual(new Set(['[70,1,30,1]']))
    expect(await mistakes(sql)).toEqual([])
    const [domainEvents] = await sql`select count(*)::int as awarded from outbox where type = 'badge.awarded'`
    expect(domainEvents?.awarded).toBe(16)
  })

  test('control: without the constraint, looking first and giving then gives twice', async () => {
    const url = await ownDatabase()
    const naive = postgres(url, { max: 12, onnotice: () => {} })
    await naive`alter table badge_awards drop constraint badge_awards_once`
    const [person] = (await seedPeople(url, 1)) as [Seeded]
    const badgeId = await seedBadge(naive, null, 70)
    // Everyone has looked before anyone gives: what may happen at any time happens every time.
    const everyoneHasLooked = Promise.withResolvers<void>()
    let lookers = 0
    await Promise.all(
      Array.from({ length: 10 }, () =>
        naive.begin(async (tx) => {
          const held =
            await tx`select 1 from badge_awards where badge_id = ${badgeId} and user_id = ${person.id}`
          lookers += 1
          if (lookers === 10) everyoneHasLooked.resolve()
          await everyoneHasLooked.promise
          if (held.length === 0)
            await tx`insert into badge_awards (id, badge_id, user_id, source) values (${newId()}, ${badgeId}, ${person.id}, 'admin')`
        }),
      ),
    )
    const [counted] = await naive`select xp from users where id = ${person.id}`
    await naive.end()
    expect(counted?.xp).toBe(700)
  })

  test('managers who make badges at once never make more than the group may have', async () => {
    const groupId = await seedGroup(sql, staff)
    const make = (i: number) =>
      ask(i, 'POST', `/v1/manage/groups/${groupId}/badges`, (staff[i % staff.length] as Seeded).token, {
        name: 'Race',
        slug: `race-${randomHex(8)}`,
        icon: '🏁',
        points: 5,
      })
    const statuses = await Promise.all(Array.from({ length: 45 }, (_, i) => make(i)))
    expect(countStatuses(statuses)).toEqual({ 201: 10, 409: 35 })
    const [made] = await sql`select count(*)::int as badges from badges where group_id = ${groupId}`
    expect(made?.badges).toBe(10)
  })

  test('one slug at once is taken once', async () => {
    const [groupId, slug] = [await seedGroup(sql, staff), `race-${randomHex(8)}`]
    const body = { name: 'Race', slug, icon: '🏁' }
    const statuses = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        i % 2
          ? ask(i, 'POST', `/v1/manage/groups/${groupId}/badges`, (staff[i % 3] as Seeded).token, body)
          : ask(i, 'POST', '/v1/admin/badges', (admins[0] as Seeded).token, body),
      ),
    )
    expect(countStatuses(statuses)).toEqual({ 201: 1, 409: 23 })
  })

  test('control: without the trigger, counting first and adding then adds too many', async () => {
    const url = await ownDatabase()
    const naive = postgres(url, { max: 12, onnotice: () => {} })
    await naive`alter table badges disable trigger badges_limit`
    const groupId = await seedGroup(naive, (await seedPeople(url, 2)) as Seeded[])
    const everyoneHasCounted = Promise.withResolvers<void>()
    let counters = 0
    for (let i = 0; i < 9; i += 1) await seedBadge(naive, groupId, 1)
    await Promise.all(
      Array.from({ length: 5 }, () =>
        naive.begin(async (tx) => {
          const [row] = await tx`select count(*)::int as badges from badges where group_id = ${groupId}`
          counters += 1
          if (counters === 5) everyoneHasCounted.resolve()
          await everyoneHasCounted.promise
          if (row?.badges < 10)
            await tx`insert into badges (id, group_id, name, slug, icon, color) values (${newId()}, ${groupId}, 'Race', ${newId()}, '🏅', '#123456')`
        }),
      ),
    )
    const [made] = await naive`select count(*)::int as badges from badges where group_id = ${groupId}`
    await naive.end()
    expect(made?.badges).toBe(14)
  })

  /** Deletes an account as its owner would. */
  async function leave(turn: number, { id, username }: Seeded): Promise<number> {
    const secret = randomHex(32)
    await sql`insert into sessions (id, user_id, hash, expires_at)
      values (${newId()}, ${id}, ${Buffer.from(hashSecret(secret))}, now() + interval '1 hour')`
    for (;;) {
      const response = await fetch(`${three.servers[turn % 3]?.url}/v1/profile?confirm=${username}`, {
        method: 'DELETE',
        headers: { cookie: `session=${secret}`, 'sec-fetch-site': 'same-origin' },
      })
      await response.arrayBuffer()
      if (response.status !== 503) return response.status
      await Bun.sleep(100)
    }
  }

  test('awards, new points, hiding, deleted badges and deleted accounts at once: no fault, and scores are the awards', async () => {
    const groupId = await seedGroup(sql, staff)
    const [owner, admin] = [staff[0] as Seeded, admins[0] as Seeded]
    const before = await countDeadlocks(sql)
    for (let round = 0; round < 3; round += 1) {
      const people = await seedPeople(databaseUrl, 12)
      // Whoever leaves takes their favorites along, and with those goes a count of the group.
      await sql`insert into favorites ${sql(people.map(({ id }) => ({ user_id: id, group_id: groupId })))}`
      const ofPlatform = await Promise.all([10, 20, 40].map((points) => seedBadge(sql, null, points)))
      const ofGroup = await Promise.all([1, 2].map((points) => seedBadge(sql, groupId, points)))
      const manage = `/v1/manage/groups/${groupId}/badges`
      const give = ({ id }: Seeded, i: number) => [
        ...ofPlatform.map((badge, b) =>
          ask(i + b, 'POST', `/v1/admin/badges/${badge}/award/${id}`, admin.token),
        ),
        ...ofGroup.map((badge, b) => ask(i + b, 'POST', `${manage}/${badge}/award/${id}`, owner.token)),
      ]
      // Half of it before everything else, half after, so that something of each kind is under way at any time.
      const earlier = people.filter((_, i) => i % 2).flatMap(give)
      const changing = [
        ask(0, 'PATCH', `/v1/admin/badges/${ofPlatform[1]}`, admin.token, { points: 25 }),
        ask(1, 'PATCH', `${manage}/${ofGroup[1]}`, owner.token, { points: 7 }),
        ...people
          .slice(4, 8)
          .map(({ token }, i) => ask(i, 'PATCH', '/v1/profile', token, { profileVisibility: 'private' })),
        ...people
          .slice(4)
          .map(({ id }, i) => ask(i, 'DELETE', `/v1/admin/badges/${ofPlatform[2]}/award/${id}`, admin.token)),
      ]
      const ending = [
        ask(2, 'DELETE', `/v1/admin/badges/${ofPlatform[0]}`, admin.token),
        ask(1, 'DELETE', `${manage}/${ofGroup[0]}`, owner.token),
        ...people.slice(0, 4).map((person, i) => leave(i, person)),
      ]
      const later = people.filter((_, i) => i % 2 === 0).flatMap(give)
      const [given, changed, ended] = await Promise.all([
        Promise.all([...earlier, ...later]),
        Promise.all(changing),
        Promise.all(ending),
      ])
      expect(given.filter((status) => ![201, 404].includes(status))).toEqual([])
      expect(changed.filter((status) => ![200, 204, 404].includes(status))).toEqual([])
      expect(countStatuses(ended)).toEqual({ 200: 4, 204: 2 })
      expect(await mistakes(sql)).toEqual([])
      await sql`delete from badges where group_id = ${groupId}`
    }
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  /** Somebody else is busy with a person; `meanwhile` is what happens until they are done. */
  async function busyWith(
    { id }: Seeded,
    meanwhile: () => Promise<void>,
    last: (tx: postgres.TransactionSql) => Promise<unknown> = async () => {},
  ) {
    await sql.begin(async (tx) => {
      await tx`select 1 from users where id = ${id} for no key update`
      await meanwhile()
      await last(tx)
    })
  }

  const untilWaiting = (count: number) =>
    until(`${count} wait`, async () => {
      const [row] = await sql`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return row?.waiting === count
    })

  test('an award that waits for its holder does not stand in the way of a group that goes', async () => {
    const [owner, groupId] = [staff[0] as Seeded, await seedGroup(sql, staff)]
    const badge = await seedBadge(sql, groupId, 5)
    const [person] = (await seedPeople(databaseUrl, 1)) as [Seeded]
    const group = `/v1/manage/groups/${groupId}`
    const before = await countDeadlocks(sql)
    const answers: Promise<number>[] = []
    await busyWith(person, async () => {
      answers.push(ask(0, 'POST', `${group}/badges/${badge}/award/${person.id}`, owner.token))
      await untilWaiting(1)
      answers.push(ask(1, 'DELETE', `${group}?confirm=${groupId}`, owner.token))
      await untilWaiting(2)
    })
    expect(await Promise.all(answers)).toEqual([201, 204])
    expect([await mistakes(sql), (await countDeadlocks(sql)) - before]).toEqual([[], 0])
  })

  test('revoking a badge waits for a holder who is going private, and not the other way round', async () => {
    const [person] = (await seedPeople(databaseUrl, 1)) as [Seeded]
    const { token } = admins[0] as Seeded
    const path = `/v1/admin/badges/${await seedBadge(sql, null, 5)}/award/${person.id}`
    expect(await ask(0, 'POST', path, token)).toBe(201)
    const before = await countDeadlocks(sql)
    const answers: Promise<number>[] = []
    await busyWith(
      person,
      async () => {
        answers.push(ask(1, 'DELETE', path, token))
        await untilWaiting(1)
      },
      (tx) => tx`update users set profile_visibility = 'private' where id = ${person.id}`,
    )
    expect(await Promise.all(answers)).toEqual([204])
    expect([await mistakes(sql), (await countDeadlocks(sql)) - before]).toEqual([[], 0])
  })

  test('group deletion waits for a concurrent badge deletion before it locks holders of another', async () => {
    const [owner, groupId] = [staff[0] as Seeded, await seedGroup(sql, staff)]
    // The first is the one that the group would come to first.
    const [other, going] = [await seedBadge(sql, groupId, 5), await seedBadge(sql, groupId, 5)]
    const [busy, both] = (await seedPeople(databaseUrl, 2)).sort((a, b) => (a.id < b.id ? -1 : 1)) as [
      Seeded,
      Seeded,
    ]
    const held = [
      [other, both],
      [going, busy],
      [going, both],
    ] as const
    for (const [badge, { id }] of held)
      await sql`insert into badge_awards (id, badge_id, user_id, source) values (${newId()}, ${badge}, ${id}, 'group')`
    const before = await countDeadlocks(sql)
    const group = `/v1/manage/groups/${groupId}`
    const answers: Promise<number>[] = []
    await busyWith(busy, async () => {
      answers.push(ask(0, 'DELETE', `${group}/badges/${going}`, owner.token))
      await untilWaiting(1)
      answers.push(ask(1, 'DELETE', `${group}?confirm=${groupId}`, owner.token))
      await untilWaiting(2)
    })
    expect(await Promise.all(answers)).toEqual([204, 204])
    expect([await mistakes(sql), (await countDeadlocks(sql)) - before]).toEqual([[], 0])
  })

  test('a group that goes while its badges are given takes them along', async () => {
    const owner = staff[0] as Seeded
    const before = await countDeadlocks(sql)
    for (let round = 0; round < 6; round += 1) {
      const groupId = await seedGroup(sql, staff)
      const badge = await seedBadge(sql, groupId, 5)
      const people = await seedPeople(databaseUrl, 10)
      const giving = people.map(({ id }, i) =>
        ask(i, 'POST', `/v1/manage/groups/${groupId}/badges/${badge}/award/${id}`, owner.token),
      )
      const gone = await ask(round, 'DELETE', `/v1/manage/groups/${groupId}?confirm=${groupId}`, owner.token)
      const statuses = await Promise.all(giving)
      expect([gone, statuses.filter((status) => ![201, 404].includes(status))]).toEqual([204, []])
      expect(await mistakes(sql)).toEqual([])
    }
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })
})
