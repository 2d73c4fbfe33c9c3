import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { compactTallies } from '@/db/area'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { del, get, patch } from '../../../support/api'
import { makeCaller, makeGroup } from '../../../support/make'
import { seededRandom } from '../../../support/random'
import { isWhole } from '../../../support/sampling'
import {
  type Badge,
  give,
  leave,
  makeBadge,
  makeReader,
  plain,
  plainBoard,
  take,
  wholeBoard,
} from './fixtures'
import { differences } from './sums'

const STEPS = isWhole ? 400 : 200
const CHECK_EVERY = 20

type Person = Awaited<ReturnType<typeof makeCaller>> & { isSuspended: boolean }
type Group = Awaited<ReturnType<typeof makeGroup>>

const ask = (statement: string) => db.execute(sql.raw(statement))

test('after any history, what is kept step by step is what the awards add up to', async () => {
  const { random, pick } = seededRandom()
  const chance = (share: number) => random() < share
  const reader = await makeReader()
  const owner = await makeCaller(['manage:groups'], { profileVisibility: 'private' })
  const people = new Set<Person>()
  const groups = new Set<Group>()
  const badges = new Set<Badge>()
  /** Who holds what, as the answers of the door say. */
  const held = new Set<string>()
  /** The steps in which somebody's score became what it is, with the time that they took. */
  const moved = new Map<string, [from: number, to: number]>()
  let seen = 0

  const anyone = () => pick([...people]) as Person
  const anyBadge = () => pick([...badges]) as Badge
  const points = () => pick([0, 1, 5, 5, 10, 20, 35]) as number
  const holdersOf = ({ id }: Badge) => [...people].filter(({ user }) => held.has(`${id} ${user.id}`))

  const arrive = async () => {
    people.add({ ...(await makeCaller(['user'])), isSuspended: false })
  }
  const inventBadge = async (groupId: string | null) => {
    badges.add(await makeBadge(points(), { groupId }))
  }
  const found = async () => {
    const group = await makeGroup({}, owner.user.id)
    groups.add(group)
    for (let i = 0; i < 3; i += 1) await inventBadge(group.id)
  }

  /** Notes whose score a step has changed. */
  async function move(badge: Badge, change: number, whom: Person[], step: () => Promise<unknown>) {
    const from = Date.now()
    await step()
    if (badge.groupId === null && !badge.hidden && change !== 0)
      for (const { user } of whom) moved.set(user.id, [from, Date.now()])
  }

  const STEP: [share: number, step: () => Promise<unknown>][] = [
    [
      0.41,
      async () => {
        const [badge, person] = [anyBadge(), anyone()]
        const key = `${badge.id} ${person.user.id}`
        const isNew = !held.has(key)
        await move(badge, isNew ? badge.points : 0, [person], async () =>
          expect(await give(badge, person.user.id)).toBe(isNew),
        )
        held.add(key)
      },
    ],
    [
      0.18,
      async () => {
        const badge = anyBadge()
        const person = (chance(0.7) && pick(holdersOf(badge))) || anyone()
        const key = `${badge.id} ${person.user.id}`
        await move(badge, held.has(key) ? -badge.points : 0, [person], async () =>
          expect(await take(badge, person.user.id)).toBe(held.has(key)),
        )
        held.delete(key)
      },
    ],
    [
      0.07,
      async () => {
        const badge = anyBadge()
        const worth = points()
        await move(badge, worth - badge.points, holdersOf(badge), () =>
          transaction(async (tx) => {
            await tx.execute(sql`update badges set points = ${worth} where id = ${badge.id}`)
            await emit(tx, 'badge.updated', {
              badgeId: badge.id,
              groupId: badge.groupId,
              slug: badge.slug,
              fields: ['points'],
            })
          }),
        )
        badge.points = worth
      },
    ],
    [
      0.03,
      async () => {
        const badge = anyBadge()
        await move(badge, badge.points, holdersOf(badge), () =>
          transaction(async (tx) => {
            await tx.execute(sql`delete from badges where id = ${badge.id}`)
            await emit(tx, 'badge.deleted', { badgeId: badge.id, groupId: badge.groupId, slug: badge.slug })
          }),
        )
        badges.delete(badge)
        await inventBadge(badge.groupId)
      },
    ],
    [
      0.05,
      async () => {
        const badge = pick([...badges].filter(({ groupId }) => groupId === null)) as Badge
        const hidden = !badge.hidden
        badge.hidden = false
        await move(badge, badge.points, holdersOf(badge), () =>
          transaction(async (tx) => {
            await tx.execute(sql`update badges set hidden = ${hidden} where id = ${badge.id}`)
            await emit(tx, 'badge.updated', {
              badgeId: badge.id,
              groupId: null,
              slug: badge.slug,
              fields: ['hidden'],
            })
          }),
        )
        badge.hidden = hidden
      },
    ],
    [0.06, () => change({ showOnLeaderboard: chance(0.7) })],
    [0.06, () => change({ profileVisibility: chance(0.3) ? 'private' : 'public' })],
    [
      0.05,
      async () => {
        const person = (chance(0.6) && pick([...people].filter(({ isSuspended }) => isSuspended))) || anyone()
        person.isSuspended = !person.isSuspended
        const { id } = person.user
        await transaction(async (tx) => {
          await tx.execute(
            sql`update users set suspended_at = ${person.isSuspended ? sql`now()` : null} where id = ${id}`,
          )
          if (person.isSuspended) await emit(tx, 'user.suspended', { userId: id })
          else await emit(tx, 'user.updated', { userId: id, fields: ['suspended'] })
        })
      },
    ],
    [
      0.04,
      async () => {
        const { user } = pick([...people].filter(({ user }) => user.username === null)) ?? anyone()
        user.username = user.username === null ? `named-${randomHex(6)}` : null
        await transaction(async (tx) => {
          await tx.execute(sql`update users set username = ${user.username} where id = ${user.id}`)
          await emit(tx, 'user.updated', { userId: user.id, fields: ['username'] })
        })
      },
    ],
    [
      0.02,
      async () => {
        const person = anyone()
        // Whoever is suspended cannot come in to delete their account; somebody else does it for them.
        if (person.isSuspended)
          await transaction(async (tx) => {
            await tx.execute(sql`delete from users where id = ${person.user.id}`)
            await emit(tx, 'user.deleted', { userId: person.user.id })
          })
        else expect((await leave(person.user)).status).toBe(200)
        people.delete(person)
        await arrive()
      },
    ],
    [
      0.01,
      async () => {
        const group = pick([...groups]) as Group
        const gone = await del(`/v1/manage/groups/${group.id}?confirm=${group.urlname}`, {
          token: owner.token,
        })
        expect(gone.status).toBe(204)
        groups.delete(group)
        for (const badge of badges) if (badge.groupId === group.id) badges.delete(badge)
        await found()
      },
    ],
    [1, () => compactTallies(db)],
  ]

  async function change(json: object) {
    const person = anyone()
    const { status } = await patch('/v1/profile', { token: person.token, json })
    expect(status).toBe(person.isSuspended ? 401 : 200)
  }

  async function check() {
    expect(
      await differences(
        ask,
        [...people].map(({ user }) => user.id),
      ),
    ).toEqual({})
    const rows = await db.execute<{ key: string }>(
      sql`select badge_id || ' ' || user_id as key from badge_awards where user_id in ${[...people].map(({ user }) => user.id)}`,
    )
    const alive = [...held].filter(
      (key) =>
        [...badges].some(({ id }) => key.startsWith(id)) &&
        [...people].some(({ user }) => key.endsWith(user.id)),
    )
    expect(rows.map(({ key }) => key).sort()).toEqual(alive.sort())
    await checkTimes()

    const { entries, total } = await wholeBoard('/v1/leaderboard', reader.token, 50)
    const board = await plainBoard()
    expect(plain(entries)).toEqual(board)
    expect(total).toBe(board.length)
    seen += entries.filter(({ username }) =>
      [...people].some(({ user }) => user.username === username),
    ).length
    for (const { urlname, id } of groups) {
      const answer = await wholeBoard(`/v1/groups/${urlname}/leaderboard`, reader.token, 3)
      const there = await db.execute<{ username: string; xp: number }>(sql`
        select u.username, sum(b.points)::int as xp from badge_awards a join badges b on b.id = a.badge_id
          join users u on u.id = a.user_id join group_scores s on s.user_id = u.id and s.group_id = b.group_id
        where b.group_id = ${id} and u.profile_visibility = 'public' and u.suspended_at is null
          and u.username is not null and coalesce(u.show_on_leaderboard, true)
        group by u.id, s.reached_at having sum(b.points) > 0
        order by xp desc, s.reached_at, lower(u.username)`)
      expect(plain(answer.entries)).toEqual(
        there.map(({ username, xp }, i) => ({ rank: i + 1, username, score: xp })),
      )
      expect(answer.total).toBe(there.length)
    }
    const movers = (await get('/v1/leaderboard/movers?limit=100', { token: reader.token })).body.data.movers
    for (const { username, currentRank, currentXp } of movers)
      expect({ rank: currentRank, username, score: currentXp }).toEqual(
        board[currentRank - 1] as (typeof board)[0],
      )
  }

  /** A score dates from the step that made it what it is. */
  async function checkTimes() {
    const rows = await db.execute<{ id: string; at: string | null }>(
      sql`select id, xp_reached_at as at from users where id in ${[...people].map(({ user }) => user.id)}`,
    )
    for (const { id, at } of rows) {
      const [from, to] = moved.get(id) ?? [0, 0]
      const reached = at === null ? 0 : Date.parse(at)
      expect([id, reached >= from - 1 && reached <= to + 1]).toEqual([id, true])
    }
  }

  function nextStep() {
    let dice = random()
    for (const [share, step] of STEP) {
      dice -= share
      if (dice < 0) return step
    }
    throw new Error('the shares do not add up to one')
  }

  for (let i = 0; i < 14; i += 1) await arrive()
  for (let i = 0; i < 6; i += 1) await inventBadge(null)
  for (let i = 0; i < 2; i += 1) await found()
  for (let step = 1; step <= STEPS; step += 1) {
    await nextStep()()
    if (step % CHECK_EVERY === 0) await check()
  }
  // A history in which nobody can be seen would prove little. A short one has fewer people to see.
  expect(seen).toBeGreaterThan(isWhole ? STEPS / CHECK_EVERY : 0)
})
