import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { advanceClock } from '@/core/clock'
import { db } from '@/db/client'
import { oauthClients, oauthCodes, oauthFamilies, oauthGrants } from '@/db/tables/oauth'
import { outbox } from '@/db/tables/outbox'
import { type Answer, get, patch, post } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import {
  answerOf,
  askToken,
  authorizePath,
  CALLBACK,
  consent,
  decide,
  form,
  makeClient,
  makeCode,
  makeOwnedClient,
  makePublicClient,
  queryOf,
  requestOf,
  sealOf,
} from './fixtures'

const ISSUER = 'http://localhost'

async function makePerson(fields = {}) {
  const user = await makeUser(fields)
  return { user, session: await makeSession(user.id) }
}

const grantsOf = (userId: string) => db.select().from(oauthGrants).where(eq(oauthGrants.userId, userId))

const domainEventsOf = async (userId: string) =>
  (await db.select().from(outbox).where(eq(outbox.type, 'grant.created')).orderBy(outbox.id))
    .map(({ payload }) => payload as { userId: string; scopes: string[]; clientId: string })
    .filter((domainEvent) => domainEvent.userId === userId)

/** Another administrator makes somebody what they are. */
async function appoint(userId: string, role: 'user' | 'admin') {
  const { token } = await makeCaller(['admin'], { role: 'admin' })
  expect((await patch(`/v1/admin/users/${userId}`, { token, json: { role } })).status).toBe(200)
}

describe('asking a person', () => {
  test('who is not signed in is sent to sign in and back to this very question', async () => {
    const path = authorizePath(requestOf(await makeClient(), { state: 'a b/ü&=' }))
    const { status, headers } = await get(path)
    expect(status).toBe(302)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('location')).toBe(`/login?returnTo=${encodeURIComponent(path)}`)
  })

  test('a bearer is no session, and a credential that does not hold is refused on a page', async () => {
    const path = authorizePath(requestOf(await makeClient()))
    const { token, user } = await makeCaller(['admin'], { role: 'admin' })
    const bearer = await get(path, { token })
    expect([bearer.status, bearer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    const bad = await get(path, { token: 'fm_pat_wrong', session: await makeSession(user.id) })
    expect([bad.status, bad.headers.get('location')]).toEqual([401, null])
    const cookie = `session=${await makeSession(user.id)}`
    expect((await get(path, { headers: { cookie: `${cookie}; ${cookie}` } })).status).toBe(401)
  })

  test('says who asks, whom, for what, and where they will be sent', async () => {
    const owner = await makeUser({ username: `maker-${Date.now()}` })
    const client = await makeClient({
      ownerId: owner.id,
      name: 'Calendar <Helper>',
      website: 'https://app.example/?a=1&b=<2>',
      policyUri: 'http://app.example/policy',
      tosUri: 'https://app.example/terms',
    })
    const { user, session } = await makePerson({ name: '"Ada" & <b>' })
    const { status, text, headers } = await get(
      authorizePath(requestOf(client, { scope: 'read:user manage:events' })),
      { session },
    )
    expect(status).toBe(200)
    expect(text).toContain('Calendar &lt;Helper&gt;')
    expect(text).not.toContain('<Helper>')
    expect(text).toContain(`Registered by ${owner.username}`)
    expect(text).toContain('&quot;Ada&quot; &amp; &lt;b&gt;')
    expect(text).toContain(`(${user.username}, ${user.email})`)
    expect(text).toContain('See your profile')
    expect(text).toContain('Create, change and cancel events of your groups')
    expect(text).toContain('<strong>app.example</strong>')
    expect(text).toContain(
      '<a href="https://app.example/?a=1&amp;b=&lt;2&gt;" rel="noopener nofollow noreferrer">',
    )
    expect(text).toContain('href="https://app.example/terms"')
    expect(text).not.toContain('http://app.example/policy')
    expect(text).not.toContain('<script')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;")
  })

  test('says that a dynamically registered application is unverified', async () => {
    const { session } = await makePerson()
    const { text } = await get(authorizePath(requestOf(await makeClient())), { session })
    expect(text).toContain('Registered itself, not verified')
    expect(text).toContain('The developer of this application is not verified')
    expect(text).not.toContain('Registered by')
  })

  test('shows a logo of our own storage and initials otherwise', async () => {
    const { session } = await makePerson()
    const page = async (logoUri: string | null) =>
      (await get(authorizePath(requestOf(await makeClient({ logoUri }))), { session })).text
    const path = `/v1/uploads/file/app-logo/${'x'.repeat(22)}/logo.png`
    expect(await page(`http://localhost${path}`)).toContain(`<img src="${path}" alt="">`)
    for (const logoUri of [
      null,
      'https://evil.example/logo.png',
      'http://localhost/v1/uploads/file/../../../auth/logout',
      'http://localhost.evil.example/v1/uploads/file/x',
      'http://localhost@evil.example/v1/uploads/file/x',
    ]) {
      const text = await page(logoUri)
      expect([logoUri, text.includes('<img')]).toEqual([logoUri, false])
      expect(text).toContain('<span class="initials" aria-hidden="true">CH</span>')
    }
  })

  test('lets the form lead to us and to the application, and nowhere else', async () => {
    const { session } = await makePerson()
    const target = async (uri: string, registered = uri) => {
      const client = await makeClient({ redirectUris: [registered] })
      const { headers } = await get(authorizePath(requestOf(client, { redirect_uri: uri })), { session })
      return /form-action ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1]
    }
    expect(await target('https://app.example:8443/cb?x=1')).toBe("'self' https://app.example:8443")
    expect(await target('http://127.0.0.1:4321/cb', 'http://127.0.0.1/cb')).toBe(
      "'self' http://127.0.0.1:4321",
    )
    expect(await target('http://[::1]:4321/cb', 'http://[::1]/cb')).toBe("'self' http:")
    expect(await target('com.example.app:/cb')).toBe("'self' com.example.app:")
    expect(await target("https://a;b'c.example/cb")).toBe("'self' https:")
  })
})

describe('the answer', () => {
  test('yes sends a code to the application, with its state and our name', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const asked = await get(authorizePath(requestOf(client, { state: 's&=? #"\n\'<ü>' })), { session })
    const answer = await decide(session, sealOf(asked))
    expect([answer.status, answer.text]).toEqual([303, ''])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const { to, code, ...rest } = answerOf(answer)
    expect(to).toBe(CALLBACK)
    expect(code).toMatch(/^fm_ac_[0-9a-f]{40}$/)
    expect(rest).toEqual({ state: 's&=? #"\n\'<ü>', iss: ISSUER })
    const [grant] = await grantsOf(user.id)
    expect(grant).toMatchObject({ clientId: client.clientId, scopes: ['read:user'] })
    expect(await domainEventsOf(user.id)).toEqual([
      { grantId: grant?.id, userId: user.id, clientId: client.clientId, scopes: ['read:user'] } as never,
    ])
    // Nothing of the code itself is kept.
    expect(JSON.stringify(await db.select().from(oauthCodes))).not.toContain(code as string)
  })

  test('no redirects with an error and stores nothing', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const asked = await get(authorizePath(requestOf(client)), { session })
    const answer = await decide(session, sealOf(asked), 'deny')
    expect(answer.status).toBe(303)
    expect(answerOf(answer)).toEqual({
      to: CALLBACK,
      error: 'access_denied',
      error_description: 'The person said no',
      state: 'xyz',
      iss: ISSUER,
    })
    expect(await grantsOf(user.id)).toEqual([])
  })

  test('neither yes nor no is a page', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const sealed = sealOf(await get(authorizePath(requestOf(client)), { session }))
    for (const fields of [{ request: sealed }, { request: sealed, decision: 'maybe' }] as Record<
      string,
      string
    >[]) {
      const answer = await post('/oauth/authorize', { session, ...form(fields) })
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
    expect(await grantsOf(user.id)).toEqual([])
  })

  test('is joined to a redirect URI that has a query of its own', async () => {
    const client = await makeClient({ redirectUris: ['https://app.example/cb?tenant=1'] })
    const { session } = await makePerson()
    const answer = await consent(session, requestOf(client))
    expect(answer.headers.get('location')).toStartWith('https://app.example/cb?tenant=1&code=fm_ac_')
  })

  test('goes to a loopback address on any port, and to a scheme of the application', async () => {
    const { session } = await makePerson()
    const client = await makePublicClient({ redirectUris: ['http://127.0.0.1/cb', 'com.example.app:/cb'] })
    const loopback = await consent(session, requestOf(client, { redirect_uri: 'http://127.0.0.1:51234/cb' }))
    expect(loopback.headers.get('location')).toStartWith('http://127.0.0.1:51234/cb?code=')
    const own = await consent(session, requestOf(client, { redirect_uri: 'com.example.app:/cb' }))
    expect(own.headers.get('location')).toStartWith('com.example.app:/cb?code=')
  })

  test('without a state there is none', async () => {
    const { session } = await makePerson()
    for (const state of [undefined, '']) {
      const answer = await consent(session, requestOf(await makeClient(), { state }))
      expect(Object.keys(answerOf(answer)).sort()).toEqual(['code', 'iss', 'to'])
    }
  })
})

describe('the seal of the question', () => {
  test('is good for one session, ten minutes, and no other purpose', async () => {
    const [client, mine, other] = [await makeClient(), await makePerson(), await makePerson()]
    const sealed = sealOf(await get(authorizePath(requestOf(client)), { session: mine.session }))
    const secondSession = await makeSession(mine.user.id)
    for (const session of [other.session, secondSession]) {
      const answer = await decide(session, sealed)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
    for (const broken of ['', 'x', `${sealed}x`, sealed.slice(0, -2), sealed.replace('.', '')])
      expect([broken.slice(-10), (await decide(mine.session, broken)).status]).toEqual([
        broken.slice(-10),
        400,
      ])
    const [head, , tail] = sealed.split('.')
    const forged = btoa(
      JSON.stringify({ value: { query: queryOf(requestOf(client)), session: 'x' }, exp: 9e9 }),
    )
    expect((await decide(mine.session, `${head}.${forged}.${tail}`)).status).toBe(400)
    expect(await grantsOf(other.user.id)).toEqual([])
    expect(await grantsOf(mine.user.id)).toEqual([])
    advanceClock(10 * 60_000 + 1000)
    expect((await decide(mine.session, sealed)).status).toBe(400)
    advanceClock(-10 * 60_000 - 1000)
    expect((await decide(mine.session, sealed)).status).toBe(303)
  })

  test('is worth nothing from another site, and nothing without a session', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const sealed = sealOf(await get(authorizePath(requestOf(client)), { session }))
    const body = form({ request: sealed, decision: 'allow' })
    const cookie = `session=${session}`
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const answer = await post('/oauth/authorize', {
        ...body,
        headers: { ...body.headers, cookie, ...(headers as Record<string, string>) },
      })
      expect([headers, answer.status]).toEqual([headers, 403])
    }
    const nobody = await post('/oauth/authorize', body)
    expect([nobody.status, nobody.headers.get('location')]).toEqual([401, null])
    expect(await grantsOf(user.id)).toEqual([])
  })

  test('does not help when the application is gone or its address is no longer registered', async () => {
    const { user, session } = await makePerson()
    const gone = await makeClient()
    const sealed = sealOf(await get(authorizePath(requestOf(gone)), { session }))
    await db.delete(oauthClients).where(eq(oauthClients.clientId, gone.clientId))
    const moved = await makeClient()
    const movedSeal = sealOf(await get(authorizePath(requestOf(moved)), { session }))
    await db
      .update(oauthClients)
      .set({ redirectUris: ['https://app.example/other'] })
      .where(eq(oauthClients.clientId, moved.clientId))
    for (const seal of [sealed, movedSeal]) {
      const answer = await decide(session, seal)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
    expect(await grantsOf(user.id)).toEqual([])
  })
})

describe('being asked again', () => {
  test('is spared to those who allowed as much before, when the client can keep a secret', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const ask = (over: Record<string, string>) => get(authorizePath(requestOf(client, over)), { session })
    await consent(session, requestOf(client, { scope: 'user read:events' }))
    for (const scope of ['user read:events', 'read:events', 'read:user user:email']) {
      const again = await ask({ scope })
      expect([scope, again.status]).toEqual([scope, 302])
      expect(answerOf(again).code).toMatch(/^fm_ac_/)
    }
    expect((await ask({ scope: 'user read:groups' })).status).toBe(200)
    expect((await ask({ scope: 'user', prompt: 'consent' })).status).toBe(200)
    expect(await domainEventsOf(user.id)).toHaveLength(1)
    const other = await makePerson()
    expect(
      (await get(authorizePath(requestOf(client, { scope: 'user' })), { session: other.session })).status,
    ).toBe(200)
  })

  test('happens each time for a public client', async () => {
    const [client, { session }] = [await makePublicClient(), await makePerson()]
    await consent(session, requestOf(client))
    expect((await get(authorizePath(requestOf(client)), { session })).status).toBe(200)
  })

  test('happens after the grant was taken back', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    await consent(session, requestOf(client))
    const [grant] = await grantsOf(user.id)
    await db.delete(oauthGrants).where(eq(oauthGrants.id, grant?.id as string))
    expect((await get(authorizePath(requestOf(client)), { session })).status).toBe(200)
  })

  test('for more makes one grant wider, which is a domain event; for as much it is none', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const [first] = await Promise.all([consent(session, requestOf(client, { scope: 'read:events' }))])
    expect(first?.status).toBe(303)
    await consent(session, requestOf(client, { scope: 'read:groups read:events' }))
    await consent(session, requestOf(client, { scope: 'read:groups', prompt: 'consent' }))
    const grants = await grantsOf(user.id)
    expect(grants.map(({ scopes }) => scopes)).toEqual([['read:events', 'read:groups']])
    expect((await domainEventsOf(user.id)).map(({ scopes }) => scopes)).toEqual([
      ['read:events'],
      ['read:events', 'read:groups'],
    ])
    // What an application holds is what it asked for, not all that it was ever allowed.
    const families = await db
      .select()
      .from(oauthFamilies)
      .where(eq(oauthFamilies.grantId, grants[0]?.id as string))
    expect(families.map(({ scopes }) => scopes.join(' ')).sort()).toEqual([
      'read:events',
      'read:events read:groups',
      'read:groups',
    ])
  })

  test('many at once still make one grant', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const scopes = ['read:user', 'read:events', 'read:groups', 'read:portfolio', 'read:meetpass']
    const pages = await Promise.all(
      scopes.map((scope) => get(authorizePath(requestOf(client, { scope })), { session })),
    )
    const answers = await Promise.all(pages.map((page) => decide(session, sealOf(page))))
    expect(answers.map(({ status }) => status)).toEqual(scopes.map(() => 303))
    const grants = await grantsOf(user.id)
    expect(grants).toHaveLength(1)
    expect([...(grants[0]?.scopes ?? [])].sort()).toEqual([...scopes].sort())
    expect(await domainEventsOf(user.id)).toHaveLength(5)
  })
})

describe('prompt', () => {
  test('none never shows a page to those who are signed in', async () => {
    const [client, { session }] = [await makeOwnedClient(), await makePerson()]
    const path = authorizePath(requestOf(client, { prompt: 'none' }))
    const asked = await get(path, { session })
    expect([asked.status, answerOf(asked).error, answerOf(asked).state]).toEqual([
      302,
      'consent_required',
      'xyz',
    ])
    await consent(session, requestOf(client))
    expect(answerOf(await get(path, { session })).code).toMatch(/^fm_ac_/)
    const open = await makePublicClient()
    await consent(session, requestOf(open))
    const silent = await get(authorizePath(requestOf(open, { prompt: 'none' })), { session })
    expect(answerOf(silent).error).toBe('consent_required')
  })

  test('none never redirects an anonymous visitor away', async () => {
    const { session } = await makePerson()
    const granted = await makeOwnedClient()
    await consent(session, requestOf(granted))
    const loopback = await makeOwnedClient({ redirectUris: ['http://127.0.0.1/cb'] })
    const clients = [granted, loopback, await makeOwnedClient(), await makeClient(), await makePublicClient()]
    for (const client of clients)
      for (const over of [
        { prompt: 'none' },
        { prompt: 'none login' },
        { prompt: 'none', scope: 'nonsense' },
      ])
        for (const cookie of ['', 'session=stale', `session=${'0'.repeat(64)}`]) {
          const page = await get(authorizePath(requestOf(client, over)), { headers: { cookie } })
          expect([over, page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([
            over,
            400,
            null,
            null,
          ])
          expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
          // Whoever began this themselves gets there by their own hand, and the application learns why.
          expect(page.text).toContain('error=login_required')
        }
    const silent = await get(authorizePath(requestOf(granted, { prompt: 'none' })), { session })
    expect(answerOf(silent).code).toMatch(/^fm_ac_/)
  })

  test('login has people sign in once more, but not for ever', async () => {
    const [client, { session }] = [await makeClient(), await makePerson()]
    const plain = requestOf(client)
    const back = async (prompt: string, options = {}) =>
      decodeURIComponent(
        (await get(authorizePath({ ...plain, prompt }), options)).headers.get('location') as string,
      )
    for (const options of [{ session }, {}]) {
      expect(await back('login', options)).toBe(`/login?returnTo=${authorizePath(plain)}&prompt=login`)
      expect(await back('login consent', options)).toEndWith('&state=xyz&prompt=consent&prompt=login')
    }
  })

  test('anything else is a mistake', async () => {
    const { session } = await makePerson()
    for (const prompt of ['create', 'none select_account', 'none login', 'none consent', 'consent x', ' ']) {
      const answer = await get(authorizePath(requestOf(await makeOwnedClient(), { prompt })), { session })
      expect([prompt, answerOf(answer).error]).toEqual([prompt, 'invalid_request'])
    }
  })
})

describe('a mistake of an application that registered itself', () => {
  const wrong = { scope: 'nonsense' }
  const linkOf = ({ text }: Answer) =>
    new URL(/<a class="button plain wide" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') as string)

  test('is not redirected automatically: a page names the target', async () => {
    const client = await makeClient({ name: '<b>Bank</b>' })
    const { session } = await makePerson()
    for (const [over, options, error] of [
      [{ prompt: 'none' }, {}, 'login_required'],
      [{ prompt: 'none' }, { session }, 'consent_required'],
      [wrong, { session }, 'invalid_scope'],
      [{ response_type: 'token' }, { session }, 'unsupported_response_type'],
    ] as const) {
      const page = await get(authorizePath(requestOf(client, over)), options)
      expect([error, page.status, page.headers.get('location')]).toEqual([error, 400, null])
      expect(page.headers.get('refresh')).toBeNull()
      expect(page.text).not.toContain('<b>Bank')
      expect(page.text).toContain('developer of this application is not verified')
      expect(page.text).toContain('>Back to app.example</a>')
      const { origin, pathname, searchParams } = linkOf(page)
      expect(origin + pathname).toBe(CALLBACK)
      expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: 'xyz', iss: 'http://localhost' })
    }
  })

  test('is redirected automatically only for people who granted it access before', async () => {
    const [client, mine, other] = [await makeClient(), await makePerson(), await makePerson()]
    await consent(mine.session, requestOf(client))
    for (const [session, status] of [
      [mine.session, 302],
      [other.session, 400],
    ] as const) {
      expect((await get(authorizePath(requestOf(client, wrong)), { session })).status).toBe(status)
      const another = authorizePath(requestOf(await makeClient(), wrong))
      expect((await get(another, { session })).status).toBe(400)
    }
    await db.delete(oauthGrants).where(eq(oauthGrants.userId, mine.user.id))
    const after = await get(authorizePath(requestOf(client, wrong)), { session: mine.session })
    expect(after.status).toBe(400)
  })

  test('goes back by itself to a program on the same device, and by hand to one with a scheme of its own', async () => {
    const { session } = await makePerson()
    const client = await makePublicClient({
      redirectUris: ['http://127.0.0.1/cb', 'http://localhost:1/cb', 'com.example.app:/cb'],
    })
    const [loopback, named, scheme] = await Promise.all(
      ['http://127.0.0.1:5123/cb', 'http://localhost:5123/cb', 'com.example.app:/cb'].map((redirect_uri) =>
        get(authorizePath(requestOf(client, { redirect_uri, prompt: 'none' })), { session }),
      ),
    )
    expect(answerOf(loopback as Answer)).toMatchObject({
      to: 'http://127.0.0.1:5123/cb',
      error: 'consent_required',
    })
    expect(named?.status).toBe(302)
    expect(scheme?.status).toBe(400)
    expect(scheme?.text).toContain('>Back to com.example.app:</a>')
    const stranger = requestOf(client, { redirect_uri: 'http://127.0.0.1:5123/cb', prompt: 'none' })
    expect((await get(authorizePath(stranger))).text).toContain('>Back to 127.0.0.1:5123</a>')
  })

  test('is not what a person does who says no', async () => {
    const [client, { session }] = [await makeClient(), await makePerson()]
    const page = await get(authorizePath(requestOf(client)), { session })
    expect(answerOf(await decide(session, sealOf(page), 'deny')).error).toBe('access_denied')
  })

  test('is like any other when a developer answers for it', async () => {
    const [client, { session }] = [await makeOwnedClient(), await makePerson()]
    const silent = await get(authorizePath(requestOf(client, { prompt: 'none' })), { session })
    expect([silent.status, answerOf(silent).error]).toEqual([302, 'consent_required'])
    const mistaken = await get(authorizePath(requestOf(client, wrong)), { session })
    expect([mistaken.status, answerOf(mistaken).error]).toEqual([302, 'invalid_scope'])
  })
})

describe('scopes', () => {
  test('admin is dropped for those who are none, and asked of those who are', async () => {
    const client = await makeClient()
    const [person, admin] = [await makePerson(), await makePerson({ role: 'admin' })]
    const fields = requestOf(client, { scope: 'admin read:user' })
    await consent(person.session, fields)
    await consent(admin.session, fields)
    expect((await grantsOf(person.user.id))[0]?.scopes).toEqual(['read:user'])
    expect((await grantsOf(admin.user.id))[0]?.scopes).toEqual(['read:user', 'admin'])
    const only = await get(authorizePath(requestOf(client, { scope: 'admin' })), { session: person.session })
    expect(answerOf(only).error).toBe('invalid_scope')
  })

  test('implied by admin are asked again of a former administrator', async () => {
    const [client, admin] = [await makeClient(), await makePerson({ role: 'admin' })]
    const ask = (scope: string) =>
      get(authorizePath(requestOf(client, { scope })), { session: admin.session })
    await consent(admin.session, requestOf(client, { scope: 'admin read:user' }))
    expect(answerOf(await ask('user developer manage:events')).code).toMatch(/^fm_ac_/)
    await appoint(admin.user.id, 'user')
    const asked = await ask('user developer manage:events')
    expect([asked.status, asked.headers.get('location')]).toEqual([200, null])
    expect(asked.text).toContain('Register applications and webhooks in your name')
    // What was allowed by name still is.
    expect(answerOf(await ask('admin read:user')).code).toMatch(/^fm_ac_/)
  })

  test('that were not on the page are not granted, even if the role has changed since', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const asked = await get(authorizePath(requestOf(client, { scope: 'admin read:user' })), { session })
    expect(asked.text).not.toContain('as an administrator')
    await appoint(user.id, 'admin')
    const again = await decide(session, sealOf(asked))
    expect([again.status, again.headers.get('location')]).toEqual([200, null])
    expect(again.text).toContain('as an administrator')
    expect(again.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;")
    expect(await grantsOf(user.id)).toEqual([])
    expect(answerOf(await decide(session, sealOf(asked), 'deny')).error).toBe('access_denied')
    // What the second page lists may be allowed, and less than it lists as well.
    await appoint(user.id, 'user')
    expect(answerOf(await decide(session, sealOf(again))).code).toMatch(/^fm_ac_/)
    expect((await grantsOf(user.id))[0]?.scopes).toEqual(['read:user'])
    await appoint(user.id, 'admin')
    expect(answerOf(await decide(session, sealOf(again))).code).toMatch(/^fm_ac_/)
    expect((await grantsOf(user.id))[0]?.scopes).toEqual(['read:user', 'admin'])
  })

  test('go no further than the application said it would', async () => {
    const { session } = await makePerson()
    const client = await makeOwnedClient({ scopes: ['user', 'read:events'] })
    const ask = async (scope: string, asking = client) => {
      const answer = await get(authorizePath(requestOf(asking, { scope })), { session })
      return answer.status === 200 ? 'asked' : answerOf(answer).error
    }
    expect(await ask('user')).toBe('asked')
    expect(await ask('user:email read:events')).toBe('asked')
    expect(await ask('write:events')).toBe('invalid_scope')
    expect(await ask('user read:groups')).toBe('invalid_scope')
    // One for administrators may be used for less by everyone else.
    expect(await ask('user read:groups', await makeClient({ scopes: ['admin'] }))).toBe('asked')
  })

  test('of one that registered itself are where it begins, and not where it ends', async () => {
    const { session } = await makePerson({ role: 'admin' })
    const begin = ['read:user', 'read:events']
    const ask = async (scope: string | undefined, scopes: string[] | null = begin) => {
      const answer = await get(authorizePath(requestOf(await makePublicClient({ scopes }), { scope })), {
        session,
      })
      if (answer.status !== 200) return /invalid_scope/.exec(answer.text)?.[0]
      return [...answer.text.matchAll(/name="scope\.([^"]+)"/g)].map(([, name]) => name).join(' ')
    }
    expect(await ask(undefined)).toBe('read:user read:events')
    expect(await ask('write:events')).toBe('write:events')
    expect(await ask('read:user manage:groups developer')).toBe('read:user manage:groups developer')
    expect(await ask('admin')).toBe('invalid_scope')
    expect(await ask('admin', [...begin, 'admin'])).toBe('admin')
    expect(await ask('admin', null)).toBe('admin')
    expect(await ask(undefined, null)).toBe('invalid_scope')
  })

  test('that are not ours are ignored, and the answer says which were given', async () => {
    const [client, { user, session }] = [await makePublicClient(), await makePerson()]
    const scope = 'openid offline_access read:events profile urn:x:y read:user constructor'
    const { use } = await makeCode(client, { scope, session })
    expect((await askToken(client, use)).body.scope).toBe('read:user read:events')
    expect((await grantsOf(user.id))[0]?.scopes).toEqual(['read:user', 'read:events'])
    const held = await makeClient({ scopes: ['read:user'] })
    expect((await consent(session, requestOf(held, { scope: 'openid read:user' }))).status).toBe(303)
  })

  test('said twice are said once', async () => {
    const { user, session } = await makePerson()
    await consent(session, requestOf(await makeClient(), { scope: 'read:user  read:user read:events ' }))
    expect((await grantsOf(user.id))[0]?.scopes).toEqual(['read:user', 'read:events'])
  })
})

test('a person has 120 visits a minute', async () => {
  const [client, { session }] = [await makeClient(), await makePerson()]
  const path = authorizePath(requestOf(client))
  const statuses: number[] = []
  for (let i = 0; i < 121; i += 1) statuses.push((await get(path, { session })).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(120)
  const refused = await get(path, { session })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
