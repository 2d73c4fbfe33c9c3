import { describe, expect, test } from 'bun:test'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'

const counts = async (username: string | null, token: string) => {
  const { followerCount, followingCount } = (await get(`/v1/users/${username}`, { token })).body.data
  return [followerCount, followingCount]
}

describe('following', () => {
  test('is 201 the first time and 200 when it was so, and ends with 204 however often', async () => {
    const [me, them] = [await makeCaller(), await makeCaller()]
    const path = `/v1/users/${them.user.username}/follow`
    const [first, again] = [await post(path, { token: me.token }), await post(path, { token: me.token })]
    expect([first.status, first.body]).toEqual([201, { data: { following: true } }])
    expect([again.status, again.body]).toEqual([200, { data: { following: true, alreadyFollowing: true } }])
    expect(await counts(them.user.username, me.token)).toEqual([1, 0])
    expect(await counts(me.user.username, me.token)).toEqual([0, 1])
    expect([
      (await del(path, { token: me.token })).status,
      (await del(path, { token: me.token })).status,
    ]).toEqual([204, 204])
    expect(await counts(them.user.username, me.token)).toEqual([0, 0])
    const domainEvents = (await db.select().from(outbox)).filter(
      ({ payload }) => (payload as { followerId?: string }).followerId === me.user.id,
    )
    expect(domainEvents.map(({ type }) => type).sort()).toEqual(['user.followed', 'user.unfollowed'])
  })

  test('yourself is 400; a stranger, a private and a suspended person are the same 404', async () => {
    const me = await makeCaller()
    const [hidden, suspended] = [
      await makeUser({ profileVisibility: 'private' }),
      await makeUser({ suspendedAt: new Date() }),
    ]
    const self = await post(`/v1/users/${me.user.username}/follow`, { token: me.token })
    expect([self.status, self.body.code]).toEqual([400, 'bad_request'])
    const missing = await post('/v1/users/nobody-of-that-name/follow', { token: me.token })
    for (const { username } of [hidden, suspended])
      for (const answer of [
        await post(`/v1/users/${username}/follow`, { token: me.token }),
        await del(`/v1/users/${username}/follow`, { token: me.token }),
      ])
        expect([answer.status, answer.text]).toEqual([404, missing.text])
  })

  test('lists are newest first, paged, with exact totals and one statement for the rows', async () => {
    const star = await makeCaller()
    const fans = await Promise.all(Array.from({ length: 5 }, () => makeCaller()))
    for (const fan of fans) await post(`/v1/users/${star.user.username}/follow`, { token: fan.token })
    const path = `/v1/users/${star.user.username}/followers`
    const whole = await get(path, { token: star.token })
    expect(whole.body.data.map((row: { username: string }) => row.username)).toEqual(
      fans.map(({ user }) => user.username).reverse(),
    )
    expect(whole.body.data[0]).toEqual({
      username: fans[4]?.user.username,
      name: fans[4]?.user.name,
      avatarUrl: null,
      followedAt: expect.any(String),
    })
    expect(whole.body.pagination.total).toBe(5)
    const first = await get(`${path}?limit=2`, { token: star.token })
    const second = await get(`${path}?limit=2&cursor=${first.body.pagination.nextCursor}`, {
      token: star.token,
    })
    expect(second.body.data).toEqual(whole.body.data.slice(2, 4))
    for (const limit of [1, 100])
      expect(await statementsOf(() => get(`${path}?limit=${limit}`, { token: star.token }))).toBe(1)
    const following = await get(`/v1/users/${fans[0]?.user.username}/following`, { token: star.token })
    expect(following.body.data.map((row: { username: string }) => row.username)).toEqual([star.user.username])
  })

  test('people who go private leave the lists, counts and totals of others, and come back with them', async () => {
    const [star, fan, idol] = [await makeCaller(), await makeCaller(), await makeCaller()]
    await post(`/v1/users/${star.user.username}/follow`, { token: fan.token })
    await post(`/v1/users/${idol.user.username}/follow`, { token: star.token })
    const followers = async () =>
      (await get(`/v1/users/${star.user.username}/followers`, { token: star.token })).body
    expect(await counts(star.user.username, star.token)).toEqual([1, 1])
    await patch('/v1/profile', { token: fan.token, json: { profileVisibility: 'private' } })
    await patch('/v1/profile', { token: idol.token, json: { profileVisibility: 'private' } })
    expect(await counts(star.user.username, star.token)).toEqual([0, 0])
    expect(await followers()).toMatchObject({ data: [], pagination: { total: 0, hasMore: false } })
    // What a hidden person does is hidden too.
    const other = await makeCaller()
    await post(`/v1/users/${other.user.username}/follow`, { token: fan.token })
    expect(await counts(other.user.username, star.token)).toEqual([0, 0])
    await patch('/v1/profile', { token: fan.token, json: { profileVisibility: 'public' } })
    await patch('/v1/profile', { token: idol.token, json: { profileVisibility: 'public' } })
    expect(await counts(star.user.username, star.token)).toEqual([1, 1])
    expect(await counts(other.user.username, star.token)).toEqual([1, 0])
    expect((await followers()).data).toHaveLength(1)
  })
})

test('a follow that is repeated with an idempotency key is answered as the first time', async () => {
  const [me, them] = [await makeCaller(), await makeCaller()]
  const follow = () =>
    post(`/v1/users/${them.user.username}/follow`, { token: me.token, headers: { 'idempotency-key': 'f1' } })
  const [first, second] = [await follow(), await follow()]
  expect([second.status, second.text]).toEqual([first.status, first.text])
})
