import { expect, test } from 'bun:test'
import { get } from '../../support/api'

test('anyone can list the scopes, and implication is told', async () => {
  const { status, body } = await get('/v1/scopes')
  expect(status).toBe(200)
  expect(body.pagination).toEqual({ limit: 21, hasMore: false, total: 21 })
  const byName = Object.fromEntries(body.data.map((scope: { name: string }) => [scope.name, scope]))
  expect(byName.user).toEqual({
    name: 'user',
    description: 'Read and write profile information; includes read:user and user:email',
    implies: ['read:user', 'user:email'],
  })
  expect(byName['write:events'].implies).toEqual(['read:events'])
  expect(byName.admin.implies).toHaveLength(20)
})

test('a bad credential is refused even where none is needed', async () => {
  expect((await get('/v1/scopes', { token: 'fm_pat_nonsense' })).status).toBe(401)
})
