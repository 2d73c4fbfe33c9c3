import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { get, patch, post } from '../../../support/api'
import { makeAdmin, makeBadge, makeCaller, makeGroup, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { walk } from '../../../support/walk'
import { giveBadge } from '../../recognition/badges/fixtures'

const names = (answer: { body: { data: { username: string }[] } }) =>
  answer.body.data.map(({ username }) => username)

describe('the directory', () => {
  test('lists public people, newest first, with the shape of the specification', async () => {
    const mark = randomHex(8)
    await makeUser({ name: `Older ${mark}`, createdAt: new Date(Date.now() - 60_000) })
    const { user, token } = await makeCaller(['read:user'], {
      name: `Newer ${mark}`,
      bio: 'Hello',
      location: 'Here',
    })
    const { body } = await get(`/v1/users?limit=1&search=${mark}`, { token })
    expect(body.data).toEqual([
      {
        username: user.username,
        name: user.name,
        bio: 'Hello',
        location: 'Here',
        avatarUrl: null,
        themeColor: null,
        badges: [],
        memberSince: user.createdAt.toISOString(),
      },
    ])
    expect(body.pagination).toEqual({ limit: 1, hasMore: true, offset: 0, nextCursor: expect.any(String) })
  })

  test('leaves out private, suspended and nameless people, in every search and order', async () => {
    const mark = randomHex(8)
    const { token } = await makeCaller(['read:user'])
    const shown = await makeUser({ name: `Shown ${mark}` })
    await makeUser({ name: `Private ${mark}`, profileVisibility: 'private' })
    await makeUser({ name: `Suspended ${mark}`, suspendedAt: new Date() })
    await makeUser({ name: `Nameless ${mark}`, username: null })
    for (const sort of ['joined', 'xp', 'badges'])
      expect(names(await get(`/v1/users?search=${mark}&sort=${sort}`, { token }))).toEqual([
        shown.username as string,
      ])
    expect((await get('/v1/users?badge=any', { token })).body.data).toEqual([])
  })

  test('a search finds one of long ago behind two thousand newer people, and pages through all of these', async () => {
    const [few, many] = [randomHex(8), randomHex(8)]
    const { token } = await makeCaller(['read:user'])
    const old = await makeUser({ name: `Ева ${few}`, createdAt: new Date(Date.now() - 9e10) })
    const badge = await makeBadge()
    await giveBadge(badge.id, old.id)
    await db.execute(sql`insert into users (id, name, username, created_at)
      select uuidv7(), case when n % 2 = 0 then 'Even ' else 'Odd ' end || ${many}, 'crowd-' || ${many} || '-' || n,
        now() + n * interval '1 ms' from generate_series(1, 2100) n`)
    for (const query of [
      `search=${few}`,
      `search=ева ${few}`,
      `badge=${badge.slug}`,
      `badge=${badge.slug}&search=ева`,
    ])
      expect(names(await get(`/v1/users?${query}`, { token }))).toEqual([old.username as string])
    const found = await walk(`/v1/users?limit=100&search=even ${many}`, token)
    expect(found.map(({ username }) => username)).toEqual(
      Array.from({ length: 1050 }, (_, i) => `crowd-${many}-${2100 - 2 * i}`),
    )
  })

  test('someone who goes private is gone at once, and comes back at once', async () => {
    const mark = randomHex(8)
    const viewer = await makeCaller(['read:user'])
    const person = await makeCaller(['user'], { name: `Shy ${mark}` })
    const look = async () => names(await get(`/v1/users?search=${mark}`, { token: viewer.token }))
    expect(await look()).toHaveLength(1)
    await patch('/v1/profile', { token: person.token, json: { profileVisibility: 'private' } })
    expect(await look()).toHaveLength(0)
    await patch('/v1/profile', { token: person.token, json: { profileVisibility: 'public' } })
    expect(await look()).toHaveLength(1)
  })

  test('is searched by parts of name and username, and takes what people type literally', async () => {
    const mark = randomHex(5)
    const { token } = await makeCaller(['read:user'])
    const percent = await makeUser({ name: `100% ${mark} real_name` })
    const accented = await makeUser({ name: `Zoë ${mark} Ångström` })
    const backslash = await makeUser({ name: `back\\slash ${mark}` })
    const find = async (text: string) =>
      names(await get(`/v1/users?search=${encodeURIComponent(text)}`, { token }))
    expect(await find(`100% ${mark}`)).toEqual([percent.username as string])
    expect(await find(`100_ ${mark}`)).toEqual([])
    expect(await find(`${mark} real_n`)).toEqual([percent.username as string])
    expect(await find(`${mark} realxn`)).toEqual([])
    expect(await find(`ZOË ${mark} ång`)).toEqual([accented.username as string])
    expect(await find(`k\\slash ${mark}`)).toEqual([backslash.username as string])
    expect(await find((percent.username as string).slice(2).toUpperCase())).toEqual([
      percent.username as string,
    ])
    for (const odd of ["'; drop table users; --", '%', '_', '\\', '"', '()', '*'])
      expect((await get(`/v1/users?search=${encodeURIComponent(odd)}`, { token })).status).toBe(200)
  })

  test('takes one or two letters as the beginning of a name', async () => {
    const { token } = await makeCaller(['read:user'])
    const mark = '\u{1F409}'
    const [first, second, inside] = [
      await makeUser({ name: `${mark}a Someone` }),
      await makeUser({ name: `Someone ${mark}a` }),
      await makeUser({ name: `Some${mark}a` }),
    ] as const
    const found = names(await get(`/v1/users?search=${encodeURIComponent(`${mark}a`)}`, { token }))
    expect(found.sort()).toEqual([first.username as string, second.username as string].sort())
    expect(found).not.toContain(inside.username as string)
  })

  test('pages are stable while people join, with a constant number of statements', async () => {
    const mark = randomHex(6)
    const { token } = await makeCaller(['read:user'])
    for (let i = 0; i < 7; i += 1)
      await makeUser({ name: `Pager ${mark}`, createdAt: new Date(1_700_000_000_000 + (i >> 1) * 1000) })
    const join = () => makeUser({ name: `Pager ${mark}` })
    const seen = (await walk(`/v1/users?search=${mark}&limit=2`, token, join)).map(({ username }) => username)
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
    // Pages are cached, so each try asks for another one.
    let asked = 0
    const cost = (limit: number) =>
      statementsOf(() =>
        get(`/v1/users?limit=${limit}&search=${mark.slice(0, 3 + (asked++ % 4))}`, { token }),
      )
    expect([await cost(1), await cost(100)]).toEqual([2, 2])
    expect(await statementsOf(() => get('/v1/users?limit=20', { token }))).toBe(0)
  })

  test('finds holders of all given badges, and no one by a hidden badge', async () => {
    const { token } = await makeCaller(['read:user'])
    const [listed, unlisted] = [await makeGroup(), await makeGroup({ isListed: false })]
    const [first, second, ofGroup, hidden, ofUnlisted] = [
      await makeBadge(),
      await makeBadge(),
      await makeBadge({ groupId: listed.id }),
      await makeBadge({ hidden: true }),
      await makeBadge({ groupId: unlisted.id }),
    ] as const
    const [all, one] = [await makeUser(), await makeUser()]
    for (const badge of [first, second, ofGroup, hidden, ofUnlisted]) await giveBadge(badge.id, all.id)
    await giveBadge(first.id, one.id)
    const holders = async (...badges: { slug: string }[]) =>
      names(await get(`/v1/users?badge=${badges.map(({ slug }) => slug).join(',')}`, { token })).sort()
    const both = [all.username as string, one.username as string].sort()
    expect(await holders(first)).toEqual(both)
    for (const asked of [[first, second], [second, first], [ofGroup], [first, ofGroup]])
      expect(await holders(...asked)).toEqual([all.username as string])
    for (const asked of [[hidden], [ofUnlisted], [first, hidden], [first, { slug: 'no-such-badge' }]])
      expect(await holders(...asked)).toEqual([])
  })

  test('asks for at most ten badges at once, however often each is named', async () => {
    const { token } = await makeCaller(['read:user'])
    const slugs = (count: number) => Array.from({ length: count }, (_, i) => `slug-${i}`)
    const ask = (named: string[]) => get(`/v1/users?badge=${named.join(',')}`, { token })
    expect((await ask(slugs(10))).status).toBe(200)
    expect((await ask([...slugs(10), ...slugs(10)])).status).toBe(200)
    const letters = Array.from({ length: 250 }, (_, i) => String.fromCodePoint(0x4e00 + i))
    for (const named of [slugs(11), letters])
      expect(await ask(named)).toMatchObject({
        status: 400,
        body: { code: 'validation_error', error: 'badge must hold at most 10 slugs' },
      })
  })

  test('a cursor of another search is refused', async () => {
    const { token } = await makeCaller(['read:user'])
    const { nextCursor } = (await get('/v1/users?limit=1', { token })).body.pagination
    expect((await get(`/v1/users?limit=1&cursor=${nextCursor}`, { token })).status).toBe(200)
    for (const other of ['sort=xp', 'search=a'])
      expect((await get(`/v1/users?limit=1&cursor=${nextCursor}&${other}`, { token })).body.code).toBe(
        'bad_request',
      )
    expect((await get('/v1/users?sort=nonsense', { token })).status).toBe(400)
  })
})

describe('a public profile', () => {
  test('has every field of the specification', async () => {
    const viewer = await makeCaller(['read:user'])
    const person = await makeUser({ bio: 'Hi', socialLinks: ['https://example.org'], themeColor: 'rose' })
    const { body } = await get(`/v1/users/${person.username}`, { token: viewer.token })
    expect(body.data).toEqual({
      username: person.username,
      name: person.name,
      bio: 'Hi',
      location: null,
      avatarUrl: null,
      heroImageUrl: null,
      themeColor: 'rose',
      socialLinks: ['https://example.org'],
      githubUsername: null,
      favoriteGroups: [],
      badges: [],
      groupBadges: [],
      achievements: [],
      portfolioItems: [],
      xpScore: 0,
      followerCount: 0,
      followingCount: 0,
      recentConnections: [],
      memberSince: person.createdAt.toISOString(),
    })
  })

  test('shows of a portfolio what it is made for, and nothing of how it is kept', async () => {
    const viewer = await makeCaller(['read:user'])
    const owner = await makeCaller(['write:portfolio'])
    const json = { title: 'A chair', description: 'Oak', url: 'https://example.org/chair', sortOrder: 7 }
    const { id } = (await post('/v1/profile/portfolio', { token: owner.token, json })).body.data
    const { body } = await get(`/v1/users/${owner.user.username}`, { token: viewer.token })
    expect(body.data.portfolioItems).toEqual([
      { id, title: 'A chair', description: 'Oak', url: 'https://example.org/chair', imageUrl: null },
    ])
  })

  test('shows favorite groups that are listed, and no others', async () => {
    const viewer = await makeCaller(['read:user'])
    const fan = await makeCaller(['write:favorites'])
    const groups = [await makeGroup(), await makeGroup()] as const
    for (const { urlname } of groups) await post(`/v1/favorites/${urlname}`, { token: fan.token })
    const { token } = await makeAdmin()
    await patch(`/v1/admin/groups/${groups[1].id}`, { token, json: { isListed: false } })
    const { body } = await get(`/v1/users/${fan.user.username}`, { token: viewer.token })
    expect(body.data.favoriteGroups).toEqual([
      { slug: groups[0].urlname, name: groups[0].name, photoUrl: null },
    ])
  })

  test('that is private or suspended is the same 404 as none, but for its owner and administrators', async () => {
    const viewer = await makeCaller(['read:user'])
    const owner = await makeCaller(['user'], { profileVisibility: 'private' })
    const suspended = await makeUser({ suspendedAt: new Date() })
    const admin = await makeAdmin()
    const modest = await makeCaller(['read:user'], { role: 'admin' })
    const missing = await get('/v1/users/nobody-of-that-name', { token: viewer.token })
    for (const username of [owner.user.username, suspended.username])
      for (const token of [viewer.token, modest.token])
        for (const path of ['', '/followers', '/following']) {
          const answer = await get(`/v1/users/${username}${path}`, { token })
          expect([answer.status, answer.text]).toEqual([404, missing.text])
        }
    expect((await get(`/v1/users/${owner.user.username}`, { token: owner.token })).status).toBe(200)
    expect((await get(`/v1/users/${owner.user.username}`, { token: admin.token })).status).toBe(200)
  })
})
