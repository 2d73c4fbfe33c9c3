import { expect, test } from 'bun:test'
import { get } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'

test('a token with read:user reads who it belongs to, without the mail address', async () => {
  const { user, token } = await makeCaller(['read:user'])
  const { status, body } = await get('/v1/me', { token })
  expect(status).toBe(200)
  expect(body).toEqual({
    data: { id: user.id, name: user.name, avatarUrl: null, username: user.username, lastLoginAt: null },
  })
})

test('the mail address comes with user:email, with user, and to a session', async () => {
  const user = await makeUser()
  for (const scopes of [['read:user', 'user:email'], ['user']] as const) {
    const caller = await makeCaller([...scopes])
    expect((await get('/v1/me', { token: caller.token })).body.data.email).toBe(caller.user.email)
  }
  expect((await get('/v1/me', { session: await makeSession(user.id) })).body.data.email).toBe(user.email)
})

test('an answer that the reader already has is 304 with the same headers', async () => {
  const { token } = await makeCaller()
  const first = await get('/v1/me', { token })
  const etag = first.headers.get('etag') as string
  expect(etag).toMatch(/^"[^"]+"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get('/v1/me', { token, headers: { 'if-none-match': known } })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
    expect(again.headers.get('x-ratelimit-remaining')).not.toBeNull()
    expect(again.headers.get('etag')).toBe(etag)
  }
  expect((await get('/v1/me', { token, headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})
