import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'
import {
  answerOf,
  authorizePath,
  CALLBACK,
  decide,
  form,
  makeClient,
  makeOwnedClient,
  makePkce,
  queryOf,
  requestOf,
  sealOf,
} from '../modules/access/oauth/fixtures'
import { type Answer, apiUrl, get, post } from '../support/api'
import { makeSession, makeUser } from '../support/make'

/** A person and an application of a developer's for each case, so that whatever is stored is seen. */
async function makeScene(fields: Parameters<typeof makeClient>[0] = {}) {
  const user = await makeUser()
  return { user, session: await makeSession(user.id), client: await makeOwnedClient(fields) }
}

const storedFor = async (userId: string) => {
  const grants = await db.select().from(oauthGrants).where(eq(oauthGrants.userId, userId))
  return grants.length
}

/** A page, and nobody is sent anywhere. */
function expectPage(what: string, answer: Answer, status = 400) {
  expect([what, answer.status, answer.headers.get('location')]).toEqual([what, status, null])
  expect([what, answer.headers.get('content-type')]).toEqual([what, 'text/html; charset=utf-8'])
  expect([what, /http-equiv="?refresh|<script/i.test(answer.text)]).toEqual([what, false])
}

describe('a client or redirect URI that is not known is a page, never a redirect', () => {
  test('unknown, missing and repeated clients', async () => {
    const { user, session, client } = await makeScene()
    const good = requestOf(client)
    const cases: [string, string][] = [
      ['unknown', queryOf({ ...good, client_id: `fm_app_${'0'.repeat(32)}` })],
      ['missing', queryOf({ ...good, client_id: undefined })],
      ['empty', queryOf({ ...good, client_id: '' })],
      ['other case', queryOf({ ...good, client_id: client.clientId.toUpperCase() })],
      ['a NUL', queryOf({ ...good, client_id: `${client.clientId}\u0000` })],
      ['an injection', queryOf({ ...good, client_id: "' or 1=1 --" })],
      ['a space', queryOf({ ...good, client_id: `${client.clientId} ` })],
      ['a list', `${queryOf({ ...good, client_id: undefined })}&client_id[]=${client.clientId}`],
      ['twice', `${queryOf(good)}&client_id=${client.clientId}`],
      ['twice, one empty', `${queryOf(good)}&client_id=`],
      ['nothing at all', ''],
    ]
    for (const [what, query] of cases)
      for (const options of [{ session }, {}])
        expectPage(what, await get(`/oauth/authorize?${query}`, options))
    expectPage('no query', await get('/oauth/authorize', { session }))
    expect(await storedFor(user.id)).toBe(0)
  })

  const REGISTERED = 'https://ok.example/cb'

  /** Each is near enough to the registered one that some matcher somewhere let it pass. */
  const MUTATIONS = [
    '',
    'https://ok.example',
    'https://ok.example/',
    'https://ok.example/c',
    'https://ok.example/cb/',
    'https://ok.example/cbx',
    'https://ok.example/cb/x',
    'https://ok.example/cb/../evil',
    'https://ok.example/cb/..',
    'https://ok.example/x/../cb',
    'https://ok.example/./cb',
    'https://ok.example//cb',
    'https://ok.example/%63b',
    'https://ok.example/cb%2f',
    'https://ok.example/cb%2f..%2fevil',
    'https://ok.example/cb%00',
    'https://ok.example/cb\u0000',
    'https://ok.example/cb?x=1',
    'https://ok.example/cb?',
    'https://ok.example/cb#',
    'https://ok.example/cb#x',
    'https://ok.example/cb;x',
    'https://ok.example/cb ',
    ' https://ok.example/cb',
    '\thttps://ok.example/cb',
    'https://ok.example/cb\n',
    'https://ok.example/cb\r\nLocation: https://evil.example',
    'https://ok.example/CB',
    'https://OK.example/cb',
    'HTTPS://ok.example/cb',
    'http://ok.example/cb',
    'https:/ok.example/cb',
    'https:ok.example/cb',
    'https:///ok.example/cb',
    'https:\\\\ok.example\\cb',
    'https://ok.example\\cb',
    'https://ok.example:443/cb',
    'https://ok.example:8443/cb',
    'https://ok.example:/cb',
    'https://ok.example./cb',
    'https://ok.example.evil.example/cb',
    'https://evil.example/ok.example/cb',
    'https://evil.example/?https://ok.example/cb',
    'https://evil.example/#https://ok.example/cb',
    'https://evil.example\\@ok.example/cb',
    'https://ok.example@evil.example/cb',
    'https://ok.example:x@evil.example/cb',
    'https://user@ok.example/cb',
    'https://okxexample/cb',
    'https://xok.example/cb',
    'https://sub.ok.example/cb',
    'https://example/cb',
    'https://ok.exаmple/cb',
    'https://ok。example/cb',
    'https://ok.example\u200b/cb',
    'https://xn--ok-example/cb',
    '//ok.example/cb',
    '//evil.example/cb',
    '/cb',
    'cb',
    'javascript:alert(1)',
    'javascript://ok.example/cb%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'urn:ietf:wg:oauth:2.0:oob',
    'about:blank',
    'com.example.app:/cb',
    `${REGISTERED},https://evil.example`,
    `https://evil.example,${REGISTERED}`,
    `${REGISTERED} https://evil.example`,
    `[${REGISTERED}]`,
    `${REGISTERED}${'x'.repeat(3000)}`,
  ]

  test(`${MUTATIONS.length} redirect URIs that are nearly registered`, async () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(60)
    expect(new Set(MUTATIONS).size).toBe(MUTATIONS.length)
    const { user, session, client } = await makeScene({ redirectUris: [REGISTERED] })
    let redirects = 0
    // A mistake beside it, or a wish to stay silent, must not send anybody there either.
    for (const uri of MUTATIONS)
      for (const over of [{}, { scope: 'nonsense' }, { prompt: 'none' }] as Record<string, string>[]) {
        const answer = await get(authorizePath(requestOf(client, { redirect_uri: uri, ...over })))
        if (answer.headers.get('location') !== null) redirects += 1
        expectPage(JSON.stringify(uri), answer)
      }
    expect(redirects).toBe(0)
    for (const uri of MUTATIONS.slice(0, 30))
      expectPage(uri, await get(authorizePath(requestOf(client, { redirect_uri: uri })), { session }))
    expect(await storedFor(user.id)).toBe(0)
  })

  test('loopback addresses are free in their port and in nothing else', async () => {
    const { session, client } = await makeScene({
      redirectUris: ['http://127.0.0.1:8080/cb', 'http://[::1]/cb'],
    })
    const ask = (uri: string) => get(authorizePath(requestOf(client, { redirect_uri: uri })), { session })
    for (const uri of ['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb', 'http://[::1]:65535/cb'])
      expect([uri, (await ask(uri)).status]).toEqual([uri, 200])
    for (const uri of [
      'http://localhost:8080/cb',
      'http://127.0.0.2:8080/cb',
      'http://127.1:8080/cb',
      'http://2130706433:8080/cb',
      'http://0x7f.1:8080/cb',
      'http://127.0.0.1.:8080/cb',
      'http://127.0.0.1.evil.example:8080/cb',
      'http://127.0.0.1:8080@evil.example/cb',
      'http://evil@127.0.0.1:8080/cb',
      'https://127.0.0.1:8080/cb',
      'http://127.0.0.1:8080/cb/',
      'http://127.0.0.1:8080/cb?x',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:8x/cb',
      'http://127.0.0.1:-1/cb',
      'http://127.0.0.1: 1/cb',
      'http://[0:0:0:0:0:0:0:1]/cb',
      'http://[::ffff:127.0.0.1]/cb',
      'http://[::1%25lo]/cb',
      'http://[::2]/cb',
    ])
      expectPage(uri, await ask(uri))
  })

  test('a redirect URI that is missing, empty or repeated, even if only one is registered', async () => {
    const { session, client } = await makeScene()
    const good = requestOf(client)
    expectPage('missing', await get(authorizePath({ ...good, redirect_uri: undefined }), { session }))
    expectPage('empty', await get(authorizePath({ ...good, redirect_uri: '' }), { session }))
    const again = `&redirect_uri=${encodeURIComponent(CALLBACK)}`
    expectPage('twice', await get(authorizePath(good) + again, { session }))
    const evil = `&redirect_uri=${encodeURIComponent('https://evil.example')}`
    expectPage('two', await get(authorizePath(good) + evil, { session }))
  })

  test('a link that does not decode', async () => {
    const { session, client } = await makeScene()
    for (const junk of ['%', '%zz', '%ff', '%c0%ae', '%ed%a0%80'])
      expectPage(
        junk,
        await get(`${authorizePath(requestOf(client, { state: undefined }))}&state=${junk}`, { session }),
      )
  })

  test('an address of another application', async () => {
    const [mine, other] = [
      await makeScene(),
      await makeClient({ redirectUris: ['https://other.example/cb'] }),
    ]
    const answer = await get(
      authorizePath(requestOf(mine.client, { redirect_uri: 'https://other.example/cb' })),
      {
        session: mine.session,
      },
    )
    expectPage('other', answer)
    expect(other.redirectUris).toHaveLength(1)
  })
})

describe('every other mistake goes back to the application, with its state and our name', () => {
  const long = makePkce().challenge
  const CASES: [string, Record<string, string | undefined>, string][] = [
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['token', { response_type: 'token' }, 'unsupported_response_type'],
    ['code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['id_token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['CODE', { response_type: 'CODE' }, 'unsupported_response_type'],
    ['fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['form_post', { response_mode: 'form_post' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['s256', { code_challenge_method: 's256' }, 'invalid_request'],
    ['neither', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['42 characters', { code_challenge: long.slice(0, 42) }, 'invalid_request'],
    ['129 characters', { code_challenge: 'a'.repeat(129) }, 'invalid_request'],
    ['padding', { code_challenge: `${long}=` }, 'invalid_request'],
    ['illegal +', { code_challenge: `${long.slice(0, 42)}+` }, 'invalid_request'],
    ['illegal space', { code_challenge: `${long.slice(0, 42)} ` }, 'invalid_request'],
    ['a newline', { code_challenge: `${long}\n` }, 'invalid_request'],
    ['a NUL', { code_challenge: `${long}\u0000` }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['empty scope', { scope: '' }, 'invalid_scope'],
    ['blank scope', { scope: '   ' }, 'invalid_scope'],
    ['unknown scopes', { scope: 'nonsense offline_access' }, 'invalid_scope'],
    ['scope of a prototype', { scope: 'constructor' }, 'invalid_scope'],
    ['scope by comma', { scope: 'read:user,user:email' }, 'invalid_scope'],
    ['scope by tab', { scope: 'read:user\tuser:email' }, 'invalid_scope'],
    ['scope in capitals', { scope: 'READ:USER' }, 'invalid_scope'],
    ['openid', { scope: 'openid' }, 'invalid_scope'],
    ['10 KiB of scope', { scope: 'read:user '.repeat(1000) }, 'invalid_scope'],
    ['admin by a person', { scope: 'admin' }, 'invalid_scope'],
    ['request', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['request_uri', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['strange prompt', { prompt: 'create' }, 'invalid_request'],
    ['foreign resource', { resource: 'https://evil.example' }, 'invalid_target'],
    ['resource with a path', { resource: 'http://localhost/v1' }, 'invalid_target'],
    ['resource with a fragment', { resource: 'http://localhost/mcp#x' }, 'invalid_target'],
    ['resource beside ours', { resource: 'http://localhost.evil.example/mcp' }, 'invalid_target'],
  ]
  for (const [what, over, error] of CASES)
    test(`${what}: ${error}`, async () => {
      const { user, session, client } = await makeScene()
      const answer = await get(authorizePath(requestOf(client, over)), { session })
      expect(answer.status).toBe(302)
      const { to, error_description: description, ...rest } = answerOf(answer)
      expect(to).toBe(CALLBACK)
      expect(rest).toEqual({ error, state: 'xyz', iss: 'http://localhost' })
      expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await storedFor(user.id)).toBe(0)
      // Nobody is sent to a stranger's address before they have signed in here.
      const nobody = await get(authorizePath(requestOf(client, over)))
      expect(nobody.headers.get('location')).toStartWith('/login?returnTo=%2Foauth%2Fauthorize%3F')
    })

  test('any parameter that is sent twice', async () => {
    const { user, session, client } = await makeScene()
    const good = requestOf(client)
    for (const name of [
      'response_type',
      'scope',
      'code_challenge',
      'code_challenge_method',
      'resource',
      'x',
    ]) {
      const twice = `${authorizePath(good)}${`&${name}=${encodeURIComponent(good[name] ?? 'http://localhost')}`.repeat(name in good ? 1 : 2)}`
      const answer = await get(twice, { session })
      expect([name, answer.status, answerOf(answer).error, answerOf(answer).state]).toEqual([
        name,
        302,
        'invalid_request',
        'xyz',
      ])
    }
    const states = await get(`${authorizePath(good)}&state=other`, { session })
    expect(answerOf(states)).toMatchObject({ error: 'invalid_request' })
    expect('state' in answerOf(states)).toBe(false)
    expect(await storedFor(user.id)).toBe(0)
  })

  test('a state that is too long, and none is cut', async () => {
    const { session, client } = await makeScene()
    const fits = 'ü'.repeat(2000)
    const page = await get(authorizePath(requestOf(client, { state: fits })), { session })
    expect(answerOf(await decide(session, sealOf(page))).state).toBe(fits)
    const answer = await get(authorizePath(requestOf(client, { state: 'x'.repeat(2001) })), { session })
    expect(answerOf(answer).error).toBe('invalid_request')
    expect('state' in answerOf(answer)).toBe(false)
  })
})

describe('what a state may hold', () => {
  const STATES = [
    `"><script>alert(1)</script>`,
    `' onmouseover='alert(1)`,
    'a\r\nSet-Cookie: x=1\r\n\r\nbody',
    'line\nfeed\ttab',
    '&code=stolen&error=x#fragment?y',
    '%0d%0a%25',
    '+ plus & blank',
    '\u0000\u2028\u202e',
    '😀 ü €',
    '__proto__',
  ]
  test('comes back as it was, and is nowhere on the page', async () => {
    const { session, client } = await makeScene()
    for (const state of STATES) {
      const page = await get(authorizePath(requestOf(client, { state, prompt: 'consent' })), { session })
      // It may only stand where something leads back to the question: a link, or a choice of language.
      const seen = page.text.replace(/(href|name="back" value)="[^"]+"/g, '').includes(state)
      expect([state, page.status, seen]).toEqual([state, 200, false])
      for (const decision of ['allow', 'deny']) {
        const answer = await decide(session, sealOf(page), decision)
        expect(answerOf(answer).state).toBe(state)
        expect(answer.headers.get('location')).toMatch(/^[\x21-\x7e]+$/)
        expect(answer.headers.get('set-cookie')).toBeNull()
        expect(Object.keys(answerOf(answer)).sort()).toEqual(
          decision === 'allow'
            ? ['code', 'iss', 'state', 'to']
            : ['error', 'error_description', 'iss', 'state', 'to'],
        )
      }
    }
  })
})

describe('the consent', () => {
  test('of one application cannot be used for another', async () => {
    const { user, session, client } = await makeScene({ redirectUris: ['https://a.example/cb'] })
    const other = await makeClient({ redirectUris: ['https://b.example/cb'] })
    const sealed = sealOf(await get(authorizePath(requestOf(client)), { session }))
    // Whatever is sent beside the seal is not looked at.
    const answer = await post(`/oauth/authorize?${queryOf(requestOf(other))}`, {
      session,
      ...form({
        request: sealed,
        decision: 'allow',
        'scope.read:user': 'on',
        'scope.admin': 'on',
        client_id: other.clientId,
        redirect_uri: 'https://b.example/cb',
        scope: 'admin user',
      }),
    })
    expect(answerOf(answer).to).toBe('https://a.example/cb')
    const grants = await db.select().from(oauthGrants).where(eq(oauthGrants.userId, user.id))
    expect(grants.map(({ clientId, scopes }) => [clientId, scopes])).toEqual([
      [client.clientId, ['read:user']],
    ])
  })

  test('needs the seal, a form, and every field once', async () => {
    const { user, session, client } = await makeScene()
    const sealed = sealOf(await get(authorizePath(requestOf(client)), { session }))
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      post('/oauth/authorize', { session, body, headers: { 'content-type': type } })
    const query = queryOf(requestOf(client))
    expectPage('no seal', await send('decision=allow'))
    expectPage('the request itself', await send(`${query}&decision=allow`))
    expectPage('twice', await send(`request=${sealed}&request=${sealed}&decision=allow`))
    expectPage('both', await send(`request=${sealed}&decision=deny&decision=allow`))
    expectPage('JSON', await send(JSON.stringify({ request: sealed, decision: 'allow' }), 'application/json'))
    expectPage('text', await send(`request=${sealed}&decision=allow`, 'text/plain'))
    expectPage('too large', await send(`request=${'x'.repeat(70_000)}&decision=allow`), 413)
    expect(await storedFor(user.id)).toBe(0)
  })

  test('cannot be had by a GET, a HEAD or another site', async () => {
    const { user, session, client } = await makeScene()
    const sealed = sealOf(await get(authorizePath(requestOf(client)), { session }))
    const asked = await get(`${authorizePath(requestOf(client))}&decision=allow&request=${sealed}`, {
      session,
    })
    expect(answerOf(asked).error).toBe('request_not_supported')
    const head = await fetch(`${apiUrl()}${authorizePath(requestOf(client))}`, {
      method: 'HEAD',
      headers: { cookie: `session=${session}`, 'x-forwarded-for': '10.9.8.7' },
      redirect: 'manual',
    })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const body = form({ request: sealed, decision: 'allow' })
    for (const site of ['cross-site', 'same-site'])
      expectPage(
        site,
        await post('/oauth/authorize', {
          ...body,
          headers: { ...body.headers, cookie: `session=${session}`, 'sec-fetch-site': site },
        }),
        403,
      )
    expect(await storedFor(user.id)).toBe(0)
  })

  test('never goes away by 307, and is never framed or kept', async () => {
    const { session, client } = await makeScene()
    const page = await get(authorizePath(requestOf(client)), { session })
    for (const answer of [
      page,
      await decide(session, sealOf(page)),
      await get(authorizePath(requestOf(client))),
    ]) {
      expect([200, 302, 303]).toContain(answer.status)
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('for an application that is deleted while it is given is a page', async () => {
    const { session, client } = await makeScene()
    const sealed = sealOf(await get(authorizePath(requestOf(client)), { session }))
    await db.delete(oauthClients).where(eq(oauthClients.clientId, client.clientId))
    expectPage('deleted', await decide(session, sealed))
  })

  test('escapes what applications say of themselves', async () => {
    const hostile = `"><img src=x onerror=alert(1)></h1><script>alert(1)</script>'`
    const { session, client } = await makeScene({
      name: hostile,
      logoUri: `javascript:alert(1)//${hostile}`,
      website: `https://x.example/${hostile}`,
      policyUri: 'javascript:alert(1)',
      tosUri: 'data:text/html,<script>alert(1)</script>',
    })
    const { text } = await get(authorizePath(requestOf(client)), { session })
    expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>|javascript:|data:text/)
    expect(text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
  })
})

test('the issuer in a response equals that of the metadata, regardless of the Host header', async () => {
  const { session, client } = await makeScene()
  const { issuer } = (await get('/.well-known/oauth-authorization-server')).body
  const answer = await get(authorizePath(requestOf(client, { scope: 'x' })), {
    session,
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  expect(answerOf(answer).iss).toBe(issuer)
})
