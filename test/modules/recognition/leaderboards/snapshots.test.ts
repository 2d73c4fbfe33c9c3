import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { idAt } from '@/core/ids'
import { db, insideTransaction } from '@/db/client'
import { boardDrafts, scoreChanges } from '@/db/tables/boards'
import { transaction } from '@/db/transaction'
import { draftScores } from '@/modules/recognition/leaderboards/snapshots/queries'
import { takeSnapshots, writeBoard } from '@/modules/recognition/leaderboards/snapshots/take'
import { runSweeps } from '../../../../workers/sweeps'
import { patch } from '../../../support/api'
import { makeCaller, makeUser } from '../../../support/make'
import { seededRandom } from '../../../support/random'
import { type Badge, backdate, give, leave, makeBadge, plainBoard, take } from './fixtures'

const DAY_MS = 86_400_000
/** A day counts as begun once it is a minute old. */
const dayOf = (daysAgo: number) => new Date(Date.now() - 60_000 - daysAgo * DAY_MS).toISOString().slice(0, 10)

type Row = { day: string; user_id: string; rank: number; xp: number }

const written = async () => [
  ...(await db.execute<Row>(
    sql`select day::text, user_id, rank, xp from board_snapshots order by day, rank`,
  )),
]
const days = async () =>
  (await db.execute<{ day: string }>(sql`select day::text from board_days order by day`)).map(
    ({ day }) => day,
  )

async function forgetDays() {
  await db.execute(sql`delete from board_snapshots`)
  await db.execute(sql`delete from board_days`)
}

describe('snapshots of the board', () => {
  beforeEach(forgetDays)

  test('each day of the last month is written down once, and what is older goes', async () => {
    await makeUser({ createdAt: new Date(Date.now() - 60 * DAY_MS) })
    const person = await makeUser()
    await give(await makeBadge(5), person.id)
    await backdate(person.id, 45 * DAY_MS)
    await db.execute(
      sql`insert into board_days values (${dayOf(33)}, now()), (${dayOf(32)}, now()), (${dayOf(4)}, now())`,
    )
    await db.execute(
      sql`insert into board_snapshots values (${person.id}, ${dayOf(33)}, 1, 1), (${person.id}, ${dayOf(4)}, 77, 7)`,
    )
    await takeSnapshots()
    expect(await days()).toEqual(Array.from({ length: 33 }, (_, i) => dayOf(32 - i)))
    const rows = await written()
    const mine = rows.filter(({ user_id }) => user_id === person.id)
    // A day that had been written down is not written again.
    expect(mine.map(({ xp }) => xp)).toEqual(Array.from({ length: 32 }, (_, i) => (i === 27 ? 7 : 5)))
    for (const day of await days()) {
      const ranks = rows.filter((row) => row.day === day && row.user_id !== person.id).map(({ rank }) => rank)
      expect(new Set(ranks).size).toBe(ranks.length)
    }
    await takeSnapshots()
    expect(await written()).toEqual(rows)
  })

  test('late, twice, or by several at once: a board is what it was when the day began', async () => {
    const { random, pick } = seededRandom()
    const people = await Promise.all(
      Array.from({ length: 12 }, () => makeUser({ createdAt: new Date(Date.now() - 40 * DAY_MS) })),
    )
    const badges = await Promise.all([3, 3, 5, 5, 8, 13].map((points) => makeBadge(points)))
    const mine = new Map(people.map(({ username, id }) => [username as string, id]))
    const expected: { day: string; board: { id: string; xp: number }[] }[] = []
    await give(badges[5] as Badge, (people[0] as { id: string }).id)
    const upto: number[] = []
    for (let daysAgo = 9; daysAgo >= 0; daysAgo -= 1) {
      // What happens now will have happened on the day before that day's board.
      for (let step = 0; step < 12; step += 1) {
        const [badge, { id }] = [pick(badges) as Badge, pick(people) as (typeof people)[0]]
        await (random() < 0.6 ? give : take)(badge, id)
      }
      upto.push(
        Number(
          (await db.execute<{ id: string }>(sql`select coalesce(max(id), 0) as id from score_changes`))[0]
            ?.id,
        ),
      )
      expected.push({
        day: dayOf(daysAgo),
        board: (await plainBoard())
          .filter(({ username }) => mine.has(username))
          .map(({ username, score }) => ({ id: mine.get(username) as string, xp: score })),
      })
    }
    await intoThePast([...mine.values()], upto)

    const drawn = async () => {
      const rows = await written()
      return expected.map(({ day }) => ({
        day,
        board: rows
          .filter((row) => row.day === day && people.some(({ id }) => id === row.user_id))
          .map(({ user_id, xp }) => ({ id: user_id, xp })),
      }))
    }
    await takeSnapshots()
    expect(await drawn()).toEqual(expected)
    const once = await written()
    await forgetDays()
    await Promise.all([takeSnapshots(), takeSnapshots(), takeSnapshots()])
    expect(await written()).toEqual(once)
    await forgetDays()
    await takeSnapshots(3)
    expect(await written()).toEqual(once)
    // Meanwhile people move on; what was is not touched by it.
    await forgetDays()
    for (let step = 0; step < 20; step += 1)
      await (random() < 0.5 ? give : take)(pick(badges) as Badge, (pick(people) as { id: string }).id)
    for (const badge of badges) await take(badge, (people[0] as { id: string }).id)
    await takeSnapshots()
    expect(await drawn()).toEqual(expected)
    expect(expected.some(({ board }) => board.some(({ id }) => id === people[0]?.id))).toBe(true)
  })

  /** Spreads what happened to these people over the days before today: each portion over a day of its own. */
  async function intoThePast(ids: string[], upto: number[]) {
    const portions = upto.map((last, i) => sql`when id <= ${last} then ${upto.length - i}::int`)
    // A portion ends up in the middle of the day before the day whose board it leads to.
    await db.execute(sql`
      update score_changes set at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
        - (case ${sql.join(portions, sql` `)} end) * interval '1 day' + interval '6 hours' + (at - now())
      where user_id in ${ids}`)
    await db.execute(sql`
      update score_changes c set reached_before = b.before
      from (select id, lag(at) over (partition by user_id order by id) as before from score_changes) b
      where b.id = c.id and c.user_id in ${ids}`)
    await db.execute(sql`
      update users u set xp_reached_at = (
        select at from score_changes where user_id = u.id order by id desc limit 1) where id in ${ids}`)
  }

  test('the board of any moment can be drawn again from the log', async () => {
    const { random, pick } = seededRandom()
    const people = await Promise.all(Array.from({ length: 8 }, () => makeUser()))
    const badges = await Promise.all([2, 2, 4, 6].map((points) => makeBadge(points)))
    type Place = { username: string; score: number }
    const mine = (board: Place[]) =>
      board
        .filter(({ username }) => people.some((person) => person.username === username))
        .map(({ username, score }) => ({ username, score }))
    const moments: { at: Date; board: Place[] }[] = []
    for (let step = 0; step < 120; step += 1) {
      const [badge, { id }] = [pick(badges) as Badge, pick(people) as { id: string }]
      if (random() < 0.1)
        await db.execute(
          sql`update badges set points = ${1 + Math.floor(random() * 9)} where id = ${badge.id}`,
        )
      else await (random() < 0.6 ? give : take)(badge, id)
      if (step % 10 === 9) moments.push({ at: await nextMoment(), board: mine(await plainBoard()) })
    }
    for (const [i, { at, board }] of moments.entries()) {
      const day = `2001-01-${10 + i}`
      await writeBoard(day, at, 3)
      const redrawn = [
        ...(await db.execute<Place & { rank: number }>(sql`
          select rank, username, s.xp as score from board_snapshots s join users u on u.id = s.user_id
          where day = ${day} order by rank`)),
      ]
      expect(redrawn.map(({ rank }) => rank)).toEqual(redrawn.map((_, i) => i + 1))
      expect(mine(redrawn)).toEqual(board)
    }
  })

  /** A moment after everything that happened, and before everything that will. */
  async function nextMoment(): Promise<Date> {
    const at = new Date(Date.now() + 2)
    while (Date.now() <= at.getTime() + 1) await db.execute(sql`select 1`)
    return at
  }

  test('hidden people are on no new board, and deleted people on none', async () => {
    const badge = await makeBadge(9)
    const [hidden, leaving] = [await makeCaller(['user']), await makeCaller(['user'])]
    await makeUser({ createdAt: new Date(Date.now() - 40 * DAY_MS) })
    for (const { user } of [hidden, leaving]) {
      await give(badge, user.id)
      await backdate(user.id, 20 * DAY_MS)
    }
    await patch('/v1/profile', { token: hidden.token, json: { showOnLeaderboard: false } })
    await takeSnapshots()
    const whose = async (id: string) => (await written()).filter(({ user_id }) => user_id === id).length
    expect([await whose(hidden.user.id), await whose(leaving.user.id)]).toEqual([0, 20])
    await leave(leaving.user)
    expect(await whose(leaving.user.id)).toBe(0)
  })

  test('a board is written while a person on it changes', async () => {
    const person = await makeCaller(['user'])
    await give(await makeBadge(4), person.user.id)
    await transaction(async (tx) => {
      await tx.execute(sql`update users set name = 'Meanwhile' where id = ${person.user.id}`)
      await insideTransaction.exit(() => writeBoard('2001-02-01', new Date()))
    })
    const day = (await written()).filter((row) => row.day === '2001-02-01')
    expect(day.some(({ user_id }) => user_id === person.user.id)).toBe(true)
  })

  test('a run that died leaves nothing: the next one writes the board, a sweep takes the drafts', async () => {
    const person = await makeUser()
    await give(await makeBadge(6), person.id)
    const run = idAt(new Date(Date.now() - DAY_MS - 60_000))
    await draftScores(db, { run, moment: new Date(), after: idAt(new Date(0)), limit: 10_000 })
    const drafts = () => db.$count(boardDrafts, eq(boardDrafts.run, run))
    await writeBoard('2001-02-02', new Date(Date.now() + 1000), 5)
    expect(await drafts()).toBeGreaterThan(0)
    await runSweeps()
    expect(await db.$count(boardDrafts)).toBe(0)
  })

  test('the log of scores is kept for forty days', async () => {
    const [old, recent] = [await makeUser(), await makeUser()]
    const badge = await makeBadge(2)
    for (const { id } of [old, recent]) await give(badge, id)
    await backdate(old.id, 40 * DAY_MS + 60_000)
    await backdate(recent.id, 40 * DAY_MS - 60_000)
    await runSweeps()
    const left = await db.select({ userId: scoreChanges.userId }).from(scoreChanges)
    expect(left.some(({ userId }) => userId === old.id)).toBe(false)
    expect(left.some(({ userId }) => userId === recent.id)).toBe(true)
  })
})
