import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { identities } from '@/db/tables/sign-in'
import { discord, github, providers } from '@/modules/access/sign-in/providers/definitions'
import { call, del, get } from '../../../support/api'
import { makeSession, makeToken, makeUser } from '../../../support/make'

const link = (userId: string, provider: string, fields: Partial<typeof identities.$inferInsert> = {}) =>
  db.insert(identities).values({ id: newId(), userId, provider, subject: randomHex(8), ...fields })

const providersOf = async (userId: string) =>
  (await db.select().from(identities).where(eq(identities.userId, userId))).map(({ provider }) => provider)

describe('listing', () => {
  test('shows one’s own accounts elsewhere, oldest first, and nothing but what is said', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    await link(user.id, 'github', { username: 'octo', email: 'octo@folk.example', createdAt: new Date(1000) })
    await link(user.id, 'google', { email: 'g@folk.example', createdAt: new Date(2000) })
    await link(other.id, 'discord')
    const { status, body } = await get('/v1/me/linked-accounts', { session: await makeSession(user.id) })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          provider: 'github',
          providerUsername: 'octo',
          providerEmail: 'octo@folk.example',
          createdAt: '1970-01-01T00:00:01.000Z',
        },
        {
          provider: 'google',
          providerUsername: null,
          providerEmail: 'g@folk.example',
          createdAt: '1970-01-01T00:00:02.000Z',
        },
      ],
      pagination: { limit: 100, hasMore: false, total: 2 },
    })
  })

  test('the address there is for sessions and for tokens that may see addresses', async () => {
    const user = await makeUser()
    await link(user.id, 'github', { email: 'octo@folk.example' })
    const seen = async (...scopes: Parameters<typeof makeToken>[1]) => {
      const { token } = await makeToken(user.id, scopes)
      return (await get('/v1/me/linked-accounts', { token })).body.data[0].providerEmail
    }
    expect(await seen('user:linked-accounts')).toBeNull()
    expect(await seen('user:linked-accounts', 'user:email')).toBe('octo@folk.example')
  })

  test('needs its own scope', async () => {
    const { token } = await makeToken((await makeUser()).id, ['read:user', 'user:email'])
    const { status, headers } = await get('/v1/me/linked-accounts', { token })
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toContain('scope="user:linked-accounts"')
  })

  test('without accounts is an empty page', async () => {
    const { body } = await get('/v1/me/linked-accounts', {
      session: await makeSession((await makeUser()).id),
    })
    expect(body).toEqual({ data: [], pagination: { limit: 100, hasMore: false, total: 0 } })
  })
})

describe('unlinking', () => {
  test('takes one’s own account away and says so', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    for (const { id } of [user, other]) await link(id, 'github')
    const session = await makeSession(user.id)
    const gone = await del('/v1/me/linked-accounts/github', { session })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect([await providersOf(user.id), await providersOf(other.id)]).toEqual([[], ['github']])
    const domainEvents = (await db.select().from(outbox).where(eq(outbox.type, 'user.updated'))).map(
      ({ payload }) => payload,
    )
    expect(domainEvents).toContainEqual({ userId: user.id, fields: ['linkedAccounts'] })
    expect((await del('/v1/me/linked-accounts/github', { session })).status).toBe(404)
    expect((await del('/v1/me/linked-accounts/nobody', { session })).status).toBe(404)
  })

  test('never the last way to sign in', async () => {
    const user = await makeUser({ email: null })
    await link(user.id, 'github')
    const session = await makeSession(user.id)
    const refused = await del('/v1/me/linked-accounts/github', { session })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    await link(user.id, 'discord')
    expect((await del('/v1/me/linked-accounts/github', { session })).status).toBe(204)
    expect((await del('/v1/me/linked-accounts/discord', { session })).status).toBe(409)
    expect(await providersOf(user.id)).toEqual(['discord'])
  })

  test('refuses the last working one, not counting unconfigured providers', async () => {
    const user = await makeUser({ email: null })
    const session = await makeSession(user.id)
    for (const provider of ['github', 'discord', 'google']) await link(user.id, provider)
    providers.set('github', github({ clientId: 'folkmoot', clientSecret: 'hush' }))
    try {
      expect((await del('/v1/me/linked-accounts/github', { session })).status).toBe(409)
      expect((await del('/v1/me/linked-accounts/google', { session })).status).toBe(204)
      providers.set('discord', discord({ clientId: 'folkmoot', clientSecret: 'hush' }))
      expect((await del('/v1/me/linked-accounts/github', { session })).status).toBe(204)
      expect((await del('/v1/me/linked-accounts/discord', { session })).status).toBe(409)
    } finally {
      for (const provider of ['github', 'discord']) providers.delete(provider)
    }
    expect(await providersOf(user.id)).toEqual(['discord'])
  })

  test('needs a session and a page of ours', async () => {
    const user = await makeUser()
    await link(user.id, 'github')
    const { token } = await makeToken(user.id, ['user', 'user:linked-accounts'])
    expect((await del('/v1/me/linked-accounts/github', { token })).status).toBe(403)
    const foreign = await call('DELETE', '/v1/me/linked-accounts/github', {
      headers: { cookie: `session=${await makeSession(user.id)}`, 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.status).toBe(403)
    expect(await providersOf(user.id)).toEqual(['github'])
  })
})
