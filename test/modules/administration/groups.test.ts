import { describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { type Answer, get, patch } from '../../support/api'
import { makeAdmin, makeCaller, makeEvent, makeGroup, makeMember, makeUser } from '../../support/make'
import { auditOf } from './fixtures'

const ids = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

const domainEventsOf = (groupId: string) =>
  db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.type, 'group.updated'), sql`${outbox.payload}->>'groupId' = ${groupId}`))

describe('the list of all groups', () => {
  test('shows each group with its limits and its owners', async () => {
    const { token } = await makeAdmin()
    const mark = randomHex(8)
    const [first, second] = [await makeUser(), await makeUser({ suspendedAt: new Date() })]
    const group = await makeGroup({ name: `Whole ${mark}`, tags: ['a'], isListed: false }, first.id)
    await makeMember(group.id, second.id, 'owner')
    await makeMember(group.id, (await makeUser({ username: null })).id, 'owner')
    await makeMember(group.id, (await makeUser()).id, 'manager')
    const { status, body } = await get(`/v1/admin/groups?search=${mark}`, { token })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        id: group.id,
        urlname: group.urlname,
        name: group.name,
        description: null,
        link: `http://localhost/groups/${group.urlname}`,
        website: null,
        memberCount: 0,
        photoUrl: null,
        tags: ['a'],
        socialLinks: {},
        isFeatured: false,
        favoritesCount: 0,
        isListed: false,
        maxBadges: 10,
        maxBadgePoints: 50,
        ownerUsernames: [first.username, second.username],
      },
    ])
    expect(body.pagination).toEqual({ limit: 20, hasMore: false, offset: 0 })
  })

  test('finds parts of names and urlnames, newest first, page by page, featured or not', async () => {
    const { token } = await makeAdmin()
    const mark = randomHex(8)
    const groups = [
      await makeGroup({ name: `Part of ${mark.toUpperCase()} here` }),
      await makeGroup({ urlname: `a-${mark}-b`, isFeatured: true }),
      await makeGroup({ name: `100% ${mark}`, isListed: false }),
    ]
    const newestFirst = groups.map(({ id }) => id).reverse()
    expect(ids(await get(`/v1/admin/groups?search=${mark}`, { token }))).toEqual(newestFirst)
    const page = await get(`/v1/admin/groups?search=${mark}&limit=2`, { token })
    expect([ids(page), page.body.pagination.hasMore]).toEqual([newestFirst.slice(0, 2), true])
    const rest = await get(
      `/v1/admin/groups?search=${mark}&limit=2&cursor=${page.body.pagination.nextCursor}`,
      {
        token,
      },
    )
    expect(ids(rest)).toEqual(newestFirst.slice(2))
    expect(ids(await get(`/v1/admin/groups?search=${mark}&featured=true`, { token }))).toEqual([
      groups[1]?.id as string,
    ])
    expect(ids(await get(`/v1/admin/groups?search=${mark}&featured=false`, { token }))).toHaveLength(2)
    expect(ids(await get(`/v1/admin/groups?search=${encodeURIComponent(`% ${mark}`)}`, { token }))).toEqual([
      groups[2]?.id as string,
    ])
  })
})

describe('changing a group', () => {
  test('sets what was asked for, tells which fields, and is written down as from and to', async () => {
    const { token, user: admin } = await makeAdmin()
    const owner = await makeUser()
    const group = await makeGroup({}, owner.id)
    const answer = await patch(`/v1/admin/groups/${group.id}`, {
      token,
      json: { isFeatured: true, isListed: true, maxBadges: 1000, maxBadgePoints: 0 },
    })
    expect([answer.status, answer.body.data]).toEqual([
      200,
      expect.objectContaining({
        id: group.id,
        isFeatured: true,
        isListed: true,
        maxBadges: 1000,
        maxBadgePoints: 0,
        ownerUsernames: [owner.username],
      }),
    ])
    expect(await domainEventsOf(group.id)).toEqual([
      { payload: { groupId: group.id, fields: ['isFeatured', 'maxBadges', 'maxBadgePoints'] } },
    ])
    expect(await auditOf(group.id)).toMatchObject([
      {
        actorId: admin.id,
        action: 'group.update',
        targetType: 'group',
        changes: {
          isFeatured: { from: false, to: true },
          maxBadges: { from: 10, to: 1000 },
          maxBadgePoints: { from: 50, to: 0 },
        },
        requestId: answer.headers.get('x-request-id'),
      },
    ])
  })

  test('without a difference writes no audit entry and emits nothing', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    for (const json of [{}, { isListed: true, isFeatured: false, maxBadges: 10, maxBadgePoints: 50 }])
      expect((await patch(`/v1/admin/groups/${group.id}`, { token, json })).body.data.id).toBe(group.id)
    expect([await auditOf(group.id), await domainEventsOf(group.id)]).toEqual([[], []])
  })

  test('is seen by everyone at once', async () => {
    const { token } = await makeAdmin()
    const viewer = await makeCaller(['read:groups', 'read:events'])
    const mark = randomHex(8)
    const group = await makeGroup({ name: `Seen ${mark}` })
    await makeEvent(group.id, { title: `Event ${mark}` })
    const seen = async () => ({
      detail: (await get(`/v1/groups/${group.urlname}`, { token: viewer.token })).status,
      listed: ids(await get(`/v1/groups?search=${mark}`, { token: viewer.token })).length,
      events: ids(await get(`/v1/events?search=${mark}`, { token: viewer.token })).length,
      featured: ids(await get(`/v1/events?search=${mark}&featured=true`, { token: viewer.token })).length,
    })
    expect(await seen()).toEqual({ detail: 200, listed: 1, events: 1, featured: 0 })
    await patch(`/v1/admin/groups/${group.id}`, { token, json: { isFeatured: true } })
    expect(await seen()).toEqual({ detail: 200, listed: 1, events: 1, featured: 1 })
    await patch(`/v1/admin/groups/${group.id}`, { token, json: { isListed: false } })
    expect(await seen()).toEqual({ detail: 404, listed: 0, events: 0, featured: 0 })
    await patch(`/v1/admin/groups/${group.id}`, { token, json: { isListed: true } })
    expect(await seen()).toEqual({ detail: 200, listed: 1, events: 1, featured: 1 })
  })

  test('sets nothing else, and refuses what is out of bounds or does not exist', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    const json = { name: 'Other', urlname: 'other', favoritesCount: 9, memberCount: 9, id: 'x', ownerId: 'x' }
    expect((await patch(`/v1/admin/groups/${group.id}`, { token, json })).body.data).toMatchObject({
      name: group.name,
      urlname: group.urlname,
      memberCount: 0,
    })
    for (const bad of [{ maxBadges: 1001 }, { maxBadgePoints: -1 }, { maxBadges: 1.5 }, { isListed: null }])
      expect((await patch(`/v1/admin/groups/${group.id}`, { token, json: bad })).body.code).toBe(
        'validation_error',
      )
    const missing = '/v1/admin/groups/01890000-0000-7000-8000-000000000000'
    expect((await patch(missing, { token, json: { isFeatured: true } })).status).toBe(404)
    expect((await patch(missing, { token, json: {} })).status).toBe(404)
  })
})
