import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { moverLists, movers } from '@/db/tables/boards'
import { countMovers } from '@/modules/recognition/leaderboards/movers/count'
import { dropCaches } from '@/outbox/bus'
import { get, patch } from '../../../support/api'
import { makeCaller, makeGroup, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import {
  type Badge,
  backdate,
  comeAndGo,
  give,
  leave,
  makeBadge,
  makeReader,
  plainBoard,
  take,
} from './fixtures'

const MOVERS = '/v1/leaderboard/movers'
const DAY_MS = 86_400_000

type Mover = {
  username: string
  xpGained: number
  currentXp: number
  currentRank: number
  previousRank: number | null
  rankChange: number | null
  badgesEarned: number
  isNewUser: boolean
}

async function allMovers(token: string, period = 'week'): Promise<Mover[]> {
  const found: Mover[] = []
  for (;;) {
    const { body } = await get(`${MOVERS}?period=${period}&limit=100&offset=${found.length}`, { token })
    found.push(...body.data.movers)
    if (body.data.movers.length < 100) {
      expect(body.data.total).toBe(found.length)
      return found
    }
  }
}

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

/** Writes a day's board down by hand. */
async function writeDay(daysAgo: number, ranks: Record<string, number>) {
  const day = dayOf(daysAgo)
  await db.execute(sql`insert into board_days values (${day}, now()) on conflict do nothing`)
  for (const [id, rank] of Object.entries(ranks))
    await db.execute(sql`insert into board_snapshots values (${id}, ${day}, ${rank}, 1)`)
}

describe('movers', () => {
  beforeEach(async () => {
    await db.execute(sql`delete from board_snapshots`)
    await db.execute(sql`delete from board_days`)
    dropCaches()
  })

  test('of a community in which very many moved wait for the worker’s first count', async () => {
    const [{ token }, person] = [await makeReader(), await makeUser()]
    await db.execute(sql`insert into score_changes (user_id, at, change, xp)
      select ${person.id}, now(), 1, 1 from generate_series(1, 10001)`)
    dropCaches()
    expect(await get(MOVERS, { token })).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await countMovers()
    dropCaches()
    expect((await get(MOVERS, { token })).status).toBe(200)
    await db.execute(sql`delete from score_changes where user_id = ${person.id}`)
    await countMovers()
    dropCaches()
  })

  test('has every field of the specification', async () => {
    const { token } = await makeReader()
    const person = await makeUser({
      avatarUrl: 'https://example.org/a.png',
      createdAt: new Date(Date.now() - 50 * DAY_MS),
    })
    const old = await makeBadge(120)
    await give(old, person.id)
    await backdate(person.id, 20 * DAY_MS)
    for (const points of [31, 0, 6]) await give(await makeBadge(points), person.id)
    const [kept, lost] = [await makeBadge(8), await makeBadge(90)]
    await give(lost, person.id)
    await give(kept, person.id)
    await take(lost, person.id)
    await give(await makeBadge(50, { groupId: (await makeGroup()).id }), person.id)
    await writeDay(7, { [person.id]: 4000 })
    dropCaches()
    const asked = Date.now()
    const { status, body } = await get(`${MOVERS}?limit=100`, { token })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      period: { start: expect.any(String), end: expect.any(String), label: 'week' },
      movers: expect.any(Array),
      total: expect.any(Number),
      limit: 100,
      offset: 0,
    })
    const [start, end] = [Date.parse(body.data.period.start), Date.parse(body.data.period.end)]
    expect(end - start).toBe(7 * DAY_MS)
    expect(Math.abs(end - asked)).toBeLessThan(2000)
    const rank = (await plainBoard()).find(({ username }) => username === person.username)?.rank as number
    expect((await allMovers(token)).find(({ username }) => username === person.username)).toEqual({
      username: person.username as string,
      name: person.name,
      avatarUrl: person.avatarUrl,
      currentXp: 165,
      xpGained: 45,
      currentRank: rank,
      previousRank: 4000,
      rankChange: 4000 - rank,
      badgesEarned: 4,
      isNewUser: false,
    } as Mover)
  })

  test('a period is the last seven or thirty days', async () => {
    const { token } = await makeReader()
    const [now, lately, before, newcomer] = [
      await makeUser({ createdAt: new Date(Date.now() - 100 * DAY_MS) }),
      await makeUser({ createdAt: new Date(Date.now() - 29 * DAY_MS) }),
      await makeUser(),
      await makeUser({ createdAt: new Date(Date.now() - 6.9 * DAY_MS) }),
    ]
    const badge = await makeBadge(64)
    for (const { id } of [now, lately, before, newcomer]) await give(badge, id)
    await backdate(now.id, 7 * DAY_MS - 60_000)
    await backdate(lately.id, 7 * DAY_MS + 1000)
    await backdate(before.id, 30 * DAY_MS + 1000)
    dropCaches()
    const mine = async (period: string) =>
      (await allMovers(token, period))
        .filter(({ username }) => [now, lately, before, newcomer].some((user) => user.username === username))
        .map(({ username, isNewUser, badgesEarned, xpGained }) =>
          [username, isNewUser ? 'new' : 'old', badgesEarned, xpGained].join(' '),
        )
        .sort()
    expect(await mine('week')).toEqual([`${now.username} old 1 64`, `${newcomer.username} new 1 64`].sort())
    expect(await mine('month')).toEqual(
      [`${now.username} old 1 64`, `${lately.username} new 1 64`, `${newcomer.username} new 1 64`].sort(),
    )
    const { period } = (await get(`${MOVERS}?period=month`, { token })).body.data
    expect(period.label).toBe('month')
    expect(Date.parse(period.end) - Date.parse(period.start)).toBe(30 * DAY_MS)
    expect((await get(MOVERS, { token })).body.data.period.label).toBe('week')
    expect((await get(`${MOVERS}?period=year`, { token })).status).toBe(400)
  })

  test('holds only people on the board who gained: not who lost, came out even, or cannot be seen', async () => {
    const { token } = await makeReader()
    const mark = randomHex(5)
    const [some, more] = [await makeBadge(20), await makeBadge(50)]
    const make = async (name: string, fields: Parameters<typeof makeUser>[0] = {}) => {
      const user = await makeUser({ username: `${name}-${mark}`, ...fields })
      await give(some, user.id)
      return user
    }
    await make('gained')
    const [lost, even] = [await make('lost'), await make('even')]
    await give(more, lost.id)
    await backdate(lost.id, 10 * DAY_MS)
    await take(some, lost.id)
    await backdate(even.id, 10 * DAY_MS)
    await give(more, even.id)
    await take(more, even.id)
    await make('private', { profileVisibility: 'private' })
    await make('opted-out', { showOnLeaderboard: false })
    await make('suspended', { suspendedAt: new Date() })
    await make('nameless', { username: null })
    const inGroup = await makeUser({ username: `group-${mark}` })
    await give(await makeBadge(10, { groupId: (await makeGroup()).id }), inGroup.id)
    expect(
      (await allMovers(token))
        .filter(({ username }) => username.endsWith(mark))
        .map(({ username }) => username),
    ).toEqual([`gained-${mark}`])
  })

  test('ranks are places on the board, also among many with one score', async () => {
    const { token } = await makeReader()
    const badge = await makeBadge(451)
    const crowd = await Promise.all(Array.from({ length: 24 }, () => makeUser()))
    for (const [i, { id }] of crowd.entries()) {
      await give(badge, id)
      if (i % 3 === 0) await backdate(id, (8 + i) * DAY_MS)
      if (i % 4 === 1)
        await db.execute(sql`update users set xp_reached_at = date_trunc('hour', now()) where id = ${id}`)
    }
    // Fell to this score lately: no mover, but in the midst of them.
    const fallen = await makeUser()
    const top = await makeBadge(200)
    await give(badge, fallen.id)
    await give(top, fallen.id)
    await backdate(fallen.id, 9 * DAY_MS)
    await take(top, fallen.id)
    dropCaches()
    const board = new Map((await plainBoard()).map(({ username, rank }) => [username, rank]))
    const movers = await allMovers(token)
    expect(movers.length).toBeGreaterThan(15)
    for (const { username, currentRank } of movers)
      expect([username, currentRank]).toEqual([username, board.get(username) as number])
    expect(movers.filter(({ username }) => crowd.some((user) => user.username === username))).toHaveLength(16)
  })

  test('the rank before is from the newest board at or before the beginning of the period', async () => {
    const { token } = await makeReader()
    const [person, unknown] = [await makeUser(), await makeUser()]
    const badge = await makeBadge(88)
    for (const { id } of [person, unknown]) await give(badge, id)
    const ranks = async (period = 'week') => {
      dropCaches()
      const found = await allMovers(token, period)
      return [person, unknown].map((user) => {
        const mover = found.find(({ username }) => username === user.username) as Mover
        expect(mover.rankChange).toBe(
          mover.previousRank === null ? null : mover.previousRank - mover.currentRank,
        )
        return mover.previousRank
      })
    }
    expect(await ranks()).toEqual([null, null])
    await writeDay(6, { [person.id]: 60 })
    expect(await ranks()).toEqual([null, null])
    await writeDay(12, { [person.id]: 120 })
    expect(await ranks()).toEqual([120, null])
    await writeDay(7, { [person.id]: 70 })
    expect(await ranks()).toEqual([70, null])
    expect(await ranks('month')).toEqual([null, null])
    await writeDay(30, { [person.id]: 300 })
    expect(await ranks('month')).toEqual([300, null])
    expect(await ranks()).toEqual([70, null])
  })

  test('come by gain, then by places won with newcomers last, then by username', async () => {
    const { token } = await makeReader()
    const mark = randomHex(5)
    const make = (name: string) => makeUser({ username: `${name}-${mark}` })
    const [most, riser, faller, zeno, Anna] = [
      await make('most'),
      await make('riser'),
      await make('faller'),
      await make('zeno'),
      await make('Anna'),
    ]
    const [big, small] = [await makeBadge(707), await makeBadge(701)]
    for (const { id } of [zeno, faller, riser, Anna]) await give(small, id)
    await give(big, most.id)
    await writeDay(7, { [riser.id]: 9000, [faller.id]: 2 })
    dropCaches()
    const order = (await allMovers(token)).map(({ username }) => username)
    expect(order.filter((username) => username.endsWith(mark))).toEqual(
      [most, riser, faller, Anna, zeno].map(({ username }) => username as string),
    )
    // Pages of any size are cut from that order, also through the midst of equal gains.
    for (const limit of [1, 2, 3, 7])
      for (const offset of [0, 1, 2, 3, 5, order.length - 1, order.length, order.length + 3]) {
        const { body } = await get(`${MOVERS}?limit=${limit}&offset=${offset}`, { token })
        expect(body.data.movers.map(({ username }: Mover) => username)).toEqual(
          order.slice(offset, offset + limit),
        )
        expect([body.data.total, body.data.limit, body.data.offset]).toEqual([order.length, limit, offset])
      }
  })

  test('follows awards, and people who hide or leave, at once; otherwise it is cached for a moment', async () => {
    const { token } = await makeReader()
    const badge = await makeBadge(25)
    const { hiding, there } = await comeAndGo(badge, async () =>
      (await allMovers(token)).map(({ username }) => username),
    )
    await patch('/v1/profile', { token: hiding.token, json: { profileVisibility: 'public' } })
    expect(await there()).toBe('01000')
    expect(await statementsOf(() => get(MOVERS, { token }))).toBe(0)
    let asked = 0
    const cost = (limit: number) =>
      statementsOf(() => get(`${MOVERS}?limit=${limit}&offset=${asked++}`, { token }))
    // Whether a worker has counted them, whether few enough moved, and the page.
    expect([await cost(2), await cost(90)]).toEqual([3, 3])
  })

  test('refuses strangers, tokens that may not read people, and pages that cannot be', async () => {
    const { token } = await makeReader()
    expect((await get(MOVERS)).status).toBe(401)
    expect((await get(MOVERS, { token: (await makeCaller(['read:groups'])).token })).body.code).toBe(
      'insufficient_scope',
    )
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'period='])
      expect((await get(`${MOVERS}?${query}`, { token })).status).toBe(400)
  })

  test('a list that a worker counted in slices is what a reader would count, and hides who hides', async () => {
    const { token } = await makeReader()
    const [crowd, leaving] = [
      await Promise.all(Array.from({ length: 14 }, () => makeCaller(['user']))),
      await makeUser(),
    ]
    const badges = await Promise.all([40, 40, 90, 300].map((points) => makeBadge(points)))
    for (const [i, { user }] of crowd.entries())
      for (const badge of badges.slice(i % 3, 1 + (i % 4))) await give(badge, user.id)
    await give(badges[1] as Badge, leaving.id)
    await writeDay(7, Object.fromEntries(crowd.slice(0, 9).map(({ user }, i) => [user.id, 10 * i + 1])))
    await writeDay(30, {})
    for (const period of ['week', 'month']) {
      dropCaches()
      await countMovers({ liveMax: 1e9 })
      const live = await allMovers(token, period)
      await countMovers({ liveMax: 0, portion: 4, markEvery: 3 })
      dropCaches()
      const { period: counted } = (await get(`${MOVERS}?period=${period}`, { token })).body.data
      await db.execute(sql`update users set name = 'Renamed' where id = ${leaving.id}`)
      expect(await allMovers(token, period)).toEqual(
        live.map((mover) => (mover.username === leaving.username ? { ...mover, name: 'Renamed' } : mover)),
      )
      for (const offset of [0, 1, 2, 3, 5, 6, live.length - 1, live.length, live.length + 7]) {
        const { body } = await get(`${MOVERS}?period=${period}&limit=4&offset=${offset}`, { token })
        expect(body.data.movers.map(({ username }: Mover) => username)).toEqual(
          live.slice(offset, offset + 4).map(({ username }) => username),
        )
        expect(body.data.period).toEqual(counted)
      }
    }
    const [hiding] = crowd as [Awaited<ReturnType<typeof makeCaller>>]
    const shown = async () => {
      const { body } = await get(`${MOVERS}?limit=100`, { token })
      return body.data.movers.map(({ username }: Mover) => username)
    }
    expect(await shown()).toContain(hiding.user.username)
    await patch('/v1/profile', { token: hiding.token, json: { profileVisibility: 'private' } })
    expect(await shown()).not.toContain(hiding.user.username)
    await leave(leaving)
    expect(await shown()).not.toContain(leaving.username)
    expect(await db.$count(movers, eq(movers.userId, leaving.id))).toBe(0)
    await countMovers()
    expect([await db.$count(movers), await db.$count(moverLists)]).toEqual([0, 0])
  })
})
