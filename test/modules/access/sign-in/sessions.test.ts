import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { db } from '@/db/client'
import { sessions } from '@/db/tables/credentials'
import { del, get, post } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import { askAndRead, cookiesOf, me, newAddress, sessionIn, signIn, submit } from './fixtures'

describe('signing out', () => {
  test('ends this session and no other', async () => {
    const user = await makeUser()
    const [here, there] = [await makeSession(user.id), await makeSession(user.id)]
    const answer = await submit('/auth/logout', {}, { cookie: `session=${here}` })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
    expect(cookiesOf(answer).get('session')).toEqual({
      value: '',
      attributes: ['Path=/', 'Max-Age=0', 'HttpOnly', 'SameSite=Lax'],
    })
    expect((await get('/v1/me', { session: here })).status).toBe(401)
    expect((await get('/v1/me', { session: there })).status).toBe(200)
  })

  test('everywhere ends them all', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    const mine = [await makeSession(user.id), await makeSession(user.id), await makeSession(user.id)]
    const theirs = await makeSession(other.id)
    for (const session of mine) expect((await get('/v1/me', { session })).status).toBe(200)
    const answer = await post('/auth/logout-all', { session: mine[0] })
    expect([answer.status, answer.body]).toEqual([200, { data: { success: true } }])
    expect(cookiesOf(answer).get('session')?.value).toBe('')
    for (const session of mine) expect((await get('/v1/me', { session })).status).toBe(401)
    expect((await get('/v1/me', { session: theirs })).status).toBe(200)
  })

  test('needs a browser session', async () => {
    const { token } = await makeCaller(['user'])
    for (const path of ['/auth/logout', '/auth/logout-all']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expect([path, (await post(path, { headers, body: '' })).status]).toEqual([path, 401])
      expect([path, (await post(path, { headers, body: '', token })).status]).toEqual([path, 403])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
    expect((await post('/auth/logout-all')).body.code).toBe('unauthorized')
    const page = await submit('/auth/logout', {})
    expect(page.headers.get('content-type')).toContain('text/html')
  })

  test('cannot be triggered by another site', async () => {
    const session = await makeSession((await makeUser()).id)
    for (const path of ['/auth/logout', '/auth/logout-all'])
      for (const headers of [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
      ] as Record<string, string>[])
        expect((await post(path, { headers: { cookie: `session=${session}`, ...headers } })).status).toBe(403)
    expect((await get('/v1/me', { session })).status).toBe(200)
  })
})

describe('where one is signed in', () => {
  test('is listed, without what has ended, and can be ended from elsewhere', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    const [here, there, ended, theirs] = [
      await makeSession(user.id),
      await makeSession(user.id),
      await makeSession(user.id),
      await makeSession(other.id),
    ] as const
    await db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(sessions.hash, hashSecret(ended)))
    const list = async (session: string) =>
      (await get('/v1/profile/sessions', { session })).body.data as { id: string; current: boolean }[]
    expect((await list(here)).map(({ current }) => current).sort()).toEqual([false, true])
    const elsewhere = (await list(here)).find(({ current }) => !current)?.id
    const [foreign] = await list(theirs)
    expect((await del(`/v1/profile/sessions/${foreign?.id}`, { session: here })).status).toBe(404)
    expect((await del(`/v1/profile/sessions/${elsewhere}`, { session: here })).status).toBe(204)
    expect((await get('/v1/me', { session: there })).status).toBe(401)
    for (const session of [here, theirs]) expect((await get('/v1/me', { session })).status).toBe(200)
  })
})

describe('signing in again', () => {
  test('gives a new secret and ends the session that the browser had, whosever it was', async () => {
    const email = newAddress()
    const first = await signIn(email)
    const second = await signIn(email, { cookie: `session=${first}` })
    expect(second).not.toBe(first)
    expect((await get('/v1/me', { session: first })).status).toBe(401)
    const third = await signIn(newAddress(), { cookie: `session=${second}` })
    expect((await get('/v1/me', { session: second })).status).toBe(401)
    expect((await get('/v1/me', { session: third })).status).toBe(200)
  })

  test('never continues a planted session', async () => {
    const planted = 'f'.repeat(64)
    const { token } = await askAndRead(newAddress())
    const entered = await submit('/auth/email/verify', { token }, { cookie: `session=${planted}` })
    expect(sessionIn(entered)).not.toBe(planted)
    expect((await get('/v1/me', { session: planted })).status).toBe(401)
    expect((await me(sessionIn(entered))).id).toBeString()
  })

  test('elsewhere leaves the other browser signed in', async () => {
    const email = newAddress()
    const phone = await signIn(email)
    const desk = await signIn(email)
    for (const session of [phone, desk]) expect((await get('/v1/me', { session })).status).toBe(200)
  })
})
