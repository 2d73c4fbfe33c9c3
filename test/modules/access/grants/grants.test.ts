import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { oauthGrants } from '@/db/tables/oauth'
import { outbox } from '@/db/tables/outbox'
import { del, get } from '../../../support/api'
import { makeCaller, makeSession, makeToken } from '../../../support/make'
import { walk } from '../../../support/walk'
import { askRefresh, makeClient, makeTokens } from '../oauth/fixtures'

async function makeGrantor() {
  const caller = await makeCaller(['user'])
  return { ...caller, session: await makeSession(caller.user.id) }
}

test('the list says who may act for you, and how far', async () => {
  const { token, session } = await makeGrantor()
  const client = await makeClient({ website: 'https://app.example', logoUri: 'https://app.example/logo.png' })
  const plain = await makeClient({ name: 'Plain' })
  await makeTokens(client, { session, scope: 'read:events read:user' })
  await makeTokens(plain, { session })
  const { status, body } = await get('/v1/profile/grants', { token })
  expect(status).toBe(200)
  expect(body.pagination).toMatchObject({ total: 2, hasMore: false })
  expect(body.data[1]).toEqual({
    grantId: expect.any(String),
    clientId: client.clientId,
    clientName: 'Calendar Helper',
    clientUri: 'https://app.example',
    logoUri: 'https://app.example/logo.png',
    scopes: ['read:user', 'read:events'],
    grantedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(body.data[0]).toMatchObject({ clientName: 'Plain', clientUri: null, logoUri: null })
})

test('the list is paged, newest first, and private', async () => {
  const { token, session } = await makeGrantor()
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await makeTokens(await makeClient({ name }), { session })
  const seen = await walk('/v1/profile/grants?limit=2', token)
  expect(seen.map(({ clientName }) => clientName)).toEqual([...names].reverse())
  const other = await makeCaller(['user'])
  const first = await get('/v1/profile/grants?limit=2', { token })
  const foreign = await get(`/v1/profile/grants?cursor=${first.body.pagination.nextCursor}`, {
    token: other.token,
  })
  expect(foreign.status).toBe(400)
  expect((await get('/v1/profile/grants', { token: other.token })).body.data).toEqual([])
})

test('taking a grant back kills the tokens at once, of every consent, and is a domain event', async () => {
  const { user, token, session } = await makeGrantor()
  const [client, other] = [await makeClient(), await makeClient()]
  const [one, two] = [await makeTokens(client, { session }), await makeTokens(client, { session })]
  const spared = await makeTokens(other, { session })
  for (const { access } of [one, two, spared])
    expect((await get('/v1/me', { token: access })).status).toBe(200)
  const { data } = (await get('/v1/profile/grants', { token })).body
  const grant = data.find(({ clientId }: { clientId: string }) => clientId === client.clientId)
  const answer = await del(`/v1/profile/grants/${grant.grantId}`, { token })
  expect([answer.status, answer.body]).toEqual([200, { data: { success: true } }])
  for (const { access } of [one, two]) expect((await get('/v1/me', { token: access })).status).toBe(401)
  expect((await get('/v1/me', { token: spared.access })).status).toBe(200)
  expect((await askRefresh(client, one.refresh)).body.error).toBe('invalid_grant')
  const domainEvents = (await db.select().from(outbox).where(eq(outbox.type, 'grant.revoked'))).map(
    ({ payload }) => payload as { userId: string },
  )
  expect(domainEvents.filter(({ userId }) => userId === user.id)).toEqual([
    { grantId: grant.grantId, userId: user.id, clientId: client.clientId } as never,
  ])
  expect((await del(`/v1/profile/grants/${grant.grantId}`, { token })).status).toBe(404)
})

test("someone else's grant is the same 404 as one that does not exist", async () => {
  const [mine, theirs] = [await makeGrantor(), await makeGrantor()]
  const { access } = await makeTokens(await makeClient(), { session: theirs.session })
  const [grant] = await db.select().from(oauthGrants).where(eq(oauthGrants.userId, theirs.user.id))
  const foreign = await del(`/v1/profile/grants/${grant?.id}`, { token: mine.token })
  const missing = await del(`/v1/profile/grants/${Bun.randomUUIDv7()}`, { token: mine.token })
  expect([foreign.status, foreign.text]).toEqual([404, missing.text])
  expect((await get('/v1/me', { token: access })).status).toBe(200)
  expect((await del('/v1/profile/grants/nonsense', { token: mine.token })).status).toBe(404)
})

test('an application with the scope may take back what it was given, and no more once it is', async () => {
  const { user, session } = await makeGrantor()
  const { access } = await makeTokens(await makeClient(), { session, scope: 'user' })
  const [grant] = await db.select().from(oauthGrants).where(eq(oauthGrants.userId, user.id))
  expect((await del(`/v1/profile/grants/${grant?.id}`, { token: access })).status).toBe(200)
  expect((await get('/v1/profile/grants', { token: access })).status).toBe(401)
  const { token } = await makeToken(user.id, ['read:user'])
  expect((await get('/v1/profile/grants', { token })).status).toBe(403)
})

test('an application sees and ends its own grant alone, and none of the person’s tokens', async () => {
  const { user, token, session } = await makeGrantor()
  const [client, other] = [await makeClient(), await makeClient()]
  const { access } = await makeTokens(client, { session, scope: 'user' })
  await makeTokens(other, { session, scope: 'user' })
  const grants = await db.select().from(oauthGrants).where(eq(oauthGrants.userId, user.id))
  const idOf = ({ clientId }: { clientId: string }) => grants.find((one) => one.clientId === clientId)?.id
  const listed = await get('/v1/profile/grants', { token: access })
  expect(listed.body.data.map(({ grantId }: { grantId: string }) => grantId)).toEqual([idOf(client)])
  expect(listed.body.pagination.total).toBe(1)
  const foreign = await del(`/v1/profile/grants/${idOf(other)}`, { token: access })
  const missing = await del(`/v1/profile/grants/${Bun.randomUUIDv7()}`, { token: access })
  expect([foreign.status, foreign.text]).toEqual([404, missing.text])

  const [own] = (await get('/v1/profile/tokens', { token })).body.data
  const tokens = await get('/v1/profile/tokens', { token: access })
  expect([tokens.body.data, tokens.body.pagination.total]).toEqual([[], 0])
  expect((await del(`/v1/profile/tokens/${own.id}`, { token: access })).status).toBe(404)
  expect((await get('/v1/profile/grants', { token })).body.data).toHaveLength(2)
})
