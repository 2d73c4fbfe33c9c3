import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'
import { webhooks } from '@/db/tables/webhooks'
import { get, post } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'
import { later } from '../../../support/time'
import {
  asClient,
  askRefresh,
  askToken,
  authorizePath,
  decide,
  type MadeClient,
  makeClient,
  makeTokens,
  requestOf,
  sealOf,
} from './fixtures'

const SCOPE = 'read:user read:events developer'

/** An application that was allowed to make things, and made a webhook and another application. */
async function makeWorks(scope = SCOPE) {
  const [client, user] = [await makeClient(), await makeUser()]
  const session = await makeSession(user.id)
  const tokens = await makeTokens(client, { session, scope })
  const hook = await makeHook(tokens.access)
  const child = await post('/v1/developer/apps', {
    token: tokens.access,
    json: { name: 'Child', redirectUris: ['https://child.example/cb'] },
  })
  expect([hook.status, child.status]).toEqual([201, 201])
  return { client, user, session, tokens, hookId: hook.body.data.id, childId: child.body.data.clientId }
}

type Works = Awaited<ReturnType<typeof makeWorks>>

const makeHook = (token: string) =>
  post('/v1/developer/webhooks', { token, json: { url: 'http://127.0.0.1:9/', eventTypes: ['rsvp.*'] } })

async function left({ hookId, childId }: Works) {
  const [hook] = await db.select().from(webhooks).where(eq(webhooks.id, hookId))
  const children = await db.select().from(oauthClients).where(eq(oauthClients.clientId, childId))
  return { isActive: hook?.isActive, reason: hook?.disabledReason, apps: children.length }
}

const ALL = { isActive: true, reason: null, apps: 1 }
const NOTHING = { isActive: false, reason: 'access_ended' as const, apps: 0 }

async function answerAgain(client: MadeClient, session: string, ticked: string[]) {
  const page = await get(authorizePath(requestOf(client, { scope: SCOPE, prompt: 'consent' })), { session })
  expect((await decide(session, sealOf(page), 'allow', ticked)).status).toBe(303)
}

const scopesOf = async (hookId: string) =>
  (await db.select().from(webhooks).where(eq(webhooks.id, hookId)))[0]?.scopes.toSorted()

describe('what an application made', () => {
  test('keeps no scope that was taken out, and goes on with the rest', async () => {
    const works = await makeWorks()
    const other = await makeWorks()
    expect(await scopesOf(works.hookId)).toEqual(['developer', 'read:events', 'read:user'])
    await answerAgain(works.client, works.session, ['read:user', 'developer'])
    expect(await scopesOf(works.hookId)).toEqual(['developer', 'read:user'])
    expect(await left(works)).toEqual(ALL)
    expect(await scopesOf(other.hookId)).toEqual(['developer', 'read:events', 'read:user'])
  })

  test('keeps what a larger scope brought along, where that was asked for too', async () => {
    const works = await makeWorks('manage:events read:user developer')
    const page = await get(
      authorizePath(requestOf(works.client, { scope: 'manage:events read:user', prompt: 'consent' })),
      { session: works.session },
    )
    await decide(works.session, sealOf(page), 'allow', ['manage:events'])
    expect(await scopesOf(works.hookId)).toEqual([
      'developer',
      'manage:events',
      'read:events',
      'write:events',
    ])
  })

  test('ends when making things is taken out', async () => {
    const works = await makeWorks()
    const other = await makeWorks()
    await answerAgain(works.client, works.session, ['read:user', 'read:events'])
    expect(await left(works)).toEqual(NOTHING)
    expect(await left(other)).toEqual(ALL)
    const [grant] = await db.select().from(oauthGrants).where(eq(oauthGrants.userId, works.user.id))
    expect(grant?.scopes).toEqual(['read:user', 'read:events'])
  })

  test('ends when a code comes a second time, but not with an exchange that was sent twice', async () => {
    const works = await makeWorks()
    await makeTokens(works.client, { session: works.session, scope: SCOPE })
    expect((await askToken(works.client, works.tokens.use)).status).toBe(400)
    expect(await left(works)).toEqual(ALL)
    await later(11_000, () => askToken(works.client, works.tokens.use))
    expect(await left(works)).toEqual(NOTHING)
  })

  test('ends when an old refresh token comes back', async () => {
    const works = await makeWorks()
    await makeTokens(works.client, { session: works.session, scope: SCOPE })
    expect((await askRefresh(works.client, works.tokens.refresh)).status).toBe(200)
    expect((await askRefresh(works.client, works.tokens.refresh)).status).toBe(200)
    expect(await left(works)).toEqual(ALL)
    await later(11_000, () => askRefresh(works.client, works.tokens.refresh))
    expect(await left(works)).toEqual(NOTHING)
  })

  test('ends when the last refresh token is given back, and not before', async () => {
    const works = await makeWorks()
    const second = await makeTokens(works.client, { session: works.session, scope: SCOPE })
    const giveBack = (token: string) => post('/oauth/revoke', asClient(works.client, { token }))
    await giveBack(works.tokens.access)
    await giveBack(works.tokens.refresh)
    expect(await left(works)).toEqual(ALL)
    await giveBack(second.refresh)
    expect(await left(works)).toEqual(NOTHING)
  })

  test('ends when the last two are given back at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const works = await makeWorks()
      const second = await makeTokens(works.client, { session: works.session, scope: SCOPE })
      await Promise.all(
        [works.tokens.refresh, second.refresh].map((token) =>
          post('/oauth/revoke', asClient(works.client, { token })),
        ),
      )
      expect(await left(works)).toEqual(NOTHING)
    }
  })
})

test('a token that ends while it makes a webhook leaves none that goes on', async () => {
  for (let round = 0; round < 8; round += 1) {
    const works = await makeWorks()
    const page = await get(authorizePath(requestOf(works.client, { scope: SCOPE, prompt: 'consent' })), {
      session: works.session,
    })
    const [made] = await Promise.all([
      makeHook(works.tokens.access),
      decide(works.session, sealOf(page), 'allow', ['read:user']),
    ])
    expect([201, 401]).toContain(made.status)
    const rows = await db.select().from(webhooks).where(eq(webhooks.ownerId, works.user.id))
    expect(rows.map(({ isActive }) => isActive)).not.toContain(true)
  }
})
