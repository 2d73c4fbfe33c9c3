import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { favorites, groups } from '@/db/tables/groups'
import { outbox } from '@/db/tables/outbox'
import { del, get, post } from '../../../support/api'
import { makeCaller, makeGroup, makeMember } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { statementsOf } from '../../../support/statements'
import { walk } from '../../../support/walk'

const makeFan = () => makeCaller(['write:favorites', 'read:groups'])

describe('favoriting a group', () => {
  test('is 201 the first time and 200 when it was so, and ends with 204 however often', async () => {
    const { user, token } = await makeFan()
    const group = await makeGroup()
    const path = `/v1/favorites/${group.urlname.toUpperCase()}`
    const counts = async () => {
      const { memberCount, favoritesCount } = (await get(`/v1/groups/${group.urlname}`, { token })).body.data
      return [memberCount, favoritesCount]
    }
    expect(await counts()).toEqual([0, 0])
    const [first, again] = [await post(path, { token }), await post(path, { token })]
    expect([first.status, first.body]).toEqual([201, { data: { groupSlug: group.urlname } }])
    expect([again.status, again.body]).toEqual([
      200,
      { data: { groupSlug: group.urlname, alreadyFavorited: true } },
    ])
    expect(await counts()).toEqual([1, 1])
    const ended = [await del(path, { token }), await del(path, { token })]
    expect(ended.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ])
    expect(await counts()).toEqual([0, 0])
    const domainEvents = (await db.select().from(outbox).orderBy(outbox.id)).filter(
      ({ payload }) => (payload as { groupId?: string }).groupId === group.id,
    )
    expect(domainEvents.map(({ type, payload }) => [type, payload])).toEqual([
      ['group.favorited', { groupId: group.id, userId: user.id }],
      ['group.unfavorited', { groupId: group.id, userId: user.id }],
    ])
  })

  test('that is unlisted is the same 404 as one that is not there, but for its staff', async () => {
    const fan = await makeFan()
    const group = await makeGroup({ isListed: false })
    const missing = await post('/v1/favorites/no-group-of-that-name', { token: fan.token })
    expect(missing.body).toEqual({ error: 'Group not found', code: 'not_found' })
    for (const answer of [
      await post(`/v1/favorites/${group.urlname}`, { token: fan.token }),
      await del(`/v1/favorites/${group.urlname}`, { token: fan.token }),
      await del('/v1/favorites/no-group-of-that-name', { token: fan.token }),
    ])
      expect([answer.status, answer.text]).toEqual([404, missing.text])
    await makeMember(group.id, fan.user.id, 'volunteer')
    expect((await post(`/v1/favorites/${group.urlname}`, { token: fan.token })).status).toBe(201)
    expect((await del(`/v1/favorites/${group.urlname}`, { token: fan.token })).status).toBe(204)
  })

  test('that is being deleted waits, and finds it gone', async () => {
    const { token } = await makeFan()
    const group = await makeGroup()
    const answer = await meanwhile(
      (tx) => tx.delete(groups).where(eq(groups.id, group.id)),
      () => post(`/v1/favorites/${group.urlname}`, { token }),
    )
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })

  test('again with the same idempotency key is answered as the first time', async () => {
    const { token } = await makeFan()
    const group = await makeGroup()
    const favorite = () =>
      post(`/v1/favorites/${group.urlname}`, { token, headers: { 'idempotency-key': 'once' } })
    const [first, second] = [await favorite(), await favorite()]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
  })
})

describe('the list of favorites', () => {
  test('is newest first, paged, without unlisted groups, at one statement', async () => {
    const { user, token } = await makeFan()
    const made = await Promise.all(Array.from({ length: 5 }, () => makeGroup({ tags: ['tea'] })))
    const hidden = await makeGroup({ isListed: false })
    // Two in the same millisecond: the id decides.
    const at = [0, 1, 1, 2, 3].map((age) => new Date(Date.now() - age * 1000))
    for (const [i, { id }] of made.entries())
      await db.insert(favorites).values({ userId: user.id, groupId: id, createdAt: at[i] })
    await db.insert(favorites).values({ userId: user.id, groupId: hidden.id })
    const stranger = await makeFan()
    await post(`/v1/favorites/${hidden.urlname}`, { token: stranger.token })

    const whole = await get('/v1/favorites', { token })
    const ids = whole.body.data.map(({ id }: { id: string }) => id)
    const tied = [made[1]?.id, made[2]?.id].sort().reverse()
    expect(ids).toEqual([made[0]?.id, ...tied, made[3]?.id, made[4]?.id])
    expect(whole.body.data[0]).toEqual({
      id: made[0]?.id,
      urlname: made[0]?.urlname,
      name: made[0]?.name,
      description: null,
      link: `http://localhost/groups/${made[0]?.urlname}`,
      website: null,
      memberCount: 1,
      photoUrl: null,
      tags: ['tea'],
      socialLinks: {},
      isFeatured: false,
      favoritesCount: 1,
      favoritedAt: at[0]?.toISOString(),
    })
    expect(whole.body.pagination).toEqual({ limit: 20, hasMore: false, offset: 0 })

    expect((await walk('/v1/favorites?limit=2', token)).map(({ id }) => id)).toEqual(ids)
    for (const limit of [1, 100])
      expect(await statementsOf(() => get(`/v1/favorites?limit=${limit}`, { token }))).toBe(1)

    await db.update(groups).set({ isListed: true }).where(eq(groups.id, hidden.id))
    expect((await get('/v1/favorites', { token })).body.data).toHaveLength(6)
    expect((await get('/v1/favorites', { token: stranger.token })).body.data).toEqual([])
  })

  test("of one person is refused another's cursor", async () => {
    const [one, two] = [await makeFan(), await makeFan()]
    for (let i = 0; i < 2; i += 1)
      await post(`/v1/favorites/${(await makeGroup()).urlname}`, { token: one.token })
    const { nextCursor } = (await get('/v1/favorites?limit=1', { token: one.token })).body.pagination
    expect((await get(`/v1/favorites?cursor=${nextCursor}`, { token: two.token })).body.code).toBe(
      'bad_request',
    )
  })
})
