import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { favorites, groups } from '@/db/tables/groups'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { del, get, patch, post } from '../../../support/api'
import {
  makeAdmin,
  makeCaller,
  makeEvent,
  makeGroup,
  makeMember,
  makeSession,
  makeUser,
} from '../../../support/make'
import { until } from '../../../support/processes'
import { statementsOf } from '../../../support/statements'
import { inHours } from '../../../support/time'
import { walk } from '../../../support/walk'

type Named = { body: { data: { name: string; urlname: string }[] } }
const urlnames = (answer: Named) => answer.body.data.map(({ urlname }) => urlname)

const makeReader = () => makeCaller(['read:groups'])

describe('the list of groups', () => {
  test('has the shape of the specification and leaves out unlisted groups', async () => {
    const mark = randomHex(8)
    const { token } = await makeReader()
    const group = await makeGroup({
      name: `Listed ${mark}`,
      description: 'We meet.',
      website: 'https://example.org/',
      tags: ['chess', 'tea'],
      socialLinks: { mastodon: 'https://example.org/@us' },
      photoUrl: 'https://example.org/p.png',
      isFeatured: true,
      upstreamMemberCount: 40,
    })
    await makeGroup({ name: `Unlisted ${mark}`, isListed: false })
    const { body } = await get(`/v1/groups?search=${mark}`, { token })
    expect(body).toEqual({
      data: [
        {
          id: group.id,
          urlname: group.urlname,
          name: group.name,
          description: 'We meet.',
          link: `http://localhost/groups/${group.urlname}`,
          website: 'https://example.org/',
          memberCount: 40,
          photoUrl: 'https://example.org/p.png',
          tags: ['chess', 'tea'],
          socialLinks: { mastodon: 'https://example.org/@us' },
          isFeatured: true,
          favoritesCount: 0,
        },
      ],
      pagination: { limit: 20, hasMore: false, offset: 0 },
    })
  })

  test('is sorted by members, name or age, and filtered by tag and by whether it is featured', async () => {
    const mark = randomHex(8)
    const { token } = await makeReader()
    const make = (name: string, count: number, age: number, fields: object = {}) =>
      makeGroup({
        name: `${name} ${mark}`,
        upstreamMemberCount: count,
        createdAt: inHours(-age),
        tags: [mark],
        ...fields,
      })
    const beta = await make('Beta', 3, 1)
    const alpha = await make('Alpha', 1, 2, { isFeatured: true, tags: [mark, `${mark}-only`] })
    const gamma = await make('Gamma', 2, 3)
    const list = async (query: string) => urlnames(await get(`/v1/groups?${query}`, { token }))
    const names = (...rows: { urlname: string }[]) => rows.map(({ urlname }) => urlname)
    expect(await list(`search=${mark}`)).toEqual(names(beta, gamma, alpha))
    expect(await list(`search=${mark}&sort=members`)).toEqual(names(beta, gamma, alpha))
    expect(await list(`search=${mark}&sort=name`)).toEqual(names(alpha, beta, gamma))
    expect(await list(`search=${mark}&sort=created`)).toEqual(names(beta, alpha, gamma))
    expect(await list(`tag=${mark}&sort=name`)).toEqual(names(alpha, beta, gamma))
    expect(await list(`tag=${mark}-only`)).toEqual(names(alpha))
    expect(await list(`tag=${mark.slice(0, 5)}`)).toEqual([])
    expect(await list(`search=${mark}&featured=true`)).toEqual(names(alpha))
    expect(await list(`search=${mark}&featured=false`)).toEqual(names(beta, gamma))
    for (const wrong of ['featured=yes', 'sort=nonsense', 'limit=0', `tag=${'x'.repeat(41)}`])
      expect((await get(`/v1/groups?${wrong}`, { token })).body.code).toBe('validation_error')
  })

  test('takes what people search for literally', async () => {
    const mark = randomHex(5)
    const { token } = await makeReader()
    const percent = await makeGroup({ name: `100% ${mark} real_name` })
    const accented = await makeGroup({ name: `Zoë ${mark} Ångström` })
    const backslash = await makeGroup({ name: `back\\slash ${mark}` })
    const find = async (text: string) =>
      urlnames(await get(`/v1/groups?search=${encodeURIComponent(text)}`, { token }))
    expect(await find(`100% ${mark}`)).toEqual([percent.urlname])
    expect(await find(`100_ ${mark}`)).toEqual([])
    expect(await find(`${mark} realxn`)).toEqual([])
    expect(await find(`ZOË ${mark} ång`)).toEqual([accented.urlname])
    expect(await find(`k\\slash ${mark}`)).toEqual([backslash.urlname])
    for (const odd of ["'; drop table groups; --", '%', '_', '\\', '"', '{}', 'a'])
      expect((await get(`/v1/groups?search=${encodeURIComponent(odd)}`, { token })).status).toBe(200)
  })

  test('pages never skip or repeat while groups appear, in every order', async () => {
    const { token } = await makeReader()
    for (const sort of ['members', 'name', 'created']) {
      const mark = randomHex(6)
      const at = inHours(-1)
      const made = await Promise.all(
        Array.from({ length: 7 }, (_, i) =>
          makeGroup({ name: `Same ${mark}`, upstreamMemberCount: i >> 1, createdAt: at }),
        ),
      )
      // Newcomers stand before what has been read, where they disturb nobody who pages on.
      const appear = () => makeGroup({ name: `!New ${mark}`, upstreamMemberCount: 99 })
      const seen = await walk(`/v1/groups?search=${mark}&sort=${sort}&limit=2`, token, appear)
      expect([sort, seen.map(({ urlname }) => urlname).sort()]).toEqual([
        sort,
        made.map(({ urlname }) => urlname).sort(),
      ])
    }
    const { nextCursor } = (await get('/v1/groups?limit=1', { token })).body.pagination
    for (const other of ['sort=name', 'featured=true', 'tag=x', 'search=a'])
      expect((await get(`/v1/groups?limit=1&cursor=${nextCursor}&${other}`, { token })).body.code).toBe(
        'bad_request',
      )
  })

  test('a list sorted by the longest names in any script can be read on', async () => {
    const { token } = await makeReader()
    const mark = randomHex(6)
    await Promise.all([1, 2].map(() => makeGroup({ name: `${mark}${'𠮷'.repeat(194)}` })))
    const path = `/v1/groups?search=${mark}&sort=name&limit=1`
    const first = await get(path, { token })
    const next = await get(`${path}&cursor=${first.body.pagination.nextCursor}`, { token })
    expect([next.status, next.body.data.length]).toEqual([200, 1])
    expect(urlnames(next)).not.toEqual(urlnames(first))
  })

  test('costs one statement for a new page of any size, and none for one that was seen', async () => {
    const { token } = await makeReader()
    await Promise.all(Array.from({ length: 5 }, () => makeGroup()))
    let asked = 0
    const cost = (limit: number) =>
      statementsOf(() => get(`/v1/groups?limit=${limit}&search=group%20${asked++}`, { token }))
    expect([await cost(1), await cost(100)]).toEqual([1, 1])
    expect(await statementsOf(() => get('/v1/groups?limit=3', { token }))).toBe(0)
  })

  test('shows a change of a group at once', async () => {
    const mark = randomHex(8)
    const owner = await makeCaller(['manage:groups', 'write:favorites'])
    const group = await makeGroup({ name: `Before ${mark}` }, owner.user.id)
    const look = async () => (await get(`/v1/groups?search=${mark}`, { token: owner.token })).body.data[0]
    expect(await look()).toMatchObject({ name: `Before ${mark}`, memberCount: 0 })
    await patch(`/v1/manage/groups/${group.id}`, { token: owner.token, json: { name: `After ${mark}` } })
    await post(`/v1/favorites/${group.urlname}`, { token: owner.token })
    expect(await look()).toMatchObject({ name: `After ${mark}`, memberCount: 1, favoritesCount: 1 })
  })
})

describe('a group', () => {
  test('comes with the next ten published events, and is found in any case, with and without a token', async () => {
    const { token } = await makeReader()
    const group = await makeGroup({
      heroImageUrl: 'https://example.org/h.png',
      themeColor: 'ocean',
      upstreamMemberCount: 2,
    })
    await makeEvent(group.id, { startTime: inHours(-3), endTime: inHours(-1), title: 'Over' })
    await makeEvent(group.id, { status: 'draft', title: 'Draft' })
    await makeEvent(group.id, { status: 'cancelled', title: 'Cancelled' })
    const running = await makeEvent(group.id, {
      startTime: inHours(-1),
      platformEventUrl: 'https://meet.example/1',
    })
    const openEnd = await makeEvent(group.id, { startTime: inHours(-2), endTime: null })
    const later = []
    for (let i = 10; i > 0; i -= 1) later.unshift(await makeEvent(group.id, { startTime: inHours(i) }))
    const { body } = await get(`/v1/groups/${group.urlname}`, { token })
    expect(body.data).toEqual({
      id: group.id,
      urlname: group.urlname,
      name: group.name,
      description: null,
      link: `http://localhost/groups/${group.urlname}`,
      website: null,
      memberCount: 2,
      photoUrl: null,
      tags: [],
      socialLinks: {},
      isFeatured: false,
      favoritesCount: 0,
      heroImageUrl: 'https://example.org/h.png',
      themeColor: 'ocean',
      upcomingEvents: [openEnd, running, ...later.slice(0, 8)].map((event) => ({
        id: event.id,
        title: event.title,
        dateTime: event.startTime.toISOString(),
        eventUrl: `http://localhost/events/${event.id}`,
        platformEventUrl: event.platformEventUrl,
      })),
    })
    expect((await get(`/v1/groups/${group.urlname.toUpperCase()}`, { token })).body).toEqual(body)
    expect((await get(`/v1/public/groups/${group.urlname.toUpperCase()}`)).body).toEqual(body)
    expect((await get(`/v1/public/groups/${group.urlname}`, { token: 'nonsense' })).body).toEqual(body)
  })

  test('is cached: reading it again costs no statement, with and without a token', async () => {
    const { token } = await makeReader()
    const group = await makeGroup()
    await makeEvent(group.id)
    for (const read of [
      () => get(`/v1/groups/${group.urlname}`, { token }),
      () => get(`/v1/public/groups/${group.urlname}`),
    ])
      expect(await statementsOf(read)).toBe(0)
  })

  test('shows an event right after its domain event, and only until it ends', async () => {
    const group = await makeGroup()
    const titles = async () =>
      (await get(`/v1/public/groups/${group.urlname}`)).body.data.upcomingEvents.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles()).toEqual([])
    const endTime = new Date(Date.now() + 2500)
    const event = await makeEvent(group.id, { startTime: inHours(-1), endTime, title: 'Brief' })
    const about = { eventId: event.id, groupId: group.id, userId: newId() }
    await transaction((tx) => emit(tx, 'event.published', about))
    expect(await titles()).toEqual(['Brief'])
    await until('the event is over', async () => (await titles()).length === 0)
    expect(Date.now()).toBeGreaterThanOrEqual(endTime.getTime())
  })

  test('loses the favorite of someone who deletes their account at once, in every view', async () => {
    const viewer = await makeReader()
    const fan = await makeUser()
    const group = await makeGroup()
    await db.insert(favorites).values({ userId: fan.id, groupId: group.id })
    const counts = async () => [
      (await get(`/v1/public/groups/${group.urlname}`)).body.data.memberCount,
      (await get(`/v1/groups?search=${group.urlname.slice(6)}`, viewer)).body.data[0].memberCount,
    ]
    expect(await counts()).toEqual([1, 1])
    const session = await makeSession(fan.id)
    expect((await del(`/v1/profile?confirm=${fan.username}`, { session })).status).toBe(200)
    expect(await counts()).toEqual([0, 0])
  })

  test('that changes its urlname is found under the new one at once, and not under the old', async () => {
    const owner = await makeCaller(['manage:groups'])
    const group = await makeGroup({}, owner.user.id)
    const renamed = `renamed-${randomHex(6)}`
    expect((await get(`/v1/public/groups/${group.urlname}`)).status).toBe(200)
    await patch(`/v1/manage/groups/${group.id}`, { token: owner.token, json: { urlname: renamed } })
    expect((await get(`/v1/public/groups/${group.urlname}`)).status).toBe(404)
    expect((await get(`/v1/public/groups/${renamed}`)).body.data.id).toBe(group.id)
    const heir = await makeGroup({ urlname: group.urlname })
    expect((await get(`/v1/public/groups/${group.urlname}`)).body.data.id).toBe(heir.id)
  })

  test('that is unlisted is the same 404 as none, but for its staff and administrators', async () => {
    const group = await makeGroup({ isListed: false })
    const stranger = await makeReader()
    const volunteer = await makeReader()
    await makeMember(group.id, volunteer.user.id, 'volunteer')
    const elsewhere = await makeReader()
    await makeGroup({}, elsewhere.user.id)
    const admin = await makeAdmin()
    const modest = await makeCaller(['read:groups'], { role: 'admin' })
    const missing = await get('/v1/groups/no-group-of-that-name', { token: stranger.token })
    expect(missing.status).toBe(404)
    for (const path of ['', '/members']) {
      for (const { token } of [stranger, elsewhere, modest]) {
        const answer = await get(`/v1/groups/${group.urlname}${path}`, { token })
        expect([answer.status, answer.text]).toEqual([404, missing.text])
      }
      for (const { token } of [volunteer, admin])
        expect((await get(`/v1/groups/${group.urlname}${path}`, { token })).status).toBe(200)
    }
    const open = [
      await get(`/v1/public/groups/${group.urlname}`),
      await get('/v1/public/groups/no-group-of-that-name'),
      await get(`/v1/public/groups/${group.urlname}`, { token: volunteer.token }),
      await get(`/v1/public/groups/${group.urlname}`, { token: admin.token }),
    ]
    expect(open.map(({ status, text }) => [status, text])).toEqual(open.map(() => [404, missing.text]))
  })
})

describe('the members of a group', () => {
  test('are people with a public profile, newest first, without a count of the others', async () => {
    const viewer = await makeReader()
    const group = await makeGroup()
    const favorite = (userId: string, hoursAgo: number) =>
      db.insert(favorites).values({ userId, groupId: group.id, createdAt: inHours(-hoursAgo) })
    const fans = []
    for (let i = 0; i < 5; i += 1) {
      const fan = await makeUser({ avatarUrl: `https://example.org/${i}.png` })
      await favorite(fan.id, i)
      fans.push(fan)
    }
    await favorite((await makeUser({ profileVisibility: 'private' })).id, 0.5)
    await favorite((await makeUser({ suspendedAt: new Date() })).id, 0.6)
    await favorite((await makeUser({ username: null })).id, 0.7)
    const path = `/v1/groups/${group.urlname}/members`
    const whole = await get(path, { token: viewer.token })
    expect(whole.body.data.map(({ username }: { username: string }) => username)).toEqual(
      fans.map(({ username }) => username),
    )
    expect(whole.body.data[0]).toEqual({
      username: fans[0]?.username,
      name: fans[0]?.name,
      avatarUrl: 'https://example.org/0.png',
      favoritedAt: expect.stringMatching(/Z$/),
    })
    expect(whole.body.pagination).toEqual({ limit: 20, hasMore: false, offset: 0 })
    expect(whole.text).not.toContain(fans[0]?.id as string)
    const first = await get(`${path}?limit=2`, { token: viewer.token })
    const second = await get(`${path}?limit=2&cursor=${first.body.pagination.nextCursor}`, {
      token: viewer.token,
    })
    expect([...first.body.data, ...second.body.data]).toEqual(whole.body.data.slice(0, 4))
    let asked = 0
    for (const limit of [1, 100])
      expect(
        await statementsOf(() => get(`${path}?limit=${limit}&offset=${asked++}`, { token: viewer.token })),
      ).toBe(1)
    expect(await statementsOf(() => get(`${path}?limit=2`, { token: viewer.token }))).toBe(0)
    const [row] = await db.select().from(groups).where(eq(groups.id, group.id))
    expect(row?.favoritesCount).toBe(8)
  })

  test('who hide are gone at once', async () => {
    const viewer = await makeReader()
    const fan = await makeCaller(['user', 'write:favorites'])
    const group = await makeGroup()
    const look = async () =>
      (await get(`/v1/groups/${group.urlname}/members`, { token: viewer.token })).body.data.length
    await post(`/v1/favorites/${group.urlname}`, { token: fan.token })
    expect(await look()).toBe(1)
    await patch('/v1/profile', { token: fan.token, json: { profileVisibility: 'private' } })
    expect(await look()).toBe(0)
  })
})
