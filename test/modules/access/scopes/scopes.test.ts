import { expect, test } from 'bun:test'
import { effectiveScopes, type Scope } from '@/core/scopes'
import { get } from '../../../support/api'
import { BRINGS } from '../../../support/contract'

test('anyone can list the scopes with their implications', async () => {
  const { status, body } = await get('/v1/scopes')
  expect(status).toBe(200)
  expect(body.pagination).toEqual({ limit: 100, hasMore: false, total: 21 })
  const byName = Object.fromEntries(body.data.map((scope: { name: string }) => [scope.name, scope]))
  expect(byName.user).toEqual({
    name: 'user',
    description: 'Read and write profile information; includes read:user and user:email',
    implies: ['read:user', 'user:email'],
  })
  expect(byName['write:events'].implies).toEqual(['read:events'])
  expect(byName.admin.implies).toHaveLength(20)
})

test('a token allows what it was given and what that brings along, and nothing more', async () => {
  const { body } = await get('/v1/scopes')
  const names = body.data.map(({ name }: { name: string }) => name) as Scope[]
  for (const name of names.filter((scope) => scope !== 'admin'))
    expect([name, [...effectiveScopes([name], false)].sort() as string[]]).toEqual([
      name,
      [name, ...(BRINGS[name] ?? [])].sort(),
    ])
  expect([...effectiveScopes(['admin'], true)].sort()).toEqual(names.toSorted())
  expect([...effectiveScopes(['admin', 'read:user'], false)]).toEqual(['read:user'])
})

test('a bad credential is refused even where none is needed', async () => {
  expect((await get('/v1/scopes', { token: 'fm_pat_nonsense' })).status).toBe(401)
})
