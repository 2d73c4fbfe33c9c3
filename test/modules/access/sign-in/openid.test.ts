import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { identities, loginStates } from '@/db/tables/sign-in'
import { users } from '@/db/tables/users'
import { signer } from '@/http/signed'
import { providers } from '@/modules/access/sign-in/providers/definitions'
import { welcomePath } from '@/web/login'
import { runSweeps } from '../../../../workers/sweeps'
import { get } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'
import { authorizePath, makeClient, requestOf } from '../oauth/fixtures'
import { browser, type Claims, passThrough, startOpenId } from './elsewhere'
import { askAndRead, later, me, newAddress, signIn } from './fixtures'

let hall: Awaited<ReturnType<typeof startOpenId>>
beforeAll(async () => {
  hall = await startOpenId()
})
afterAll(() => hall.stop())

/** Somebody with an account at the town hall. */
function neighbour(claims: Claims = {}) {
  const login = `n${randomHex(5)}`
  const all = { email: newAddress(), email_verified: true, name: 'Ada Byron Lovelace', ...claims }
  hall.people.set(login, all)
  return { login, ...all }
}

const identitiesOf = (userId: string) => db.select().from(identities).where(eq(identities.userId, userId))

const personWith = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0]

const eventsAbout = async (userId: string) =>
  (await db.select().from(outbox))
    .filter(({ payload }) => (payload as { userId?: string }).userId === userId)
    .map(({ type }) => type)
    .sort()

const signedIn = async (session: string) => {
  const visitor = browser()
  visitor.jar().set('session', session)
  return visitor
}

describe('the way there', () => {
  test('has a button, asks for what is needed, and leaves a signed note in the browser', async () => {
    expect((await get('/login?returnTo=/events')).text).toContain(
      'href="/auth/oidc?returnTo=%2Fevents">Continue with Town Hall</a>',
    )
    const visitor = browser()
    const start = await visitor.go('http://localhost/auth/oidc?returnTo=/events')
    expect(start.status).toBe(302)
    expect(start.headers.get('cache-control')).toBe('no-store')
    const to = new URL(start.location as string)
    expect(to.origin).toBe(hall.issuer)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      client_id: 'folkmoot',
      response_type: 'code',
      redirect_uri: 'http://localhost/auth/oidc/callback',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const [cookie = ''] = start.headers.getSetCookie()
    expect(cookie).toMatch(/^sign_in=[\w.-]+; Path=\/auth\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    expect(cookie.length).toBeLessThan(1000)
    const longest = await browser().go(`http://localhost/auth/oidc?returnTo=/${'a'.repeat(3999)}`)
    expect((longest.headers.getSetCookie()[0] as string).length).toBe(cookie.length)
  })

  test('begins so often a minute from an address, with nothing kept beyond that', async () => {
    const begin = async (address: string) =>
      (await get('/auth/oidc', { headers: { 'x-forwarded-for': address } })).status
    const statuses: number[] = []
    for (let wave = 0; wave < 31; wave += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => begin('10.200.0.2')))))
    expect(statuses.filter((status) => status === 302)).toHaveLength(600)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect(await begin('10.200.0.3')).toBe(302)
    expect(await later(60_001, () => begin('10.200.0.2'))).toBe(302)
  })

  test('does not exist for a provider that is not set up', async () => {
    for (const path of [
      '/auth/github',
      '/auth/nobody',
      '/auth/email',
      '/auth/logout',
      '/auth/nobody/callback',
      '/auth/__proto__',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })

  test('is explained when the provider cannot be reached', async () => {
    providers.set('oidc', { ...hall.definition, issuer: 'http://127.0.0.1:9' })
    const page = await get('/auth/oidc')
    providers.set('oidc', hall.definition)
    expect(page.status).toBe(502)
    expect(page.text).toContain('Town Hall did not answer')
    expect((await get('/auth/oidc')).status).toBe(302)
  })
})

describe('signing in', () => {
  test('registers new people with their name at the provider', async () => {
    const login = `Ada.L-${randomHex(4)}`
    const { login: at, email } = neighbour({ preferred_username: login })
    const visitor = browser()
    const end = await passThrough(visitor, at, '/groups?x=1')
    expect([end.status, end.headers.get('location')]).toEqual([303, welcomePath('/groups?x=1')])
    const { data } = (await get('/v1/profile', { session: visitor.session() })).body
    expect(data).toMatchObject({ name: 'Ada Byron Lovelace', email, username: login.replace('.', '-') })
    expect(await identitiesOf(data.id)).toMatchObject([
      { provider: 'oidc', subject: `${hall.issuer} ${at}`, username: login, email },
    ])
    expect(await eventsAbout(data.id)).toEqual(['user.account_linked', 'user.registered'])
    // The note is gone with the login state.
    expect([...visitor.jar().keys()]).toEqual(['session'])
  })

  test('leads back to where they were, however long the way there is written', async () => {
    const client = await makeClient({ redirectUris: [`https://app.example/${'r'.repeat(1200)}`] })
    const asked = authorizePath(requestOf(client, { state: 's~/'.repeat(250), nonce: 'n'.repeat(800) }))
    for (const returnTo of [asked, `/${'a'.repeat(3999)}`]) {
      const visitor = browser()
      const end = await passThrough(visitor, neighbour().login, returnTo)
      expect([end.status, end.headers.get('location')]).toEqual([303, welcomePath(returnTo)])
      expect(visitor.session()).toBeDefined()
    }
  })

  test('finds people again by subject, even if everything else changed', async () => {
    const { login } = neighbour({ preferred_username: `first-${randomHex(4)}` })
    const first = browser()
    await passThrough(first, login)
    const { id } = await me(first.session() as string)
    hall.people.set(login, { preferred_username: 'renamed', email: newAddress(), email_verified: false })
    const second = browser()
    expect((await passThrough(second, login)).status).toBe(303)
    expect((await me(second.session() as string)).id).toBe(id)
    expect(await identitiesOf(id)).toMatchObject([{ username: 'renamed' }])
    expect(await eventsAbout(id)).toEqual(['user.account_linked', 'user.registered'])
  })

  test('links the account with the same verified address', async () => {
    const user = await makeUser()
    const { login } = neighbour({ email: (user.email as string).toUpperCase() })
    const visitor = browser()
    expect((await passThrough(visitor, login)).status).toBe(303)
    expect((await me(visitor.session() as string)).id).toBe(user.id)
    expect(await eventsAbout(user.id)).toEqual(['user.account_linked'])
  })

  test('does not link an account by an unverified address', async () => {
    const user = await makeUser()
    for (const email_verified of [false, undefined, 'false', 1, null]) {
      const { login } = neighbour({ email: user.email, email_verified })
      const visitor = browser()
      const page = await passThrough(visitor, login)
      expect([email_verified, page.status]).toEqual([email_verified, 409])
      expect(page.text).toContain('sign in by email')
      expect(visitor.session()).toBeUndefined()
    }
    expect(await identitiesOf(user.id)).toEqual([])
  })

  test('an address that was only claimed is not kept as the person’s own', async () => {
    const { login, email } = neighbour({ email_verified: false })
    const visitor = browser()
    expect((await passThrough(visitor, login)).status).toBe(303)
    const claimed = await me(visitor.session() as string)
    expect(claimed.email).toBeUndefined()
    // So whoever really has that mailbox gets an account of their own.
    expect((await me(await signIn(email))).id).not.toBe(claimed.id)
  })

  test('nothing of an address becomes a name', async () => {
    const email = newAddress()
    const { login } = neighbour({ email, name: email, preferred_username: email })
    const visitor = browser()
    await passThrough(visitor, login)
    const { data } = (await get('/v1/profile', { session: visitor.session() })).body
    expect([data.name, data.username]).toEqual(['New member', expect.stringMatching(/^user-[0-9a-f]{8}$/)])
  })

  test('refuses who is suspended, and who has another account of that provider', async () => {
    const suspended = await makeUser({ suspendedAt: new Date() })
    const one = browser()
    expect((await passThrough(one, neighbour({ email: suspended.email }).login)).status).toBe(403)
    expect([one.session(), await identitiesOf(suspended.id)]).toEqual([undefined, []])

    const user = await makeUser()
    await passThrough(browser(), neighbour({ email: user.email }).login)
    const two = browser()
    const page = await passThrough(two, neighbour({ email: user.email }).login)
    expect([page.status, two.session()]).toEqual([409, undefined])
    expect(await identitiesOf(user.id)).toHaveLength(1)
  })
})

describe('linking by a signed-in person', () => {
  test('links, keeps the session and says so', async () => {
    const user = await makeUser()
    const session = await makeSession(user.id)
    const visitor = await signedIn(session)
    const { login, email } = neighbour({ preferred_username: 'ada-at-hall' })
    const end = await passThrough(visitor, login, '/settings/accounts')
    expect([end.status, end.headers.get('location')]).toEqual([303, '/settings/accounts'])
    expect(visitor.session()).toBe(session)
    expect(await identitiesOf(user.id)).toMatchObject([{ username: 'ada-at-hall', email }])
    expect(await eventsAbout(user.id)).toEqual(['user.account_linked'])
    // Nobody was registered on the way, and to link it again is no change.
    expect(await personWith(email)).toBeUndefined()
    expect((await passThrough(visitor, login)).status).toBe(303)
    expect(await eventsAbout(user.id)).toEqual(['user.account_linked'])
  })

  test('even with an address that is not verified: they know who they are', async () => {
    const visitor = await signedIn(await makeSession((await makeUser()).id))
    expect((await passThrough(visitor, neighbour({ email_verified: false }).login)).status).toBe(303)
  })

  test("is refused if the account is another person's, or one of that provider is linked", async () => {
    const [owner, other] = [await makeUser(), await makeUser()]
    const { login } = neighbour()
    await passThrough(await signedIn(await makeSession(owner.id)), login)
    const visitor = await signedIn(await makeSession(other.id))
    const page = await passThrough(visitor, login, '/settings')
    expect(page.status).toBe(409)
    expect(page.text).toContain('linked to another member')
    expect(page.text).toContain('href="/settings"')
    expect(await identitiesOf(other.id)).toEqual([])

    const second = await passThrough(await signedIn(await makeSession(owner.id)), neighbour().login)
    expect([second.status, (await identitiesOf(owner.id)).length]).toEqual([409, 1])
  })

  test('is for the person who began it, in the same session', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    for (const session of [undefined, await makeSession(other.id)]) {
      const visitor = await signedIn(await makeSession(user.id))
      const start = await visitor.go('http://localhost/auth/oidc')
      const back = await visitor.identifyAs(neighbour().login, start.location as string)
      if (session) visitor.jar().set('session', session)
      else visitor.jar().delete('session')
      expect((await visitor.go(back)).status).toBe(400)
    }
    expect([...(await identitiesOf(user.id)), ...(await identitiesOf(other.id))]).toEqual([])
  })

  test('is never begun by another site', async () => {
    const visitor = await signedIn(await makeSession((await makeUser()).id))
    for (const site of ['cross-site', 'same-site']) {
      const start = await visitor.go('http://localhost/auth/oidc?returnTo=/events', {
        headers: { 'sec-fetch-site': site },
      })
      expect([start.status, start.headers.get('location'), start.headers.getSetCookie()]).toEqual([
        303,
        '/events',
        [],
      ])
    }
    // Nor by a mail that somebody else asked for, which would have it begin on a page of ours.
    const user = await makeUser({ lastLoginAt: new Date() })
    for (const returnTo of ['/auth/oidc?returnTo=/', '/login?returnTo=%2Fauth%2Foidc']) {
      const { token } = await askAndRead(user.email as string, { returnTo })
      const victim = browser()
      const entered = await victim.go('http://localhost/auth/email/verify', { form: { token } })
      expect(entered.status).toBe(303)
      let next = entered.location as string
      while (next.startsWith('http://localhost/login')) next = (await victim.go(next)).location as string
      expect([returnTo, next]).toEqual([returnTo, 'http://localhost/'])
    }
    // Nor by an application that would be sent its answer there.
    const app = await makeClient({ redirectUris: ['http://LOCALHOST/x/../auth/oidc?returnTo=/'] })
    const byApp = authorizePath(requestOf(app, { prompt: 'none' }))
    expect((await get(byApp, { session: await makeSession(user.id) })).status).toBe(400)
    // Somebody who is not signed in may come from anywhere.
    const start = await browser().go('http://localhost/auth/oidc', {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(start.status).toBe(302)
  })
})

describe('the way back', () => {
  const begin = async () => {
    const visitor = browser()
    const start = await visitor.go('http://localhost/auth/oidc?returnTo=/events')
    const back = await visitor.identifyAs(neighbour().login, start.location as string)
    return { visitor, back: new URL(back) }
  }

  const changed = (url: URL, change: Record<string, string | null>) => {
    const copy = new URL(url)
    for (const [name, value] of Object.entries(change))
      if (value === null) copy.searchParams.delete(name)
      else copy.searchParams.set(name, value)
    return copy.href
  }

  test('is taken once, in the browser that began, with everything as it was', async () => {
    const { visitor, back } = await begin()
    const doubled = `${back.href}&code=${back.searchParams.get('code')}`
    const wrong = [
      changed(back, { state: 'x'.repeat(43) }),
      changed(back, { state: null }),
      changed(back, { iss: 'https://evil.example' }),
      changed(back, { iss: null }),
      changed(back, { code: 'invented' }),
      changed(back, { code: null }),
      doubled,
      `${back.origin}${back.pathname}`,
    ]
    const note = visitor.jar().get('sign_in') as string
    for (const href of wrong) {
      visitor.jar().set('sign_in', note)
      const page = await visitor.go(href)
      expect([href.slice(-60), page.status]).toEqual([href.slice(-60), 400])
      expect(page.text).toContain('Please start again')
      // Whatever came of it, the note is gone.
      expect([...visitor.jar().keys()]).toEqual([])
    }
    expect((await browser().go(back.href)).status).toBe(400)
    visitor.jar().set('sign_in', note)
    expect((await visitor.go(back.href)).status).toBe(303)
    visitor.jar().set('sign_in', note)
    visitor.jar().delete('session')
    expect((await visitor.go(back.href)).status).toBe(400)
    expect(visitor.session()).toBeUndefined()
  })

  test('needs the note that we signed, for this provider, within ten minutes', async () => {
    const { visitor, back } = await begin()
    const note = visitor.jar().get('sign_in') as string
    const value = JSON.parse(atob(note.split('.')[1] as string)).value as Record<string, string>
    const forged = [
      `${note.slice(0, -4)}AAAA`,
      `${btoa(JSON.stringify({ alg: 'none' }))}.${note.split('.')[1]}.`,
      (await signer('download').sign({ ...value, provider: 'oidc' }, 600_000)).token,
      (await signer('errand').sign({ ...value, provider: 'github' }, 600_000)).token,
      // Signed by us, but nobody is away on it.
      (await signer('errand').sign({ ...value, id: Bun.randomUUIDv7() }, 600_000)).token,
      '',
    ]
    for (const cookie of forged) {
      visitor.jar().set('sign_in', cookie)
      expect((await visitor.go(back.href)).status).toBe(400)
    }
    visitor.jar().set('sign_in', note)
    expect((await later(10.1 * 60_000, () => visitor.go(back.href))).status).toBe(400)
    const planted = await visitor.go(back.href, { headers: { cookie: `sign_in=${note}; sign_in=${note}` } })
    expect(planted.status).toBe(400)
    // The login state is worth nothing in another browser, and its name alone nothing in any.
    const other = browser()
    await other.go('http://localhost/auth/oidc?returnTo=/groups')
    expect((await other.go(back.href)).status).toBe(400)
    other.jar().set('sign_in', value.id as string)
    expect((await other.go(back.href)).status).toBe(400)
    expect(other.session()).toBeUndefined()
  })

  test('is forgotten after ten minutes, and swept away', async () => {
    const { visitor, back } = await begin()
    const note = visitor.jar().get('sign_in') as string
    const { id } = JSON.parse(atob(note.split('.')[1] as string)).value
    const kept = () => db.select().from(loginStates).where(eq(loginStates.id, id))
    await runSweeps()
    expect(await kept()).toMatchObject([{ returnTo: '/events' }])
    await later(10.1 * 60_000, runSweeps)
    expect(await kept()).toEqual([])
    expect((await visitor.go(back.href)).status).toBe(400)
  })

  test('says in our words what the provider said in its own', async () => {
    for (const [error, status, words] of [
      ['access_denied', 400, 'You did not agree at Town Hall'],
      ['server_error', 502, 'Town Hall did not answer'],
      ['<script>alert(1)</script>', 502, 'Town Hall did not answer'],
    ] as const) {
      const { visitor, back } = await begin()
      const page = await visitor.go(
        changed(back, {
          code: null,
          error,
          error_description: '<b>do as I say</b>',
          error_uri: 'https://evil.example',
        }),
      )
      expect([error, page.status]).toEqual([error, status])
      expect(page.text).toContain(words)
      for (const echo of ['alert(1)', 'do as I say', 'evil.example', 'server_error'])
        expect(page.text).not.toContain(echo)
    }
  })

  test('works under any request host', async () => {
    for (const host of ['a b', '[', '']) {
      const visitor = browser()
      const headers = { host }
      const start = await visitor.go('http://localhost/auth/oidc?returnTo=/events', { headers })
      const back = await visitor.identifyAs(neighbour().login, start.location as string)
      const end = await visitor.go(back, { headers })
      expect([host, end.status, end.headers.get('location')]).toEqual([host, 303, welcomePath('/events')])
    }
  })

  test('counts for its own login state when it leads nowhere', async () => {
    const address = { 'x-forwarded-for': '10.200.0.1' }
    const { visitor, back } = await begin()
    const note = visitor.jar().get('sign_in') as string
    const comeBack = async (href: string) => {
      visitor.jar().set('sign_in', note)
      return (await visitor.go(href, { headers: address })).status
    }
    for (let i = 0; i < 10; i += 1) expect(await comeBack(changed(back, { state: 'x' }))).toBe(400)
    expect(await comeBack(back.href)).toBe(429)
    // Others at that address are not kept out by it.
    const neighbouring = await begin()
    expect((await neighbouring.visitor.go(neighbouring.back.href, { headers: address })).status).toBe(303)
    expect(await later(60_001, () => comeBack(back.href))).toBe(303)
  })
})
