import { expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { outbox } from '@/db/tables/outbox'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeUser } from '../../../support/make'
import { makeClient, makeGrant } from './fixtures'

const PATH = '/v1/developer/apps'
const json = { name: 'Made by another', redirectUris: ['https://app.example.org/callback'] }

/** A person who allowed somebody's application to register applications, which it did. */
async function makePersonWithApp() {
  const { user, token } = await makeCaller(['user', 'developer'])
  const developer = await makeCaller(['user', 'developer'])
  const client = await makeClient({ ownerId: developer.user.id })
  const grant = await makeGrant(client.clientId, user.id, ['developer'])
  const made = (await post(PATH, { token: grant.accessToken, json })).body.data.clientId as string
  return { user, token, developer, client, grant, made }
}

const isThere = async (clientId: string) =>
  (await db.$count(oauthClients, eq(oauthClients.clientId, clientId))) === 1

const domainEventsOf = (clientId: string) =>
  db.$count(outbox, and(eq(outbox.type, 'app.deleted'), sql`payload ->> 'clientId' = ${clientId}`))

test('an application sees and touches only those that its own grant registered', async () => {
  const { user, token, client, grant, made } = await makePersonWithApp()
  const own = (await post(PATH, { token, json })).body.data.clientId
  const other = await makeGrant((await makeClient()).clientId, user.id, ['developer'])
  const theirs = (await post(PATH, { token: other.accessToken, json })).body.data.clientId
  const options = { token: grant.accessToken }
  for (const clientId of [own, theirs, client.clientId])
    for (const refused of [
      await get(`${PATH}/${clientId}`, options),
      await patch(`${PATH}/${clientId}`, { ...options, json: { name: 'Mine now' } }),
      await post(`${PATH}/${clientId}/regenerate-secret`, options),
      await del(`${PATH}/${clientId}`, options),
    ])
      expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  const ids = async (credential: object) =>
    (await get(PATH, credential)).body.data.apps.map((app: { clientId: string }) => app.clientId)
  expect(await ids(options)).toEqual([made])
  expect((await ids({ token })).sort()).toEqual([own, theirs, made].sort())
  expect((await post(`${PATH}/${made}/regenerate-secret`, options)).status).toBe(200)
})

test('what a grant registered ends with it, and what that registered, with every token', async () => {
  const { token, grant, made } = await makePersonWithApp()
  const visitor = await makeUser()
  const held = await makeGrant(made, visitor.id, ['developer', 'read:user'])
  const further = (await post(PATH, { token: held.accessToken, json })).body.data.clientId
  const furthest = await makeGrant(further, (await makeUser()).id)
  for (const { accessToken } of [held, furthest])
    expect((await get('/v1/me', { token: accessToken })).status).toBe(200)
  expect((await del(`/v1/profile/grants/${grant.grantId}`, { token })).status).toBe(200)
  // Cached a moment ago, so it is the domain event that ends them.
  for (const { accessToken } of [held, furthest])
    expect((await get('/v1/me', { token: accessToken })).status).toBe(401)
  for (const clientId of [made, further])
    expect([await isThere(clientId), await domainEventsOf(clientId)]).toEqual([false, 1])
})

test('what an application registered ends with it, and when its developer is suspended', async () => {
  const deleted = await makePersonWithApp()
  await del(`${PATH}/${deleted.client.clientId}`, { token: deleted.developer.token })
  expect([await isThere(deleted.made), await domainEventsOf(deleted.made)]).toEqual([false, 1])
  const suspended = await makePersonWithApp()
  const { token } = await makeAdmin()
  await patch(`/v1/admin/users/${suspended.developer.user.id}`, { token, json: { suspended: true } })
  expect([await isThere(suspended.made), await domainEventsOf(suspended.made)]).toEqual([false, 1])
  expect(await isThere(suspended.client.clientId)).toBe(true)
})

test('what a person registered stays when they take back what they allowed others', async () => {
  const { token, grant } = await makePersonWithApp()
  const own = (await post(PATH, { token, json })).body.data.clientId
  await del(`/v1/profile/grants/${grant.grantId}`, { token })
  expect(await isThere(own)).toBe(true)
})
