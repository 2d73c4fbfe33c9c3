import { describe, expect, test } from 'bun:test'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { compactTallies } from '@/db/area'
import { db } from '@/db/client'
import { badgeAwards, unsettledBadges } from '@/db/tables/badges'
import { scoreChanges } from '@/db/tables/boards'
import { badgeTally } from '@/db/tables/tallies'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { badgesArea } from '@/modules/recognition/badges/area'
import { runSweeps } from '../../../../workers/sweeps'
import { del, get, patch } from '../../../support/api'
import { makeAdmin, makeGroup, makeMember } from '../../../support/make'
import { differences } from '../leaderboards/sums'
import { makeBadge, makeStaffedGroup } from './fixtures'

const ask = (statement: string) => db.execute(sql.raw(statement))

/** Private, suspended, hiding from the boards only, without a name, and all others. */
const kinds: Partial<typeof users.$inferInsert>[] = [
  { profileVisibility: 'private' },
  { suspendedAt: new Date() },
  { showOnLeaderboard: false },
  { username: null },
  {},
  {},
]

async function makeCrowd(count: number): Promise<string[]> {
  const people = Array.from({ length: count }, (_, i) => {
    const id = newId()
    return { id, name: 'Somebody', username: `crowd-${id.slice(-12)}`, ...kinds[i % kinds.length] }
  })
  // Rows with different columns are written with the columns of all.
  for (const some of Map.groupBy(people, (_, i) => i % kinds.length).values())
    await db.insert(users).values(some)
  return people.map(({ id }) => id)
}

/** In slices: a trigger counts each award, and a busy machine has little time for one statement. */
async function giveAll(badgeId: string, ids: string[]) {
  const awards = ids.map((userId) => ({ id: newId(), badgeId, userId, source: 'admin' as const }))
  for (let at = 0; at < awards.length; at += 200)
    await db.insert(badgeAwards).values(awards.slice(at, at + 200))
}

const scores = async (ids: string[]) => {
  const rows = await db
    .select({ xp: users.xp, badgeCount: users.badgeCount, people: sql<number>`count(*)::int` })
    .from(users)
    .where(inArray(users.id, ids))
    .groupBy(users.xp, users.badgeCount)
    .orderBy(users.xp)
  return rows.map(({ xp, badgeCount, people }) => [xp, badgeCount, people])
}

describe('a badge with many holders', () => {
  test('of the platform: everyone’s score, count and log follow its points, and its end', async () => {
    const { token } = await makeAdmin()
    // More than are changed at a time.
    const ids = await makeCrowd(1100)
    const [many, few] = [await makeBadge({ points: 10 }), await makeBadge({ points: 3 })]
    await giveAll(many.id, ids)
    await giveAll(few.id, ids.slice(0, 300))
    const at = `/v1/admin/badges/${many.id}`
    const changes = () => db.$count(scoreChanges, inArray(scoreChanges.userId, ids))
    const board = async () => (await get('/v1/leaderboard?limit=1', { token })).body.data.total
    const onBoard = await board()
    expect([await scores(ids), await changes()]).toEqual([
      [
        [10, 1, 800],
        [13, 2, 300],
      ],
      1400,
    ])
    const steps = [
      { points: 25, log: 1100, board: onBoard },
      { points: 25, log: 0, board: onBoard },
      // Who has nothing else stands on no board then: two of six are seen on one.
      { points: 0, log: 1100, board: onBoard - 266 },
      { points: 4, log: 1100, board: onBoard },
    ]
    let logged = 1400
    for (const { points, log, board: standing } of steps) {
      const { status, body } = await patch(at, { token, json: { points } })
      expect([status, body.data.points, body.data.awardedCount]).toEqual([200, points, 1100])
      logged += log
      expect([points, await scores(ids), await changes(), await board()]).toEqual([
        points,
        [
          [points, 1, 800],
          [points + 3, 2, 300],
        ],
        logged,
        standing,
      ])
      expect(await differences(ask, ids)).toEqual({})
    }
    expect((await del(at, { token })).status).toBe(204)
    expect(await scores(ids)).toEqual([
      [0, 0, 800],
      [3, 1, 300],
    ])
    expect([await changes(), await board()]).toEqual([logged + 1100, onBoard - 266])
    expect(await differences(ask, ids)).toEqual({})
    expect(await db.$count(badgeAwards, eq(badgeAwards.badgeId, many.id))).toBe(0)
    expect(await db.$count(badgeTally, eq(badgeTally.badgeId, many.id))).toBe(0)
  })

  test('of a group: the scores in the group follow, those of the platform do not', async () => {
    const { at, group, owner } = await makeStaffedGroup()
    const { token } = owner
    const ids = await makeCrowd(300)
    const [many, few] = [
      await makeBadge({ groupId: group.id, points: 10 }),
      await makeBadge({ groupId: group.id, points: 3 }),
    ]
    await giveAll(many.id, ids)
    await giveAll(few.id, ids.slice(0, 100))
    const inGroup = async () =>
      (
        await db.execute<{ xp: number; badges: number; people: number }>(sql`
          select xp, badge_count as badges, count(*)::int as people from group_scores
          where group_id = ${group.id} group by 1, 2 order by 1`)
      ).map(({ xp, badges, people }) => [xp, badges, people])
    expect((await patch(`${at}/${many.id}`, { token, json: { points: 0 } })).status).toBe(200)
    expect(await inGroup()).toEqual([
      [0, 1, 200],
      [3, 2, 100],
    ])
    expect((await patch(`${at}/${many.id}`, { token, json: { points: 7 } })).status).toBe(200)
    expect(await inGroup()).toEqual([
      [7, 1, 200],
      [10, 2, 100],
    ])
    expect((await del(`${at}/${many.id}`, { token })).status).toBe(204)
    expect(await inGroup()).toEqual([[3, 1, 100]])
    expect([await scores(ids), await differences(ask, ids)]).toEqual([[[0, 0, 300]], {}])
  })

  test('is settled by a sweep after its change was interrupted, and what is given meanwhile counts', async () => {
    const { token } = await makeAdmin()
    const ids = await makeCrowd(40)
    const late = ids.pop() as string
    const badge = await makeBadge({ points: 10 })
    await giveAll(badge.id, ids)
    const best = async () => (await get('/v1/leaderboard?limit=1', { token })).body.data.entries[0].score
    await best()
    const interrupted = (change: SQL) =>
      transaction(async (tx) => {
        await tx.execute(sql`select set_config('folkmoot.awards', '0', true)`)
        await tx.execute(change)
      })
    await interrupted(sql`update badges set points = 999 where id = ${badge.id}`)
    await giveAll(badge.id, [late])
    expect(await scores([...ids, late])).toEqual([
      [10, 1, 39],
      [999, 1, 1],
    ])
    await runSweeps(badgesArea.sweeps)
    expect([await scores([...ids, late]), await differences(ask, ids)]).toEqual([[[999, 1, 40]], {}])
    expect(await best()).toBeGreaterThanOrEqual(999)
    await interrupted(sql`delete from badges where id = ${badge.id}`)
    expect((await get(`/v1/badges/${badge.slug}`, { token })).status).toBe(404)
    await runSweeps(badgesArea.sweeps)
    expect([await scores([...ids, late]), await differences(ask, ids)]).toEqual([[[0, 0, 40]], {}])
    expect(await db.$count(unsettledBadges, eq(unsettledBadges.badgeId, badge.id))).toBe(0)
  })

  test('changed by hand, in one statement, counts the same', async () => {
    const ids = await makeCrowd(60)
    const [one, two] = [await makeBadge({ points: 10 }), await makeBadge({ points: 3 })]
    for (const { id } of [one, two]) await giveAll(id, ids)
    await db.execute(sql`update badges set points = points * 2 where id in ${[one.id, two.id]}`)
    expect([await scores(ids), await differences(ask, ids)]).toEqual([[[26, 2, 60]], {}])
    // Both badges of a person, seen by others or not, in one statement.
    await db.execute(sql`update users set suspended_at = now() where id in ${ids.slice(0, 30)}`)
    expect(await differences(ask, ids)).toEqual({})
    await db.execute(sql`delete from badge_awards where user_id in ${ids.slice(20, 40)}`)
    expect([await scores(ids), await differences(ask, ids)]).toEqual([
      [
        [0, 0, 20],
        [26, 2, 40],
      ],
      {},
    ])
    await db.execute(sql`delete from badges where id in ${[one.id, two.id]}`)
    expect([await scores(ids), await differences(ask, ids)]).toEqual([[[0, 0, 60]], {}])
  })

  test('leaves no count behind when its group takes it along', async () => {
    const { user } = await makeAdmin()
    const group = await makeGroup()
    await makeMember(group.id, user.id, 'owner')
    const badge = await makeBadge({ groupId: group.id })
    await giveAll(badge.id, await makeCrowd(12))
    await db.execute(sql`delete from groups where id = ${group.id}`)
    await compactTallies(db)
    expect(await db.$count(badgeTally, eq(badgeTally.badgeId, badge.id))).toBe(0)
  })
})
