import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { dropCaches } from '@/outbox/bus'
import { del, get, patch } from '../../../support/api'
import { makeAdmin, makeCaller, makeGroup, makeMember, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { comeAndGo, give, makeBadge, makeReader, wholeBoard } from './fixtures'

const boardOf = ({ urlname }: { urlname: string }) => `/v1/groups/${urlname}/leaderboard`

describe('the board of a group', () => {
  test('has every field of the specification', async () => {
    const { token } = await makeReader()
    const group = await makeGroup({ photoUrl: 'https://example.org/g.png' })
    const person = await makeUser({ avatarUrl: 'https://example.org/a.png' })
    const [more, less] = [
      await makeBadge(30, { groupId: group.id }),
      await makeBadge(12, { groupId: group.id }),
    ]
    for (const badge of [less, more]) await give(badge, person.id)
    const { status, body } = await get(boardOf({ urlname: group.urlname.toUpperCase() }), { token })
    expect(status).toBe(200)
    const face = ({ name, slug }: typeof more) => ({ name, slug, icon: '🏅', color: '#123456' })
    expect(body.data).toEqual({
      group: { id: group.id, name: group.name, urlname: group.urlname, photoUrl: group.photoUrl },
      entries: [
        {
          rank: 1,
          username: person.username,
          name: person.name,
          avatarUrl: person.avatarUrl,
          score: 42,
          badgeCount: 2,
          badges: [face(more), face(less)],
        },
      ],
      total: 1,
    })
  })

  test('counts only what was earned there: neither the platform nor another group', async () => {
    const { token } = await makeReader()
    const [one, other] = [await makeGroup(), await makeGroup()]
    const person = await makeUser()
    await give(await makeBadge(1000), person.id)
    await give(await makeBadge(20, { groupId: one.id }), person.id)
    await give(await makeBadge(30, { groupId: other.id }), person.id)
    const scores = async (group: typeof one) =>
      (await get(boardOf(group), { token })).body.data.entries.map(
        ({ score, badges }: { score: number; badges: unknown[] }) => [score, badges.length],
      )
    expect(await scores(one)).toEqual([[20, 1]])
    expect(await scores(other)).toEqual([[30, 1]])
    expect((await get(boardOf(await makeGroup()), { token })).body.data).toMatchObject({
      entries: [],
      total: 0,
    })
  })

  test('has the rules and the order of the global one', async () => {
    const { token } = await makeReader()
    const mark = randomHex(5)
    const group = await makeGroup()
    const [badge, more, nothing] = [
      await makeBadge(10, { groupId: group.id }),
      await makeBadge(1, { groupId: group.id }),
      await makeBadge(0, { groupId: group.id }),
    ]
    const make = async (name: string, fields: Parameters<typeof makeUser>[0] = {}) => {
      const user = await makeUser({ username: `${name}-${mark}`, ...fields })
      await give(badge, user.id)
      return user
    }
    const [zoe, carl, Bert, adam] = [
      await make('zoe'),
      await make('carl'),
      await make('Bert'),
      await make('adam'),
    ]
    await make('opted-out', { showOnLeaderboard: false })
    await make('private', { profileVisibility: 'private' })
    await make('suspended', { suspendedAt: new Date() })
    await make('nameless', { username: null })
    const ahead = await make('ahead', { showOnLeaderboard: true })
    await give(more, ahead.id)
    await give(nothing, (await makeUser({ username: `scoreless-${mark}` })).id)
    for (const { id } of [carl, Bert, adam])
      await db.execute(sql`update group_scores set reached_at = '2027-01-01' where user_id = ${id}`)
    dropCaches()
    const { entries, total } = await wholeBoard(boardOf(group), token, 2)
    expect(entries.map(({ rank, username, score }) => [rank, username, score])).toEqual([
      [1, ahead.username as string, 11],
      [2, zoe.username as string, 10],
      [3, adam.username as string, 10],
      [4, Bert.username as string, 10],
      [5, carl.username as string, 10],
    ])
    expect(total).toBe(5)
    const page = async (limit: number, offset: number) =>
      (await get(`${boardOf(group)}?limit=${limit}&offset=${offset}`, { token })).body.data
    expect((await page(2, 3)).entries.map(({ rank }: { rank: number }) => rank)).toEqual([4, 5])
    expect(await page(2, 5)).toMatchObject({ entries: [], total: 5 })
    expect(await page(2, 2_000_000_000)).toMatchObject({ entries: [], total: 5 })
  })

  test('follows awards, revocations and people who hide or leave, at once', async () => {
    const { token } = await makeReader()
    const group = await makeGroup()
    const badge = await makeBadge(10, { groupId: group.id })
    const { opting, there } = await comeAndGo(badge, async () => {
      const { entries, total } = (await get(boardOf(group), { token })).body.data
      expect(total).toBe(entries.length)
      return entries.map(({ username }: { username: string }) => username)
    })
    await patch('/v1/profile', { token: opting.token, json: { showOnLeaderboard: true } })
    expect(await there()).toBe('10000')
  })

  test('follows its group: a new name, and the end', async () => {
    const { token } = await makeReader()
    const owner = await makeCaller(['manage:groups'])
    const group = await makeGroup({}, owner.user.id)
    await give(await makeBadge(10, { groupId: group.id }), owner.user.id)
    const look = () => get(boardOf(group), { token })
    expect((await look()).body.data.group.name).toBe(group.name)
    await patch(`/v1/manage/groups/${group.id}`, { token: owner.token, json: { name: 'Renamed' } })
    expect((await look()).body.data.group.name).toBe('Renamed')
    expect(await statementsOf(look)).toBe(0)
    await del(`/v1/manage/groups/${group.id}?confirm=${group.urlname}`, { token: owner.token })
    expect((await look()).status).toBe(404)
  })

  test('of an unlisted group is there for its staff and administrators, and 404 for everyone else', async () => {
    const reader = await makeReader()
    const [volunteer, admin] = [await makeCaller(['read:groups']), await makeAdmin()]
    const group = await makeGroup({ isListed: false })
    await makeMember(group.id, volunteer.user.id, 'volunteer')
    await give(await makeBadge(10, { groupId: group.id }), volunteer.user.id)
    const ask = (token: string) => get(boardOf(group), { token })
    for (const { token } of [volunteer, admin]) expect((await ask(token)).body.data.total).toBe(1)
    const [refused, unknown] = [
      await ask(reader.token),
      await get('/v1/groups/no-such-group-anywhere/leaderboard', { token: reader.token }),
    ]
    expect([refused.status, unknown.status]).toEqual([404, 404])
    expect(refused.text).toBe(unknown.text)
  })

  test('refuses strangers, tokens that may not read groups, and pages that cannot be', async () => {
    const { token } = await makeReader()
    const path = boardOf(await makeGroup())
    expect((await get(path)).status).toBe(401)
    expect((await get(path, { token: (await makeCaller(['read:user'])).token })).body.code).toBe(
      'insufficient_scope',
    )
    for (const query of ['limit=0', 'limit=101', 'offset=-1'])
      expect((await get(`${path}?${query}`, { token })).status).toBe(400)
  })
})
