import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { compactTallies } from '@/db/area'
import { db } from '@/db/client'
import { publish } from '@/outbox/bus'
import { get, patch } from '../../../support/api'
import { makeCaller, makeGroup, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { give, leave, makeBadge, makeReader, plain, plainBoard, suspend, take, wholeBoard } from './fixtures'

const BOARD = '/v1/leaderboard'

const namesOn = async (token: string) =>
  (await wholeBoard(BOARD, token)).entries.map(({ username }) => username)

describe('the global board', () => {
  test('has every field of the specification', async () => {
    const { token } = await makeReader()
    const person = await makeUser({ name: 'Ahead', avatarUrl: 'https://example.org/a.png' })
    const badges = await Promise.all([1000, 1000, 999, 5].map((points) => makeBadge(points)))
    const hidden = await makeBadge(1000, { hidden: true })
    for (const badge of [...badges, hidden]) await give(badge, person.id)
    await db.execute(
      sql`insert into achievement_progress values (${person.id}, 'explorer', 3, now()), (${person.id}, 'host', 0, null)`,
    )
    publish([{ type: 'achievements.changed', data: {} }])
    const { status, body } = await get(BOARD, { token })
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(['entries', 'total', 'totalAchievements'])
    expect(body.data.total).toBe((await plainBoard()).length)
    const [visible] = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from achievements where enabled and not hidden`,
    )
    expect(body.data.totalAchievements).toBe(visible?.count as number)
    const entry = body.data.entries.find(({ username }: { username: string }) => username === person.username)
    expect(entry).toEqual({
      rank: expect.any(Number),
      username: person.username,
      name: 'Ahead',
      avatarUrl: 'https://example.org/a.png',
      score: 3004,
      completedCount: 1,
      badgeCount: 4,
      badges: expect.any(Array),
    })
    // What is hidden is neither counted nor shown.
    expect(entry.badges).toHaveLength(4)
    expect(entry.badges[3]).toEqual({
      name: badges[3]?.name,
      slug: badges[3]?.slug,
      icon: '🏅',
      color: '#123456',
    })
  })

  test('omits private, suspended, opted-out and nameless people, and those without a score', async () => {
    const { token } = await makeReader()
    const badge = await makeBadge(40)
    const nothing = await makeBadge(0)
    const mark = randomHex(5)
    const make = async (name: string, fields: Parameters<typeof makeUser>[0] = {}) => {
      const user = await makeUser({ username: `${name}-${mark}`, ...fields })
      await give(badge, user.id)
      return user
    }
    await make('unasked')
    await make('willing', { showOnLeaderboard: true })
    await make('opted-out', { showOnLeaderboard: false })
    await make('private', { profileVisibility: 'private' })
    await make('suspended', { suspendedAt: new Date() })
    const nameless = await make('nameless', { username: null, name: `nameless-${mark}` })
    const scoreless = await makeUser({ username: `scoreless-${mark}` })
    await give(nothing, scoreless.id)
    const poor = await make('poor')
    await take(badge, poor.id)
    const { entries, total } = await wholeBoard(BOARD, token)
    expect(entries.filter(({ username }) => username.endsWith(mark)).map(({ username }) => username)).toEqual(
      [`unasked-${mark}`, `willing-${mark}`],
    )
    expect(total).toBe(entries.length)
    expect(JSON.stringify(entries)).not.toContain(nameless.name)
  })

  test('is ordered by score, then by who reached it first, then by username in any case', async () => {
    const { token } = await makeReader()
    const mark = randomHex(5)
    const [high, low] = [await makeBadge(731), await makeBadge(517)]
    const make = (name: string) => makeUser({ username: `${name}-${mark}` })
    const [zoe, adam, Bert, carl, first] = [
      await make('zoe'),
      await make('adam'),
      await make('Bert'),
      await make('carl'),
      await make('first'),
    ]
    await give(high, first.id)
    // Came to the same score by another way, and later.
    await give(low, zoe.id)
    for (const user of [carl, Bert, adam]) await give(low, user.id)
    const moment = new Date(Date.now() + 1000)
    for (const user of [carl, Bert, adam])
      await db.execute(sql`update users set xp_reached_at = ${moment.toISOString()} where id = ${user.id}`)
    publish([{ type: 'user.updated', data: { userId: zoe.id, fields: [] } }])
    const { entries } = await wholeBoard(BOARD, token)
    expect(entries.filter(({ username }) => username.endsWith(mark)).map(({ username }) => username)).toEqual(
      [first, zoe, adam, Bert, carl].map(({ username }) => username as string),
    )
    expect(plain(entries)).toEqual(await plainBoard())
  })

  test('who loses a score and comes back to it stands behind those who kept it', async () => {
    const { token } = await makeReader()
    const [badge, other] = [await makeBadge(613), await makeBadge(7)]
    const [early, late] = [await makeUser(), await makeUser()]
    await give(badge, early.id)
    await give(badge, late.id)
    const order = async () =>
      (await namesOn(token)).filter((name) => [early.username, late.username].includes(name))
    expect(await order()).toEqual([early.username as string, late.username as string])
    await give(other, early.id)
    await take(other, early.id)
    expect(await order()).toEqual([late.username as string, early.username as string])
  })

  test('is leafed through by offset, also in the midst of many with one score, and past its end', async () => {
    const { token } = await makeReader()
    const badge = await makeBadge(333)
    const crowd = await Promise.all(Array.from({ length: 60 }, () => makeUser()))
    for (const [i, { id }] of crowd.entries()) {
      await give(badge, id)
      // Some at once, so that only their names tell them apart.
      if (i % 3 === 2) await db.execute(sql`update users set xp_reached_at = '2026-01-01' where id = ${id}`)
    }
    for (const compact of [false, true]) {
      if (compact) await compactTallies(db)
      publish([{ type: 'user.updated', data: { userId: crowd[0]?.id as string, fields: [] } }])
      const board = await plainBoard()
      const begin = board.findIndex(({ score }) => score === 333)
      const sizes = [
        [7, 0],
        [5, begin - 2],
        [1, begin],
        [9, begin + 13],
        [20, begin + 41],
        [4, begin + 58],
        [100, begin + 30],
        [10, board.length - 1],
        [10, board.length],
        [10, board.length + 5],
        [10, 2_000_000_000],
      ] as const
      for (const [limit, offset] of sizes) {
        const from = Math.max(0, offset)
        const { body } = await get(`${BOARD}?limit=${limit}&offset=${from}`, { token })
        expect(plain(body.data.entries)).toEqual(board.slice(from, from + limit))
        expect(body.data.total).toBe(board.length)
      }
    }
  })

  test('never counts what was earned in a group', async () => {
    const { token } = await makeReader()
    const [user, group] = [await makeUser(), await makeGroup()]
    await give(await makeBadge(50, { groupId: group.id }), user.id)
    expect(await namesOn(token)).not.toContain(user.username as string)
    await give(await makeBadge(3), user.id)
    const mine = (await wholeBoard(BOARD, token)).entries.find(({ username }) => username === user.username)
    expect(mine).toMatchObject({ score: 3, badgeCount: 1 })
    expect(mine?.badges).toHaveLength(1)
  })

  test('people who opt out, go private, are suspended or deleted disappear at once', async () => {
    const { token } = await makeReader()
    const badge = await makeBadge(77)
    const people = await Promise.all([1, 2, 3, 4].map(() => makeCaller(['user'])))
    const [opting, hiding, suspended, leaving] = people as [
      (typeof people)[0],
      (typeof people)[0],
      (typeof people)[0],
      (typeof people)[0],
    ]
    for (const { user } of people) await give(badge, user.id)
    const there = async () => {
      const names = await namesOn(token)
      return people.map(({ user }) => names.includes(user.username as string))
    }
    const total = async () => (await get(`${BOARD}?limit=1`, { token })).body.data.total
    const before = await total()
    expect(await there()).toEqual([true, true, true, true])
    await patch('/v1/profile', { token: opting.token, json: { showOnLeaderboard: false } })
    expect(await there()).toEqual([false, true, true, true])
    await patch('/v1/profile', { token: hiding.token, json: { profileVisibility: 'private' } })
    expect(await there()).toEqual([false, false, true, true])
    await suspend(suspended.user.id)
    expect(await there()).toEqual([false, false, false, true])
    expect((await leave(leaving.user)).status).toBe(200)
    expect(await there()).toEqual([false, false, false, false])
    expect(await total()).toBe(before - 4)
    await patch('/v1/profile', { token: opting.token, json: { showOnLeaderboard: true } })
    await patch('/v1/profile', { token: hiding.token, json: { profileVisibility: 'public' } })
    expect(await there()).toEqual([true, true, false, false])
  })

  test('shows a new badge, name or achievement at once, and is cached otherwise', async () => {
    const { token } = await makeReader()
    const person = await makeCaller(['user'])
    await give(await makeBadge(911), person.user.id)
    const look = async () =>
      (await wholeBoard(BOARD, token)).entries.find(({ username }) => username === person.user.username)
    expect(await look()).toMatchObject({ score: 911, badgeCount: 1, completedCount: 0 })
    await give(await makeBadge(0), person.user.id)
    expect(await look()).toMatchObject({ score: 911, badgeCount: 2, badges: [{}, {}] })
    await patch('/v1/profile', { token: person.token, json: { name: 'Renamed' } })
    expect(await look()).toMatchObject({ name: 'Renamed' })
    await db.execute(sql`insert into achievement_progress values (${person.user.id}, 'explorer', 3, now())`)
    publish([
      { type: 'achievement.unlocked', data: { key: 'explorer', userId: person.user.id, badgeSlug: null } },
    ])
    expect(await look()).toMatchObject({ completedCount: 1 })
    expect(await statementsOf(() => get(BOARD, { token }))).toBe(0)
    // Whatever the size of the page, it costs the same few statements.
    let asked = 0
    const cost = (limit: number) =>
      statementsOf(() => get(`${BOARD}?limit=${limit}&offset=${asked++}`, { token }))
    expect([await cost(2), await cost(90)]).toEqual([4, 4])
  })

  test('refuses strangers, tokens that may not read people, and pages that cannot be', async () => {
    const { token } = await makeReader()
    expect((await get(BOARD)).status).toBe(401)
    expect((await get(BOARD, { token: (await makeCaller(['read:groups'])).token })).body.code).toBe(
      'insufficient_scope',
    )
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'offset=1.5', 'offset=99999999999'])
      expect((await get(`${BOARD}?${query}`, { token })).status).toBe(400)
    expect((await get(`${BOARD}?limit=100`, { token })).status).toBe(200)
  })
})
