import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { personalTokens } from '@/db/tables/credentials'
import { oauthGrants } from '@/db/tables/oauth'
import { webhooks } from '@/db/tables/webhooks'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { del, get, patch, post } from '../../../support/api'
import { deliverDue, leaveOthersOut } from '../../../support/deliveries'
import { makeAdmin, makeCaller, makeSession, makeToken, makeUser } from '../../../support/make'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { makeClient, makeGrant } from '../../access/developer-apps/fixtures'
import { messagesOf, openGate, queue } from './fixtures'

leaveOthersOut()

const PATH = '/v1/developer/webhooks'
const SCOPES = ['user', 'developer']
const ACCESS_ENDED = 'The application that made it may no longer act for you'
const TOKEN_REVOKED = 'The token that made it was revoked'

/** A person with an application of somebody else's that may manage webhooks for them. */
async function makePersonWithApp() {
  const [{ user, token }, developer, admin] = [
    await makeCaller(['user', 'developer']),
    await makeCaller(['user', 'developer']),
    await makeAdmin(),
  ]
  const client = await makeClient({ ownerId: developer.user.id })
  const grant = await makeGrant(client.clientId, user.id, SCOPES)
  return { user, token, session: await makeSession(user.id), developer, admin, client, grant }
}

type Setup = Awaited<ReturnType<typeof makePersonWithApp>>

async function makeWebhook(credential: { token?: string; session?: string }, url = 'http://127.0.0.1:9/') {
  const made = await post(PATH, { ...credential, json: { url, eventTypes: ['user.updated'] } })
  expect([made.status, made.body.data.disabledReason]).toEqual([201, null])
  return made.body.data.id as string
}

const shown = async (session: string, id: string) =>
  (await get(PATH, { session })).body.data.webhooks.find((webhook: { id: string }) => webhook.id === id)

/** How the credential that made a webhook ends. */
const ENDINGS: Record<
  string,
  { made: 'token' | 'grant'; end(setup: Setup, tokenId: string): Promise<number> }
> = {
  'its token is revoked': {
    made: 'token',
    end: async ({ token }, id) => (await del(`/v1/profile/tokens/${id}`, { token })).status,
  },
  'its grant is taken back': {
    made: 'grant',
    end: async ({ token, grant }) => (await del(`/v1/profile/grants/${grant.grantId}`, { token })).status,
  },
  'its application is deleted': {
    made: 'grant',
    end: async ({ developer, client }) =>
      (await del(`/v1/developer/apps/${client.clientId}`, { token: developer.token })).status,
  },
  'the developer of its application is suspended': {
    made: 'grant',
    end: async ({ developer, admin }) =>
      (
        await patch(`/v1/admin/users/${developer.user.id}`, {
          token: admin.token,
          json: { suspended: true },
        })
      ).status,
  },
  'the developer of its application leaves': {
    made: 'grant',
    end: async ({ developer, admin }) =>
      (await del(`/v1/admin/users/${developer.user.id}`, { token: admin.token })).status,
  },
}

describe('a webhook ends with what made it', () => {
  for (const [when, { made, end }] of Object.entries(ENDINGS))
    test(`when ${when}, also what is claimed`, async () => {
      const setup = await makePersonWithApp()
      const receiver = openGate()
      const own = await makeToken(setup.user.id, ['user', 'developer'])
      const id = await makeWebhook(
        { token: made === 'token' ? own.token : setup.grant.accessToken },
        receiver.url,
      )
      const others = await makeWebhook({ session: setup.session })
      await queue(id, 40)
      // Nobody wakes it, and it does not look by itself: it hears.
      const dispatcher = startDispatcher({ pollMs: 60_000 })
      await until('as many are under way as may be', () => receiver.received.length === 16)
      expect(await end(setup, own.id)).toBeLessThan(300)
      expect(await shown(setup.session, id)).toMatchObject({
        isActive: false,
        disabledReason: made === 'token' ? TOKEN_REVOKED : ACCESS_ENDED,
      })
      await until('the leases are given back', async () =>
        (await messagesOf(id)).every(({ id: own, leaseOwner }) =>
          receiver.received.some((one) => one.id === own) ? true : leaseOwner === null,
        ),
      )
      receiver.open()
      await dispatcher.stop()
      await patch('/v1/profile', { token: setup.token, json: { bio: 'Something happens' } })
      await deliverDue()
      expect(receiver.received.length).toBe(16)
      expect(await shown(setup.session, others)).toMatchObject({ isActive: true, disabledReason: null })
      receiver.close()
    })

  test('when the token that made its token is revoked', async () => {
    const { user, token, session } = await makePersonWithApp()
    const first = await makeToken(user.id, ['user', 'developer'])
    const second = await makeToken(user.id, ['user', 'developer'], { madeBy: first.id })
    const id = await makeWebhook({ token: second.token })
    expect((await del(`/v1/profile/tokens/${first.id}`, { token })).status).toBe(204)
    expect(await shown(session, id)).toMatchObject({ isActive: false, disabledReason: TOKEN_REVOKED })
  })

  test('but not when a token only expires, nor when a session ends', async () => {
    const { user, session } = await makePersonWithApp()
    const token = await makeToken(user.id, ['user', 'developer'])
    const byToken = await makeWebhook({ token: token.token })
    const bySession = await makeWebhook({ session: await makeSession(user.id) })
    await db
      .update(personalTokens)
      .set({ expiresAt: new Date(0) })
      .where(eq(personalTokens.id, token.id))
    expect(await shown(session, byToken)).toMatchObject({ isActive: true })
    await post('/auth/logout', { session })
    const again = await makeSession(user.id)
    expect(await shown(again, bySession)).toMatchObject({ isActive: true, disabledReason: null })
  })
})

describe('a webhook that has ended', () => {
  test('is taken over by whoever switches it on, and ends with them', async () => {
    const { user, token, session, grant } = await makePersonWithApp()
    const receiver = openReceiver()
    const id = await makeWebhook({ token: grant.accessToken }, receiver.url)
    await del(`/v1/profile/grants/${grant.grantId}`, { token })
    const heir = await makeToken(user.id, ['user', 'developer'])
    const on = await patch(`${PATH}/${id}`, { token: heir.token, json: { isActive: true } })
    expect(on.body.data).toMatchObject({ isActive: true, disabledReason: null })
    await patch('/v1/profile', { token, json: { bio: 'Heard again' } })
    await deliverDue()
    expect(receiver.received.length).toBe(1)
    await del(`/v1/profile/tokens/${heir.id}`, { token })
    expect(await shown(session, id)).toMatchObject({ isActive: false, disabledReason: TOKEN_REVOKED })
    receiver.close()
  })

  test('stays off, whoever writes that it is on without taking it over', async () => {
    const { token, grant, session } = await makePersonWithApp()
    const id = await makeWebhook({ token: grant.accessToken })
    await del(`/v1/profile/grants/${grant.grantId}`, { token })
    await db.update(webhooks).set({ isActive: true }).where(eq(webhooks.id, id))
    expect(await shown(session, id)).toMatchObject({ isActive: false, disabledReason: ACCESS_ENDED })
  })

  test('is not there for the application, which was allowed again', async () => {
    const { user, token, client, grant } = await makePersonWithApp()
    const id = await makeWebhook({ token: grant.accessToken })
    await del(`/v1/profile/grants/${grant.grantId}`, { token })
    const again = await makeGrant(client.clientId, user.id, SCOPES)
    expect((await get(PATH, { token: again.accessToken })).body.data.webhooks).toEqual([])
    expect((await del(`${PATH}/${id}`, { token: again.accessToken })).status).toBe(404)
  })
})

test('an application sees and touches only what its own grant made', async () => {
  const { user, token, session, grant } = await makePersonWithApp()
  const other = await makeGrant((await makeClient()).clientId, user.id, SCOPES)
  const theirs = await makeWebhook({ token: other.accessToken })
  const [persons, tokens] = [await makeWebhook({ session }), await makeWebhook({ token })]
  const own = await makeWebhook({ token: grant.accessToken })
  const options = { token: grant.accessToken }
  for (const id of [theirs, persons, tokens])
    for (const refused of [
      await patch(`${PATH}/${id}`, { ...options, json: { isActive: false } }),
      await del(`${PATH}/${id}`, options),
      await post(`${PATH}/${id}/rotate-secret`, options),
      await post(`${PATH}/${id}/test`, options),
      await get(`${PATH}/${id}/deliveries`, options),
    ])
      expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  const ids = async (credential: object) =>
    (await get(PATH, credential)).body.data.webhooks.map(({ id }: { id: string }) => id)
  expect(await ids(options)).toEqual([own])
  expect(await ids({ token })).toEqual([theirs, persons, tokens, own])
  expect((await post(`${PATH}/${own}/rotate-secret`, options)).status).toBe(200)
  expect((await del(`${PATH}/${own}`, options)).status).toBe(200)
})

test('a credential that ends while it makes a webhook makes none', async () => {
  const user = await makeUser()
  const { token, id } = await makeToken(user.id, ['developer'])
  const { accessToken, grantId } = await makeGrant((await makeClient()).clientId, user.id, SCOPES)
  for (const credential of [token, accessToken])
    expect((await get(PATH, { token: credential })).status).toBe(200)
  // Without a word, so that both are still cached.
  await db.delete(personalTokens).where(eq(personalTokens.id, id))
  await db.delete(oauthGrants).where(eq(oauthGrants.id, grantId))
  const json = { url: 'http://127.0.0.1:9/' }
  const redirectUris = ['https://app.example.org/']
  for (const refused of [
    await post(PATH, { token, json }),
    await post(PATH, { token: accessToken, json }),
    await post('/v1/developer/apps', { token: accessToken, json: { name: 'Late', redirectUris } }),
  ])
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized'])
})
