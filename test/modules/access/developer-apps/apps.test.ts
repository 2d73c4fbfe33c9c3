import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { db } from '@/db/client'
import { oauthAccessTokens, oauthClients, oauthFamilies, oauthGrants } from '@/db/tables/oauth'
import { outbox } from '@/db/tables/outbox'
import { transaction } from '@/db/transaction'
import { removeAppsOf } from '@/modules/access/developer-apps/pictures'
import { call, del, get, patch, post } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { makeClient, makeGrant } from './fixtures'

const APPS = '/v1/developer/apps'
const MINIMAL = { name: 'My app', redirectUris: ['https://app.example.org/cb'] }

const create = (token: string, json: unknown = MINIMAL) => post(APPS, { token, json })

const FIELDS = [
  'activeUsers',
  'clientId',
  'createdAt',
  'description',
  'isPublicClient',
  'logoUri',
  'name',
  'policyUri',
  'redirectUris',
  'tosUri',
  'website',
]

const developer = () => makeCaller(['developer'])

async function domainEventsOf(clientId: string) {
  const domainEvents = await db.select().from(outbox).orderBy(outbox.id)
  return domainEvents
    .filter(({ payload }) => (payload as { clientId?: string }).clientId === clientId)
    .map(({ type, payload }) => ({ type, payload }))
}

describe('registering an application', () => {
  test('gives it an id and a secret that is shown once and kept as a hash', async () => {
    const { user, token } = await developer()
    const { status, body, headers, text } = await create(token)
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(body.data).sort()).toEqual([...FIELDS, 'clientSecret'].sort())
    const { clientId, clientSecret, createdAt, ...rest } = body.data
    expect(clientId).toMatch(/^fm_app_[0-9a-f]{32}$/)
    expect(clientSecret).toMatch(/^fm_cs_[0-9a-f]{64}$/)
    expect(clientSecret.slice(-8)).toBe(
      Bun.hash.crc32(clientSecret.slice(0, -8)).toString(16).padStart(8, '0'),
    )
    expect(new Date(createdAt).toISOString()).toBe(createdAt)
    expect(rest).toEqual({
      name: 'My app',
      description: null,
      redirectUris: ['https://app.example.org/cb'],
      website: null,
      logoUri: null,
      policyUri: null,
      tosUri: null,
      isPublicClient: false,
      activeUsers: 0,
    })
    const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId))
    expect(row).toMatchObject({ ownerId: user.id, authMethod: 'client_secret_basic', scopes: null })
    expect(Buffer.from(row?.secretHash as Uint8Array)).toEqual(Buffer.from(hashSecret(clientSecret)))
    expect(text).toContain(clientSecret)
    for (const path of [APPS, `${APPS}/${clientId}`])
      expect((await get(path, { token })).text).not.toContain(clientSecret)
    const domainEvents = await domainEventsOf(clientId)
    expect(domainEvents).toEqual([{ type: 'app.created', payload: { clientId, userId: user.id } }])
  })

  test('keeps every field, and redirect URIs exactly as they were given', async () => {
    const { token } = await developer()
    const fields = {
      name: 'Émile’s app',
      description: 'Two\nlines',
      redirectUris: [
        'https://App.example.org:443/CB?x=%7e',
        'http://127.0.0.1/cb',
        'com.example.app:/cb',
        'org.example.app://x/y',
      ],
      website: 'https://app.example.org',
      logoUri: 'https://app.example.org/logo.png',
      policyUri: 'https://app.example.org/policy',
      tosUri: 'https://app.example.org/tos',
      isPublicClient: true,
    }
    const { body } = await create(token, fields)
    expect(body.data).toMatchObject({ ...fields, clientSecret: '' })
    const read = await get(`${APPS}/${body.data.clientId}`, { token })
    const { clientSecret: _, ...app } = body.data
    expect(read.body.data).toEqual(app)
    const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, body.data.clientId))
    expect([row?.authMethod, row?.secretHash]).toEqual(['none', null])
  })

  test('a session may, a token without the scope may not', async () => {
    const user = await makeUser()
    const session = await makeSession(user.id)
    expect((await post(APPS, { session, json: MINIMAL })).status).toBe(201)
    const { token } = await makeCaller(['user'])
    expect((await create(token)).status).toBe(403)
    const crossSite = await post(APPS, {
      session,
      json: MINIMAL,
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(crossSite.status).toBe(403)
  })

  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['no name', { name: undefined }, /^name is required/],
    ['an empty name', { name: ' ' }, /^name must be 1 to 100/],
    ['a long name', { name: 'x'.repeat(101) }, /^name must be 1 to 100/],
    ['a name of two lines', { name: 'a\nb' }, /^name must be/],
    ['no redirect URIs', { redirectUris: undefined }, /^redirectUris is required/],
    ['an empty list', { redirectUris: [] }, /^redirectUris must be a list of 1 to 10/],
    [
      'eleven',
      { redirectUris: Array(11).fill('https://a.example/') },
      /^redirectUris must be a list of 1 to 10/,
    ],
    ['a string', { redirectUris: 'https://a.example/' }, /^redirectUris must be a list/],
    ['a number in the list', { redirectUris: [1] }, /^redirectUris.0 must be/],
    ['javascript', { redirectUris: ['https://a.example/', 'javascript:alert(1)'] }, /^redirectUris.1 must/],
    ['a fragment', { redirectUris: ['https://a.example/#x'] }, /^redirectUris.0 must have no fragment/],
    ['http', { redirectUris: ['http://a.example/'] }, /^redirectUris.0 must be https/],
    ['a wildcard', { redirectUris: ['https://*.a.example/'] }, /^redirectUris.0 must have no wildcard/],
    ['a long description', { description: 'x'.repeat(501) }, /^description must be/],
    ['a website that is none', { website: 'javascript:alert(1)' }, /^website must be/],
    ['a logo that is none', { logoUri: 'data:image/png;base64,AA' }, /^logoUri must be/],
    ['a policy that is none', { policyUri: 'nonsense' }, /^policyUri must be/],
    ['terms with credentials', { tosUri: 'https://a:b@c.example/' }, /^tosUri must be/],
    ['a public client of words', { isPublicClient: 'yes' }, /^isPublicClient must be/],
  ]
  for (const [what, fields, message] of refused)
    test(`refuses ${what}`, async () => {
      const { token } = await developer()
      const { status, body } = await create(token, { ...MINIMAL, ...fields })
      expect([status, body.code]).toEqual([400, 'validation_error'])
      expect(body.error).toMatch(message)
      expect((await get(APPS, { token })).body.data.apps).toEqual([])
    })

  test('ignores what is not for the caller to say', async () => {
    const [{ token }, other] = [await developer(), await makeUser()]
    const { body } = await create(token, {
      ...MINIMAL,
      clientId: 'fm_app_00000000000000000000000000000000',
      clientSecret: 'mine',
      ownerId: other.id,
      activeUsers: 7,
      createdAt: '2000-01-01T00:00:00.000Z',
      scopes: ['admin'],
      secretHash: 'x',
    })
    expect(body.data.clientId).not.toContain('00000000')
    expect(body.data.clientSecret).not.toBe('mine')
    expect(body.data.activeUsers).toBe(0)
    expect((await get(APPS, { token })).body.data.apps).toHaveLength(1)
  })

  test('a repeated key is a conflict, because the secret is not kept', async () => {
    const { token } = await developer()
    const headers = { 'idempotency-key': 'once' }
    expect((await post(APPS, { token, json: MINIMAL, headers })).status).toBe(201)
    expect((await post(APPS, { token, json: MINIMAL, headers })).status).toBe(409)
    expect((await get(APPS, { token })).body.data.apps).toHaveLength(1)
  })
})

describe('reading', () => {
  test('lists your own, newest first, with the people who allow each', async () => {
    const { user, token } = await developer()
    const day = (n: number) => new Date(Date.UTC(2026, 0, n))
    const old = await makeClient({ ownerId: user.id, createdAt: day(1) })
    const young = await makeClient({ ownerId: user.id, createdAt: day(2), authMethod: 'none' })
    await makeClient({ ownerId: (await makeUser()).id })
    await makeClient()
    for (const _ of [1, 2, 3]) await makeGrant(old.clientId, (await makeUser()).id)
    const { status, body } = await get(APPS, { token })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    expect(Object.keys(body.data)).toEqual(['apps'])
    expect(body.data.apps.map((app: { clientId: string }) => app.clientId)).toEqual([
      young.clientId,
      old.clientId,
    ])
    expect(body.data.apps.map((app: { activeUsers: number }) => app.activeUsers)).toEqual([0, 3])
    for (const app of body.data.apps) expect(Object.keys(app).sort()).toEqual(FIELDS)
    expect((await get(`${APPS}/${old.clientId}`, { token })).body.data).toEqual(body.data.apps[1])
  })

  test('takes one statement, however many applications there are', async () => {
    const { user, token } = await developer()
    for (let i = 0; i < 5; i += 1) await makeClient({ ownerId: user.id })
    await get(APPS, { token })
    expect(await statementsOf(() => get(APPS, { token }))).toBe(1)
  })
})

describe('changing', () => {
  test('changes what was sent and nothing else', async () => {
    const { token } = await developer()
    const made = (await create(token, { ...MINIMAL, description: 'Before', website: 'https://a.example/' }))
      .body.data
    const { status, body } = await patch(`${APPS}/${made.clientId}`, {
      token,
      json: { name: 'After', redirectUris: ['http://localhost/x'], description: null },
    })
    expect(status).toBe(200)
    const { clientSecret: _, ...app } = made
    const expected = { ...app, name: 'After', redirectUris: ['http://localhost/x'], description: null }
    expect(body.data).toEqual(expected)
    expect((await patch(`${APPS}/${made.clientId}`, { token, json: {} })).body.data).toEqual(expected)
    expect((await get(`${APPS}/${made.clientId}`, { token })).body.data).toEqual(expected)
  })

  test('holds fields to the same rules as registering, and cannot make an application public', async () => {
    const { token } = await developer()
    const { clientId } = (await create(token)).body.data
    const change = (json: unknown) => patch(`${APPS}/${clientId}`, { token, json })
    for (const json of [
      { name: '' },
      { name: null },
      { redirectUris: [] },
      { redirectUris: null },
      { redirectUris: ['javascript:/x'] },
      { redirectUris: Array(11).fill('https://a.example/') },
      { website: 'ftp://a.example' },
      { description: 'x'.repeat(501) },
    ])
      expect((await change(json)).status).toBe(400)
    const { body } = await change({
      isPublicClient: true,
      clientId: 'x',
      activeUsers: 9,
      clientSecret: 'mine',
    })
    expect(body.data).toMatchObject({ clientId, isPublicClient: false, activeUsers: 0, name: 'My app' })
    expect(
      (await patch(`${APPS}/fm_app_nobody`, { token, json: { redirectUris: ['javascript:/x'] } })).status,
    ).toBe(400)
  })
})

describe('the secret', () => {
  test('is replaced: the new one is shown once and the old hash is gone', async () => {
    const { token } = await developer()
    const made = (await create(token)).body.data
    const { status, body, headers } = await post(`${APPS}/${made.clientId}/regenerate-secret`, { token })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.data).toEqual({
      clientId: made.clientId,
      clientSecret: expect.stringMatching(/^fm_cs_[0-9a-f]{64}$/),
      message: expect.any(String),
    })
    expect(body.data.clientSecret).not.toBe(made.clientSecret)
    const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, made.clientId))
    expect(Buffer.from(row?.secretHash as Uint8Array)).toEqual(
      Buffer.from(hashSecret(body.data.clientSecret)),
    )
  })

  test('of a public client does not exist', async () => {
    const { token } = await developer()
    const { clientId } = (await create(token, { ...MINIMAL, isPublicClient: true })).body.data
    const { status, body } = await post(`${APPS}/${clientId}/regenerate-secret`, { token })
    expect([status, body.code]).toEqual([409, 'conflict'])
    const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId))
    expect(row?.secretHash).toBeNull()
  })
})

describe('deleting', () => {
  test('removes the application, what people allowed it and its tokens, and says so', async () => {
    const { user, token } = await developer()
    const { clientId } = (await create(token)).body.data
    const person = await makeUser()
    const { familyId, accessToken } = await makeGrant(clientId, person.id)
    expect((await get('/v1/me', { token: accessToken })).body.data.id).toBe(person.id)
    const { status, body } = await del(`${APPS}/${clientId}`, { token })
    expect([status, body]).toEqual([200, { data: { success: true } }])
    expect((await get('/v1/me', { token: accessToken })).status).toBe(401)
    expect((await get(`${APPS}/${clientId}`, { token })).status).toBe(404)
    expect(await db.$count(oauthGrants, eq(oauthGrants.clientId, clientId))).toBe(0)
    expect(await db.$count(oauthFamilies, eq(oauthFamilies.id, familyId))).toBe(0)
    expect(await db.$count(oauthAccessTokens, eq(oauthAccessTokens.familyId, familyId))).toBe(0)
    expect((await domainEventsOf(clientId)).at(-1)).toEqual({
      type: 'app.deleted',
      payload: { clientId, userId: user.id },
    })
    expect((await del(`${APPS}/${clientId}`, { token })).status).toBe(404)
    expect((await domainEventsOf(clientId)).filter(({ type }) => type === 'app.deleted')).toHaveLength(1)
  })

  test('an account takes its applications along', async () => {
    const [owner, person] = [await makeUser(), await makeUser()]
    const { clientId } = await makeClient({ ownerId: owner.id })
    const { accessToken } = await makeGrant(clientId, person.id)
    expect((await get('/v1/me', { token: accessToken })).status).toBe(200)
    const session = await makeSession(owner.id)
    expect((await del(`/v1/profile?confirm=${owner.username}`, { session })).status).toBe(200)
    expect(await db.$count(oauthClients, eq(oauthClients.clientId, clientId))).toBe(0)
    expect((await get('/v1/me', { token: accessToken })).status).toBe(401)
  })

  test('all of a person is one domain event for each', async () => {
    const owner = await makeUser()
    const apps = [await makeClient({ ownerId: owner.id }), await makeClient({ ownerId: owner.id })]
    const other = await makeClient()
    await transaction((tx) => removeAppsOf(tx, owner.id))
    for (const { clientId } of apps)
      expect(await domainEventsOf(clientId)).toEqual([
        { type: 'app.deleted', payload: { clientId, userId: owner.id } },
      ])
    expect(await db.$count(oauthClients, eq(oauthClients.clientId, other.clientId))).toBe(1)
  })
})

describe("someone else's application", () => {
  const calls: [string, string][] = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/regenerate-secret'],
  ]
  for (const [method, path] of calls)
    test(`${method} ${path} is the same 404 as one that does not exist`, async () => {
      const [mine, theirs] = [await developer(), await makeUser()]
      const ask = (clientId: string) =>
        call(method, `${APPS}/${clientId}${path}`, {
          token: mine.token,
          ...(method === 'PATCH' && { json: { name: 'Mine now' } }),
        })
      const foreign = await makeClient({ ownerId: theirs.id })
      const unowned = await makeClient()
      const publicOne = await makeClient({ ownerId: theirs.id, authMethod: 'none' })
      const missing = await ask('fm_app_00000000000000000000000000000000')
      expect(missing.status).toBe(404)
      for (const { clientId } of [foreign, unowned, publicOne]) {
        const answer = await ask(clientId)
        expect([answer.status, answer.text]).toEqual([404, missing.text])
        const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId))
        expect(row?.name).toBe('An application')
      }
    })
})
