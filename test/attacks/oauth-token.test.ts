import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { checkedSecret } from '@/core/codes'
import { db } from '@/db/client'
import { oauthAccessTokens, oauthClients, oauthCodes } from '@/db/tables/oauth'
import { users } from '@/db/tables/users'
import {
  asClient,
  askRefresh,
  askToken,
  basicOf,
  form,
  type MadeClient,
  makeClient,
  makeCode,
  makePkce,
  makePublicClient,
  makeTokens,
} from '../modules/access/oauth/fixtures'
import { type Answer, call, get, post } from '../support/api'
import { statementsOf } from '../support/statements'
import { later } from '../support/time'
import { leastDifferenceMs } from '../support/timing'

const FORM = 'application/x-www-form-urlencoded'

/** The RFC's words, the RFC's shape, and in no cache. */
function expectRefusal(what: string, { status, body, headers }: Answer, error: string, wanted = 400) {
  expect([what, status, body?.error]).toEqual([what, wanted, error])
  expect(Object.keys(body).sort()).toEqual(['error', 'error_description'])
  expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('location')).toBeNull()
}

const codeRow = async (code: string) =>
  (
    await db
      .select()
      .from(oauthCodes)
      .where(eq(oauthCodes.hash, hashSecret(code)))
  )[0]

/** Nothing came of it: the code is as good as before and no token was made. */
async function expectUntouched(what: string, code: string) {
  const row = await codeRow(code)
  expect([what, row?.usedAt]).toEqual([what, null])
  const tokens = await db.$count(oauthAccessTokens, eq(oauthAccessTokens.familyId, row?.familyId as string))
  expect([what, tokens]).toEqual([what, 0])
}

type Use = Awaited<ReturnType<typeof makeCode>>['use']

describe('an exchange that is not as it should be gives nothing and spends nothing', () => {
  const send = (body: string, headers: Record<string, string>, path = '/oauth/token') =>
    post(path, { body, headers: { 'content-type': FORM, ...headers } })
  const encoded = (use: object) => new URLSearchParams(use as Record<string, string>).toString()

  type Case = [string, (client: MadeClient, use: Use, other: MadeClient) => Promise<Answer>, string, number?]
  const CASES: Case[] = [
    [
      'a JSON body',
      (client, use) =>
        post('/oauth/token', {
          json: use,
          headers: { ...basicOf(client), 'content-type': 'application/json' },
        }),
      'invalid_request',
    ],
    [
      'a multipart body',
      (client, use) =>
        send(encoded(use), { ...basicOf(client), 'content-type': 'multipart/form-data; boundary=x' }),
      'invalid_request',
    ],
    [
      'no content type',
      (client, use) => send(encoded(use), { ...basicOf(client), 'content-type': '' }),
      'invalid_request',
    ],
    [
      'all in the query',
      (client, use) => send('', basicOf(client), `/oauth/token?${encoded(use)}`),
      'invalid_request',
    ],
    [
      'the code in the query',
      (client, { code, ...use }) => send(encoded(use), basicOf(client), `/oauth/token?code=${code}`),
      'invalid_request',
    ],
    [
      'anything in the query',
      (client, use) => send(encoded(use), basicOf(client), '/oauth/token?x=1'),
      'invalid_request',
    ],
    [
      'the code twice',
      (client, use) => send(`${encoded(use)}&code=${use.code}`, basicOf(client)),
      'invalid_request',
    ],
    [
      'the grant type twice',
      (client, use) => send(`${encoded(use)}&grant_type=authorization_code`, basicOf(client)),
      'invalid_request',
    ],
    [
      'no grant type',
      (client, { grant_type: _, ...use }) => send(encoded(use), basicOf(client)),
      'invalid_request',
    ],
    [
      'Basic and a secret in the form',
      (client, use) => send(encoded({ ...use, client_secret: client.secret }), basicOf(client)),
      'invalid_request',
    ],
    [
      'Basic and another client in the form',
      (client, use, other) => send(encoded({ ...use, client_id: other.clientId }), basicOf(client)),
      'invalid_request',
    ],
    [
      'a confidential client without its secret',
      (client, use) => send(encoded({ ...use, client_id: client.clientId }), {}),
      'invalid_client',
      401,
    ],
    ['no client at all', (_, use) => send(encoded(use), {}), 'invalid_client', 401],
    [
      "another client's secret",
      (client, use, other) => send(encoded(use), basicOf({ ...client, secret: other.secret })),
      'invalid_client',
      401,
    ],
    ['another client', (_, use, other) => askToken(other, use), 'invalid_grant'],
    [
      'another verifier',
      (client, use) => askToken(client, { ...use, code_verifier: makePkce().verifier }),
      'invalid_grant',
    ],
    [
      'the challenge as verifier',
      async (client, use) =>
        askToken(client, { ...use, code_verifier: (await codeRow(use.code))?.challenge as string }),
      'invalid_grant',
    ],
    ['no verifier', (client, { code_verifier: _, ...use }) => askToken(client, use), 'invalid_request'],
    [
      'an empty verifier',
      (client, use) => askToken(client, { ...use, code_verifier: '' }),
      'invalid_request',
    ],
    [
      'a verifier of 42',
      (client, use) => askToken(client, { ...use, code_verifier: 'a'.repeat(42) }),
      'invalid_request',
    ],
    [
      'a verifier of 129',
      (client, use) => askToken(client, { ...use, code_verifier: 'a'.repeat(129) }),
      'invalid_request',
    ],
    [
      'a verifier with a NUL',
      (client, use) => askToken(client, { ...use, code_verifier: `${use.code_verifier}\u0000` }),
      'invalid_request',
    ],
    ['no redirect URI', (client, { redirect_uri: _, ...use }) => askToken(client, use), 'invalid_request'],
    [
      'another redirect URI',
      (client, use) => askToken(client, { ...use, redirect_uri: `${use.redirect_uri}x` }),
      'invalid_grant',
    ],
    [
      'another resource',
      (client, use) => askToken(client, { ...use, resource: 'https://evil.example' }),
      'invalid_target',
    ],
    [
      'password',
      (client, use) => askToken(client, { ...use, grant_type: 'password' }),
      'unsupported_grant_type',
    ],
    [
      'client credentials',
      (client, use) => askToken(client, { ...use, grant_type: 'client_credentials' }),
      'unsupported_grant_type',
    ],
    [
      'implicit',
      (client, use) => askToken(client, { ...use, grant_type: 'implicit' }),
      'unsupported_grant_type',
    ],
    [
      'the code as refresh token',
      (client, use) => askToken(client, { grant_type: 'refresh_token', refresh_token: use.code }),
      'invalid_grant',
    ],
    [
      'a mistyped code',
      (client, use) =>
        askToken(client, { ...use, code: `${use.code.slice(0, -1)}${use.code.endsWith('0') ? 1 : 0}` }),
      'invalid_grant',
    ],
    [
      'a body over the limit',
      (client, use) => askToken(client, { ...use, x: 'x'.repeat(70_000) }),
      'invalid_request',
      413,
    ],
  ]
  for (const [what, attack, error, status] of CASES)
    test(`${what}: ${error}`, async () => {
      const [client, other] = [await makeClient(), await makeClient()]
      const { use, code } = await makeCode(client)
      expectRefusal(what, await attack(client, use, other), error, status)
      await expectUntouched(what, code)
      // And whoever it belongs to can still use it.
      expect((await askToken(client, use)).status).toBe(200)
    })

  test('a public client that shows a secret: invalid_client', async () => {
    const client = await makePublicClient()
    const { use, code } = await makeCode(client)
    for (const answer of [
      await post('/oauth/token', form({ ...use, client_id: client.clientId, client_secret: client.secret })),
      await post('/oauth/token', form(use, basicOf(client))),
    ])
      expectRefusal('public', answer, 'invalid_client', 401)
    await expectUntouched('public', code)
    expect((await askToken(client, use)).status).toBe(200)
  })

  test('a verifier of another code of the same client: invalid_grant', async () => {
    const client = await makeClient()
    const [one, two] = [await makeCode(client), await makeCode(client)]
    const swapped = await askToken(client, { ...one.use, code_verifier: two.use.code_verifier })
    expectRefusal('swapped', swapped, 'invalid_grant')
    await expectUntouched('one', one.code)
    await expectUntouched('two', two.code)
  })

  test('other methods are not there', async () => {
    const client = await makeClient()
    const { use, code } = await makeCode(client)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await call(method, `/oauth/token?${encoded(use)}`, { headers: basicOf(client) })
      expect([method, answer.status]).toEqual([method, 404])
    }
    await expectUntouched('methods', code)
  })
})

describe('a code that has had its time', () => {
  test('is refused after a minute, after its client, and after its person', async () => {
    const client = await makeClient()
    const [late, orphan] = [await makeCode(client), await makeCode(client)]
    expectRefusal('late', await later(60_500, () => askToken(client, late.use)), 'invalid_grant')
    await expectUntouched('late', late.code)
    await db.delete(users).where(eq(users.id, orphan.user?.id as string))
    expectRefusal('person', await askToken(client, orphan.use), 'invalid_grant')
    const gone = await makeCode(client)
    await db.delete(oauthClients).where(eq(oauthClients.clientId, client.clientId))
    expectRefusal('client', await askToken(client, gone.use), 'invalid_client', 401)
    expect(await codeRow(gone.code)).toBeUndefined()
  })

  test('kills what it gave when it comes back, and only for its own client', async () => {
    const [client, other] = [await makePublicClient(), await makePublicClient()]
    const { use, access, refresh } = await makeTokens(client)
    const me = async () => (await get('/v1/me', { token: access })).status
    expectRefusal('other', await askToken(other, use), 'invalid_grant')
    expect(await me()).toBe(200)
    // Whoever has the code but not the verifier gives away that it leaked.
    expectRefusal(
      'again',
      await askToken(client, { ...use, code_verifier: makePkce().verifier }),
      'invalid_grant',
    )
    expect(await me()).toBe(401)
    expectRefusal('refresh', await askRefresh(client, refresh), 'invalid_grant')
  })

  test('cannot be guessed: an address is refused after 120 attempts a minute', async () => {
    const client = await makePublicClient()
    const guess = async () => {
      const fields = {
        client_id: client.clientId,
        grant_type: 'authorization_code',
        code: checkedSecret('fm_ac_'),
        redirect_uri: client.redirectUris[0] as string,
        code_verifier: makePkce().verifier,
      }
      return (await post('/oauth/token', form(fields, { 'x-forwarded-for': '203.0.113.78' }))).status
    }
    const statuses: number[] = []
    for (let wave = 0; wave < 20; wave += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, guess))))
    expect(statuses.filter((status) => status === 400)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(880)
  })
})

describe('a refresh that is not as it should be', () => {
  type Case = [string, (client: MadeClient, refresh: string) => Promise<Answer>, string, number?]
  const CASES: Case[] = [
    [
      'more scope',
      (client, refresh) => askRefresh(client, refresh, { scope: 'read:user read:events' }),
      'invalid_scope',
    ],
    ['all scope', (client, refresh) => askRefresh(client, refresh, { scope: 'admin' }), 'invalid_scope'],
    ['strange scope', (client, refresh) => askRefresh(client, refresh, { scope: 'x' }), 'invalid_scope'],
    [
      'foreign resource',
      (client, refresh) => askRefresh(client, refresh, { resource: 'https://evil.example' }),
      'invalid_target',
    ],
    [
      'in the query',
      (client, refresh) =>
        post(
          `/oauth/token?refresh_token=${refresh}`,
          asClient(client, { grant_type: 'refresh_token', refresh_token: refresh }),
        ),
      'invalid_request',
    ],
    [
      'twice',
      (client, refresh) =>
        post('/oauth/token', {
          body: `grant_type=refresh_token&refresh_token=${refresh}&refresh_token=${refresh}`,
          headers: { 'content-type': FORM, ...basicOf(client) },
        }),
      'invalid_request',
    ],
    ['mistyped', (client, refresh) => askRefresh(client, `${refresh}0`), 'invalid_grant'],
    ['unknown', (client) => askRefresh(client, checkedSecret('fm_rt_')), 'invalid_grant'],
    [
      'without the secret',
      (client, refresh) =>
        post(
          '/oauth/token',
          form({ grant_type: 'refresh_token', refresh_token: refresh, client_id: client.clientId }),
        ),
      'invalid_client',
      401,
    ],
    [
      'as a code',
      (client, refresh) =>
        askToken(client, {
          grant_type: 'authorization_code',
          code: refresh,
          redirect_uri: client.redirectUris[0] as string,
          code_verifier: makePkce().verifier,
        }),
      'invalid_grant',
    ],
  ]
  for (const [what, attack, error, status] of CASES)
    test(`${what}: ${error}, and the token is as good as before`, async () => {
      const client = await makeClient()
      const { refresh, access } = await makeTokens(client)
      expectRefusal(what, await attack(client, refresh), error, status)
      expect((await get('/v1/me', { token: access })).status).toBe(200)
      expect((await askRefresh(client, refresh)).status).toBe(200)
    })

  test('an access token is no refresh token', async () => {
    const client = await makeClient()
    const { access } = await makeTokens(client)
    expectRefusal('access', await askRefresh(client, access), 'invalid_grant')
  })
})

describe('what a token endpoint tells', () => {
  test('an unknown client takes as long, and as many statements, as a wrong secret', async () => {
    const [client, other] = [await makeClient(), await makeClient()]
    const show = (headers: Record<string, string>) => post('/oauth/token', form({ grant_type: 'x' }, headers))
    let count = 0
    const unknown = () => {
      count += 1
      return show(basicOf({ ...client, clientId: `fm_app_${count.toString(16).padStart(32, '0')}` }))
    }
    const wrong = () => show(basicOf({ ...client, secret: other.secret }))
    expect(await statementsOf(unknown)).toBe(await statementsOf(wrong))
    expect(await leastDifferenceMs(unknown, wrong)).toBeLessThan(1)
  })

  test('secrets are nowhere in what is kept', async () => {
    const client = await makeClient()
    const { access, refresh, code } = await makeTokens(client)
    const next = (await askRefresh(client, refresh)).body
    const tables = ['oauth_clients', 'oauth_codes', 'oauth_refresh_tokens', 'oauth_access_tokens', 'outbox']
    const kept = (
      await Promise.all(tables.map((table) => db.execute(`select to_jsonb(t)::text as row from ${table} t`)))
    )
      .flat()
      .map((row) => String((row as { row: string }).row))
      .join('\n')
    expect(kept.length).toBeGreaterThan(1000)
    for (const secret of [access, refresh, code, client.secret, next.access_token, next.refresh_token]) {
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain(secret.slice(6))
      expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})
