import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { advanceClock } from '@/core/clock'
import { checkedSecret, isCheckedSecret, randomHex } from '@/core/codes'
import { db } from '@/db/client'
import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
} from '@/db/tables/oauth'
import { users } from '@/db/tables/users'
import { oauthArea } from '@/modules/access/oauth/area'
import { runSweeps } from '../../../../workers/sweeps'
import { type Answer, call, get, patch, post } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import { countStatuses } from '../../../support/three'
import {
  askRefresh,
  askToken,
  basicOf,
  CALLBACK,
  form,
  type MadeClient,
  makeClient,
  makeCode,
  makePkce,
  makePublicClient,
  makeTokens,
} from './fixtures'

const at = async (ms: number, work: () => Promise<void>) => {
  advanceClock(ms)
  try {
    await work()
  } finally {
    advanceClock(-ms)
  }
}

const me = async (token: string) => (await get('/v1/me', { token })).status

const familiesOf = async (userId: string) =>
  (
    await db
      .select()
      .from(oauthFamilies)
      .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
      .where(eq(oauthGrants.userId, userId))
  ).length

describe('a code', () => {
  test('gives tokens once, in the words of RFC 6749', async () => {
    const client = await makeClient()
    const { use, user } = await makeCode(client, { scope: 'read:user read:events' })
    const { status, body, headers } = await askToken(client, use)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^fm_at_[0-9a-f]{40}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^fm_rt_[0-9a-f]{40}$/),
      scope: 'read:user read:events',
    })
    expect(isCheckedSecret('fm_at_', body.access_token)).toBe(true)
    expect(isCheckedSecret('fm_rt_', body.refresh_token)).toBe(true)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect((await get('/v1/me', { token: body.access_token })).body.data.id).toBe(user?.id as string)
    const kept = JSON.stringify([
      await db.select().from(oauthAccessTokens),
      await db.select().from(oauthRefreshTokens),
    ])
    expect(kept).not.toContain(body.access_token)
    expect(kept).not.toContain(body.refresh_token)
  })

  test('that is shown a second time takes back what it gave', async () => {
    const client = await makeClient()
    const { use, access, refresh } = await makeTokens(client)
    expect(await me(access)).toBe(200)
    await at(10_100, async () => {
      const again = await askToken(client, use)
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
      expect(await me(access)).toBe(401)
      expect((await askRefresh(client, refresh)).body.error).toBe('invalid_grant')
      expect((await askToken(client, use)).body.error).toBe('invalid_grant')
    })
  })

  test('that is shown a second time within ten seconds is refused and takes nothing back', async () => {
    const client = await makeClient()
    const { use, access, refresh } = await makeTokens(client)
    for (const later of [0, 5_000, 9_000])
      await at(later, async () => {
        const again = await askToken(client, use)
        expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
        expect(await me(access)).toBe(200)
      })
    expect((await askRefresh(client, refresh)).status).toBe(200)
  })

  test('that another client presents within ten seconds revokes its tokens', async () => {
    for (const wrong of [{ code_verifier: makePkce().verifier }, { redirect_uri: `${CALLBACK}/` }]) {
      const client = await makeClient()
      const { use, access } = await makeTokens(client)
      expect((await askToken(client, { ...use, ...wrong })).body.error).toBe('invalid_grant')
      expect(await me(access)).toBe(401)
    }
  })

  test('in the hands of another client is refused and takes nothing back', async () => {
    const [client, other] = [await makeClient(), await makeClient()]
    const { use, access } = await makeTokens(client)
    expect((await askToken(other, use)).body.error).toBe('invalid_grant')
    expect(await me(access)).toBe(200)
  })

  test('is not spent by a mistake, and lives for a minute', async () => {
    const client = await makeClient()
    const { use } = await makeCode(client)
    const wrong = [
      { code_verifier: makePkce().verifier },
      { redirect_uri: `${CALLBACK}/` },
      { code_verifier: 'short' },
      { resource: 'https://elsewhere.example' },
    ]
    for (const over of wrong) expect((await askToken(client, { ...use, ...over } as never)).status).toBe(400)
    await at(60_001, async () => {
      expect((await askToken(client, use)).body.error).toBe('invalid_grant')
    })
    await at(55_000, async () => {
      expect((await askToken(client, use)).status).toBe(200)
    })
  })

  test('is no use to a suspended person, nor after the grant is gone', async () => {
    const client = await makeClient()
    const [suspended, revoked] = [await makeCode(client), await makeCode(client)]
    await db
      .update(users)
      .set({ suspendedAt: new Date() })
      .where(eq(users.id, suspended.user?.id as string))
    expect((await askToken(client, suspended.use)).body.error).toBe('invalid_grant')
    await db.delete(oauthGrants).where(eq(oauthGrants.userId, revoked.user?.id as string))
    expect((await askToken(client, revoked.use)).body.error).toBe('invalid_grant')
  })

  test('takes the resource that it was asked for with', async () => {
    const client = await makeClient()
    const ask = async (asked: string | undefined, shown: string) => {
      const { use } = await makeCode(client, asked ? { resource: asked } : {})
      const { status, body } = await askToken(client, { ...use, resource: shown })
      return status === 200 ? 'given' : body.error
    }
    expect(await ask(undefined, 'http://localhost')).toBe('given')
    expect(await ask('http://localhost', 'http://localhost/')).toBe('given')
    expect(await ask('http://localhost/mcp', 'http://localhost/mcp')).toBe('given')
    expect(await ask('http://localhost/mcp', 'http://localhost')).toBe('invalid_target')
    expect(await ask(undefined, 'http://localhost/v1')).toBe('invalid_target')
  })

  test('gives what is left of the scopes when an administrator is none any more', async () => {
    const client = await makeClient()
    const [admin] = [await makeUser({ role: 'admin' }), await makeUser({ role: 'admin' })]
    const session = await makeSession(admin.id)
    const { use } = await makeCode(client, { scope: 'admin read:user', session })
    await db.update(users).set({ role: 'user' }).where(eq(users.id, admin.id))
    const { body } = await askToken(client, use)
    expect(body.scope).toBe('read:user')
    const given = await askRefresh(client, body.refresh_token)
    expect(given.body.scope).toBe('read:user')
    expect((await askRefresh(client, given.body.refresh_token, { scope: 'admin' })).body.error).toBe(
      'invalid_scope',
    )
  })
})

describe('an administrator who is none any more', () => {
  test('leaves an application with what it was given by name, and admin brings nothing along', async () => {
    const client = await makeClient()
    const [admin, other] = [await makeUser({ role: 'admin' }), await makeCaller(['admin'], { role: 'admin' })]
    const session = await makeSession(admin.id)
    const { refresh } = await makeTokens(client, { scope: 'admin user', session })
    const before = (await askRefresh(client, refresh, { scope: 'manage:groups developer' })).body
    expect(before.scope).toBe('manage:groups developer')
    const demoted = await patch(`/v1/admin/users/${admin.id}`, { token: other.token, json: { role: 'user' } })
    expect(demoted.status).toBe(200)
    for (const scope of ['manage:groups user developer', 'admin developer', 'read:events']) {
      const more = await askRefresh(client, before.refresh_token, { scope })
      expect([scope, more.status, more.body.error]).toEqual([scope, 400, 'invalid_scope'])
    }
    // An application that always names all it was given is not locked out.
    const same = (await askRefresh(client, before.refresh_token, { scope: 'admin user' })).body
    expect(same.scope).toBe('user')
    const less = (await askRefresh(client, same.refresh_token, { scope: 'user:email' })).body
    expect(less.scope).toBe('user:email')
  })
})

describe('a refresh token', () => {
  test('is replaced at each use, and each access token works', async () => {
    const client = await makeClient()
    const first = await makeTokens(client, { scope: 'read:user read:events' })
    const second = (await askRefresh(client, first.refresh)).body
    expect(second.scope).toBe('read:user read:events')
    expect(second.refresh_token).not.toBe(first.refresh)
    expect(isCheckedSecret('fm_rt_', second.refresh_token)).toBe(true)
    const third = (await askRefresh(client, second.refresh_token)).body
    for (const token of [first.access, second.access_token, third.access_token])
      expect(await me(token)).toBe(200)
  })

  test('sent again within ten seconds gives the same successor and a new access token', async () => {
    const client = await makeClient()
    const { refresh } = await makeTokens(client)
    const first = (await askRefresh(client, refresh)).body
    await at(9_000, async () => {
      const again = (await askRefresh(client, refresh)).body
      expect(again.refresh_token).toBe(first.refresh_token)
      expect(again.access_token).not.toBe(first.access_token)
      expect([await me(first.access_token), await me(again.access_token)]).toEqual([200, 200])
    })
    expect((await askRefresh(client, first.refresh_token)).status).toBe(200)
  })

  test('sent again later ends the whole family in that request', async () => {
    const client = await makeClient()
    const { access, refresh } = await makeTokens(client)
    const next = (await askRefresh(client, refresh)).body
    expect([await me(access), await me(next.access_token)]).toEqual([200, 200])
    await at(10_500, async () => {
      const late = await askRefresh(client, refresh)
      expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
      expect([await me(access), await me(next.access_token)]).toEqual([401, 401])
      expect((await askRefresh(client, next.refresh_token)).body.error).toBe('invalid_grant')
    })
  })

  test('of the last but one ends the family however soon', async () => {
    const client = await makeClient()
    const { refresh } = await makeTokens(client)
    const second = (await askRefresh(client, refresh)).body
    const third = (await askRefresh(client, second.refresh_token)).body
    expect((await askRefresh(client, refresh)).body.error).toBe('invalid_grant')
    expect(await me(third.access_token)).toBe(401)
    expect((await askRefresh(client, third.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('in the hands of another client is refused, and was stolen', async () => {
    const [client, other] = [await makeClient(), await makePublicClient()]
    const { access, refresh } = await makeTokens(client)
    expect((await askRefresh(other, refresh)).body.error).toBe('invalid_grant')
    expect(await me(access)).toBe(401)
  })

  test('lives for 60 days from its last use', async () => {
    const client = await makeClient()
    const { refresh } = await makeTokens(client)
    const day = 86_400_000
    let next = ''
    await at(59 * day, async () => {
      next = (await askRefresh(client, refresh)).body.refresh_token
    })
    await at(118 * day, async () => {
      next = (await askRefresh(client, next)).body.refresh_token
      expect(next).toStartWith('fm_rt_')
    })
    await at(179 * day, async () => {
      expect((await askRefresh(client, next)).body.error).toBe('invalid_grant')
    })
  })

  test('that was used stays known as long as its family lives, however old it is', async () => {
    const client = await makeClient()
    const { refresh, user } = await makeTokens(client)
    const day = 86_400_000
    let [second, third] = ['', '']
    await at(59 * day, async () => {
      second = (await askRefresh(client, refresh)).body.refresh_token
    })
    await at(61 * day, async () => {
      const given = (await askRefresh(client, second)).body
      third = given.refresh_token
      await runSweeps(oauthArea.sweeps)
      expect(await me(given.access_token)).toBe(200)
      expect((await askRefresh(client, refresh)).body.error).toBe('invalid_grant')
      expect(await me(given.access_token)).toBe(401)
      expect((await askRefresh(client, third)).body.error).toBe('invalid_grant')
    })
    expect(await familiesOf(user?.id as string)).toBe(0)
  })

  test('goes with all before it once the last one has expired', async () => {
    const client = await makeClient()
    const { refresh, user } = await makeTokens(client)
    await at(59 * 86_400_000, async () => {
      expect((await askRefresh(client, refresh)).status).toBe(200)
    })
    await at(118 * 86_400_000, async () => {
      await runSweeps(oauthArea.sweeps)
      expect(await familiesOf(user?.id as string)).toBe(1)
    })
    await at(120 * 86_400_000, async () => {
      await runSweeps(oauthArea.sweeps)
      expect(await familiesOf(user?.id as string)).toBe(0)
    })
  })

  test('may be used for less, which narrows the access token alone', async () => {
    const client = await makeClient()
    const { refresh } = await makeTokens(client, { scope: 'user read:events' })
    const less = (await askRefresh(client, refresh, { scope: 'read:user' })).body
    expect(less.scope).toBe('read:user')
    expect((await get('/v1/events', { token: less.access_token })).status).toBe(403)
    const all = (await askRefresh(client, less.refresh_token)).body
    expect(all.scope).toBe('user read:events')
    for (const scope of ['read:groups', 'user read:groups', 'admin', 'user admin', 'nonsense']) {
      const more = await askRefresh(client, all.refresh_token, { scope })
      expect([scope, more.status, more.body.error]).toEqual([scope, 400, 'invalid_scope'])
    }
    // None of these used it up.
    expect((await askRefresh(client, all.refresh_token)).status).toBe(200)
  })

  test('is no use to a suspended person, and outlives the session that made it', async () => {
    const client = await makeClient()
    const { refresh, user, session } = await makeTokens(client)
    await post('/auth/logout', { session })
    const next = (await askRefresh(client, refresh)).body
    await db
      .update(users)
      .set({ suspendedAt: new Date() })
      .where(eq(users.id, user?.id as string))
    expect((await askRefresh(client, next.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('who is calling', () => {
  const grant = (fields: Record<string, string> = {}) => ({
    grant_type: 'refresh_token',
    refresh_token: checkedSecret('fm_rt_'),
    ...fields,
  })
  /** A client that is let in is told of its bad token. */
  const IN = [400, 'invalid_grant']
  const ask = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const { status, body } = await post('/oauth/token', form(fields, headers))
    return [status, body.error]
  }

  test('is shown by Basic, in the form, or by name alone', async () => {
    // One that a developer made may choose; see the registration's own tests for one that chose beforehand.
    const ownerId = (await makeUser()).id
    const [client, open] = [await makeClient({ ownerId }), await makePublicClient()]
    const post = await makeClient({ ownerId, authMethod: 'client_secret_post' })
    for (const confidential of [client, post]) {
      const { clientId, secret } = confidential
      expect(await ask(grant(), basicOf(confidential))).toEqual(IN)
      expect(await ask(grant({ client_id: clientId }), basicOf(confidential))).toEqual(IN)
      expect(await ask(grant({ client_id: clientId, client_secret: secret }))).toEqual(IN)
    }
    expect(await ask(grant({ client_id: open.clientId }))).toEqual(IN)
    expect(await ask(grant({ client_id: open.clientId, client_secret: '' }))).toEqual(IN)
  })

  test('is decoded from Basic as RFC 6749 encodes it', async () => {
    const secret = 'a b+c%/:ü&='
    const client = { ...(await makeClient({ secretHash: hashSecret(secret) })), secret }
    const encoded = encodeURIComponent(secret).replaceAll('%20', '+')
    const header = { authorization: `basic ${btoa(`${client.clientId}:${encoded}`)}` }
    expect(await ask(grant(), header)).toEqual(IN)
  })

  test('may be shown empty by Basic when there is none to show', async () => {
    const [open, closed] = [await makePublicClient(), await makeClient()]
    expect(await ask(grant(), basicOf({ ...open, secret: '' }))).toEqual(IN)
    expect(await ask(grant({ client_id: open.clientId, client_secret: '' }))).toEqual(IN)
    expect(await ask(grant(), basicOf({ ...closed, secret: '' }))).not.toEqual(IN)
  })

  test('is refused alike when unknown, wrong or missing', async () => {
    const [client, other, open] = [await makeClient(), await makeClient(), await makePublicClient()]
    const unknown = { ...client, clientId: `fm_app_${'0'.repeat(32)}` } as MadeClient
    const basics = [
      basicOf({ ...client, secret: other.secret }),
      basicOf({ ...client, secret: '' }),
      basicOf({ ...client, secret: `${client.secret}x` }),
      basicOf(unknown),
      basicOf({ ...client, clientId: '\u0000' }),
      basicOf(open),
      { authorization: 'Basic' },
      { authorization: 'Basic !!!' },
      { authorization: `Basic ${btoa('no colon')}` },
      { authorization: `Basic ${btoa(`${client.clientId}:%E0%A4%A`)}` },
    ]
    const seen = new Set<string>()
    for (const headers of basics) {
      const answer = await post('/oauth/token', form(grant(), headers))
      expect([headers.authorization, answer.status, answer.body.error]).toEqual([
        headers.authorization,
        401,
        'invalid_client',
      ])
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Folkmoot", charset="UTF-8"')
      seen.add(answer.text)
    }
    const forms: Record<string, string>[] = [
      {},
      { client_id: client.clientId },
      { client_id: client.clientId, client_secret: other.secret },
      { client_id: unknown.clientId, client_secret: client.secret },
      { client_id: unknown.clientId },
      { client_id: 'x\u0000' },
      { client_id: open.clientId, client_secret: client.secret },
    ]
    for (const fields of forms) {
      const answer = await post('/oauth/token', form(grant(fields)))
      expect([fields, answer.status, answer.body.error]).toEqual([fields, 401, 'invalid_client'])
      expect(answer.headers.get('www-authenticate')).toBeNull()
      seen.add(answer.text)
    }
    expect(seen.size).toBe(1)
    const bearer = await post('/oauth/token', form(grant(), { authorization: `Bearer ${client.secret}` }))
    expect([bearer.status, bearer.headers.get('www-authenticate')]).toEqual([401, null])
  })

  test('is shown once, in one way', async () => {
    const [client, other] = [await makeClient(), await makeClient()]
    const both = grant({ client_id: client.clientId, client_secret: client.secret })
    expect(await ask(both, basicOf(client))).toEqual([400, 'invalid_request'])
    expect(await ask(grant({ client_id: other.clientId }), basicOf(client))).toEqual([400, 'invalid_request'])
  })

  test('is noted at most once an hour', async () => {
    const client = await makeClient()
    const lastUsed = async () =>
      (await db.select().from(oauthClients).where(eq(oauthClients.clientId, client.clientId)))[0]?.lastUsedAt
    await ask(grant(), basicOf(client))
    const first = await lastUsed()
    expect(first).toBeInstanceOf(Date)
    await ask(grant(), basicOf(client))
    expect(await lastUsed()).toEqual(first as Date)
    await at(3_700_000, async () => {
      await ask(grant(), basicOf(client))
    })
    expect((await lastUsed())?.getTime()).toBeGreaterThan((first as Date).getTime())
  })
})

describe('limits', () => {
  test('a client has 120 requests a minute, over all three endpoints and all addresses', async () => {
    const [client, other] = [await makeClient(), await makeClient()]
    const ask = async (asked: MadeClient, path: string) =>
      post(path, form({ token: 'x', grant_type: 'x' }, basicOf(asked)))
    const paths = ['/oauth/token', '/oauth/revoke', '/oauth/introspect']
    const statuses: number[] = []
    for (let i = 0; i < 120; i += 1) statuses.push((await ask(client, paths[i % 3] as string)).status)
    expect(statuses).not.toContain(429)
    const refused = await ask(client, '/oauth/token')
    expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(refused.headers.get('x-ratelimit-limit')).toBe('120')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect((await ask(other, '/oauth/token')).status).toBe(400)
    await at(61_000, async () => {
      expect((await ask(client, '/oauth/token')).status).toBe(400)
    })
  })

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const many = async (count: number, ask: (i: number) => Promise<Answer>) =>
    countStatuses(
      (await Promise.all(Array.from({ length: count }, (_, i) => ask(i)))).map(({ status }) => status),
    )

  test('a public client has 120 requests a minute per address, so that others cannot use up its budget', async () => {
    const client = await makePublicClient()
    const ask = (address: string) =>
      post('/oauth/token', form({ grant_type: 'x', client_id: client.clientId }, from(address)))
    expect(await many(150, () => ask('203.0.113.70'))).toEqual({ 400: 120, 429: 30 })
    const { use } = await makeCode(client)
    const fields = { ...use, client_id: client.clientId }
    expect((await post('/oauth/token', form(fields, from('203.0.113.71')))).status).toBe(200)
    expect((await post('/oauth/token', form(fields, from('203.0.113.70')))).status).toBe(429)
  })

  test('a wrong secret is tried 120 times a minute from an address, and uses up none of the client’s turns', async () => {
    const client = await makeClient()
    const guess = (address: string) =>
      post(
        '/oauth/introspect',
        form(
          { token: 'x' },
          { ...basicOf({ ...client, secret: `fm_cs_${randomHex(32)}` }), ...from(address) },
        ),
      )
    const ask = (address: string) =>
      post('/oauth/introspect', form({ token: 'x' }, { ...basicOf(client), ...from(address) }))
    expect(await many(150, () => guess('203.0.113.72'))).toEqual({ 401: 120, 429: 30 })
    // Whoever has guessed too often does not learn whether the next one would have been right.
    const refused = await ask('203.0.113.72')
    expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(await many(120, () => ask('203.0.113.73'))).toEqual({ 200: 120 })
    expect((await ask('203.0.113.73')).status).toBe(429)
  })

  test('an address has 120 failures a minute over all clients; authenticated clients are not refused for them', async () => {
    const address = from('203.0.113.77')
    const [client, known] = [await makeClient(), await makePublicClient()]
    const guess = (i: number) =>
      post(
        '/oauth/token',
        form({ grant_type: 'x', client_id: `fm_app_${i.toString(16).padStart(32, '0')}` }, address),
      )
    expect(await many(150, guess)).toEqual({ 401: 120, 429: 30 })
    const { use } = await makeCode(client)
    expect((await post('/oauth/token', form(use, { ...basicOf(client), ...address }))).status).toBe(200)
    const code = await makeCode(known)
    const fields = { ...code.use, client_id: known.clientId }
    expect((await post('/oauth/token', form(fields, address))).status).toBe(200)
  })
})

test('every answer shows the budget, and is open to browsers of other origins at the token endpoint', async () => {
  const client = await makeClient()
  const answers = [
    await askToken(client, (await makeCode(client)).use),
    await askToken(client, {}),
    await post('/oauth/token', form({})),
    await post('/oauth/revoke', form({})),
    await get('/oauth/authorize'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 401, 400])
  for (const { headers } of answers)
    for (const name of ['limit', 'remaining', 'reset'])
      expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
  const preflight = await call('OPTIONS', '/oauth/token', { headers: { origin: 'https://spa.example' } })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
})

test('errors are those of RFC 6749, and nothing is kept in a cache', async () => {
  const client = await makeClient()
  const ask = async (fields: Record<string, string>) => (await askToken(client, fields)).body.error
  expect(await ask({})).toBe('invalid_request')
  for (const grantType of ['password', 'client_credentials', 'implicit', 'AUTHORIZATION_CODE', 'token'])
    expect(await ask({ grant_type: grantType })).toBe('unsupported_grant_type')
  const { use } = await makeCode(client)
  for (const missing of ['code', 'redirect_uri', 'code_verifier'] as const) {
    const { [missing]: _, ...rest } = use
    expect(await ask(rest as Record<string, string>)).toBe('invalid_request')
    expect(await ask({ ...use, [missing]: '' })).toBe('invalid_request')
  }
  expect(await ask({ grant_type: 'refresh_token' })).toBe('invalid_request')
  const refused = await askToken(client, {})
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(Object.keys(refused.body)).toEqual(['error', 'error_description'])
})

test('an expired code is kept a while, and what is over is swept away', async () => {
  const client = await makeClient()
  const [unused, used] = [await makeCode(client), await makeTokens(client)]
  const has = async (code: string) =>
    (await db.$count(oauthCodes, eq(oauthCodes.hash, hashSecret(code)))) === 1
  const [unusedId, usedId] = [unused.user?.id as string, used.user?.id as string]
  await at(3_600_000, async () => {
    await runSweeps(oauthArea.sweeps)
    expect([await has(unused.code), await has(used.code)]).toEqual([true, true])
  })
  await at(2 * 86_400_000, async () => {
    await runSweeps(oauthArea.sweeps)
    expect([await has(unused.code), await has(used.code)]).toEqual([false, false])
    expect([await familiesOf(unusedId), await familiesOf(usedId)]).toEqual([0, 1])
    expect((await askRefresh(client, used.refresh)).status).toBe(200)
  })
  await at(70 * 86_400_000, async () => {
    await runSweeps(oauthArea.sweeps)
    expect(await familiesOf(usedId)).toBe(0)
  })
})
