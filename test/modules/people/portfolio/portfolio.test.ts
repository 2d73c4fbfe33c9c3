import { expect, test } from 'bun:test'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller } from '../../../support/make'
import { statementsOf } from '../../../support/statements'

const SCOPES = ['write:portfolio', 'read:user'] as const

test('items are added, changed, listed in order and removed, and show on the profile at once', async () => {
  const { user, token } = await makeCaller([...SCOPES])
  const added = await post('/v1/profile/portfolio', {
    token,
    json: { title: ' A thing ', url: 'https://example.org' },
  })
  expect(added.status).toBe(201)
  expect(added.body.data).toEqual({
    id: expect.any(String),
    userId: user.id,
    title: 'A thing',
    description: null,
    url: 'https://example.org',
    imageUrl: null,
    sortOrder: 0,
    createdAt: expect.any(String),
  })
  await post('/v1/profile/portfolio', { token, json: { title: 'Last', sortOrder: 9 } })
  const middle = (
    await post('/v1/profile/portfolio', { token, json: { title: 'Middle', sortOrder: 5, description: 'x' } })
  ).body.data
  const titles = async () =>
    (await get('/v1/profile/portfolio', { token })).body.data.map((item: { title: string }) => item.title)
  expect(await titles()).toEqual(['A thing', 'Middle', 'Last'])
  // A change of one field leaves the others, defaults included.
  const changed = await patch(`/v1/profile/portfolio/${middle.id}`, { token, json: { title: 'Centre' } })
  expect(changed.body.data).toEqual({ ...middle, title: 'Centre' })
  expect((await patch(`/v1/profile/portfolio/${middle.id}`, { token, json: {} })).body.data.title).toBe(
    'Centre',
  )
  const shown = async () => (await get(`/v1/users/${user.username}`, { token })).body.data.portfolioItems
  expect(await shown()).toHaveLength(3)
  expect((await shown())[1]).toEqual({
    id: middle.id,
    title: 'Centre',
    description: 'x',
    url: null,
    imageUrl: null,
  })
  expect((await del(`/v1/profile/portfolio/${middle.id}`, { token })).status).toBe(204)
  expect((await del(`/v1/profile/portfolio/${middle.id}`, { token })).status).toBe(404)
  expect(await shown()).toHaveLength(2)
})

test("another person's item is the same 404 as a missing one", async () => {
  const [mine, theirs] = [await makeCaller([...SCOPES]), await makeCaller([...SCOPES])]
  const { id } = (await post('/v1/profile/portfolio', { token: theirs.token, json: { title: 'Theirs' } }))
    .body.data
  const [foreign, missing] = [id, Bun.randomUUIDv7()].map((item) =>
    patch(`/v1/profile/portfolio/${item}`, { token: mine.token, json: { title: 'Mine' } }),
  )
  expect([(await foreign)?.status, (await foreign)?.text]).toEqual([404, (await missing)?.text as string])
  expect((await del(`/v1/profile/portfolio/${id}`, { token: mine.token })).status).toBe(404)
  expect((await get('/v1/profile/portfolio', { token: theirs.token })).body.data[0].title).toBe('Theirs')
})

test('fields keep to their limits', async () => {
  const { token } = await makeCaller([...SCOPES])
  for (const json of [
    {},
    { title: '' },
    { title: 'x'.repeat(201) },
    { title: 'x', description: 'x'.repeat(501) },
    { title: 'x', url: 'ftp://x' },
    { title: 'x', sortOrder: -1 },
    { title: 'x', sortOrder: 1.5 },
  ])
    expect([json, (await post('/v1/profile/portfolio', { token, json })).status]).toEqual([json, 400])
})

test('a page has a constant number of statements', async () => {
  const { token } = await makeCaller([...SCOPES])
  for (let i = 0; i < 12; i += 1) await post('/v1/profile/portfolio', { token, json: { title: `t${i}` } })
  const cost = (limit: number) =>
    statementsOf(async () =>
      expect((await get(`/v1/profile/portfolio?limit=${limit}`, { token })).body.data).toHaveLength(limit),
    )
  expect([await cost(1), await cost(12)]).toEqual([2, 2])
})
