import { afterAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { identities } from '@/db/tables/sign-in'
import { bounded } from '@/modules/access/sign-in/providers/client'
import {
  discord,
  github,
  mayGoInClear,
  openId,
  providers,
} from '@/modules/access/sign-in/providers/definitions'
import { findGithubUsername } from '@/modules/account/profiles/queries'
import { welcomePath } from '@/web/login'
import { get } from '../../../support/api'
import { makeUser } from '../../../support/make'
import { browser } from './elsewhere'
import { me, newAddress } from './fixtures'

const CREDENTIALS = { clientId: 'folkmoot', clientSecret: 'hush' }

type Asked = { path: string; authorization: string | null; form: Record<string, string> }

/** Plays a provider: answers each path with what is laid out for it, and remembers what was asked. */
function stage() {
  const answers: Record<string, unknown> = {}
  const asked: Asked[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request): Promise<Response> {
      const { pathname } = new URL(request.url)
      const text = await request.text()
      asked.push({
        path: pathname,
        authorization: request.headers.get('authorization'),
        form: Object.fromEntries(new URLSearchParams(text)),
      })
      const answer = answers[pathname]
      if (answer instanceof Response) return answer.clone() as Response
      return answer === undefined ? new Response('no', { status: 404 }) : Response.json(answer)
    },
  })
  afterAll(() => server.stop(true))
  return { origin: `http://127.0.0.1:${server.port}`, answers, asked }
}

/** From the button to the end, with a provider that agrees to everything. */
async function pass(id: string) {
  const visitor = browser()
  const start = await visitor.go(`http://localhost/auth/${id}?returnTo=/events`)
  const state = new URL(start.location as string).searchParams.get('state')
  const end = await visitor.go(`http://localhost/auth/${id}/callback?code=abc&state=${state}`)
  return { visitor, start, end }
}

describe('GitHub', () => {
  const hub = stage()
  const enter = async (user: object, emails: unknown) => {
    providers.set('github', github(CREDENTIALS, hub.origin, hub.origin))
    hub.answers['/login/oauth/access_token'] = {
      access_token: 'gho_x',
      token_type: 'bearer',
      scope: 'read:user,user:email',
    }
    hub.answers['/user'] = user
    hub.answers['/user/emails'] = emails
    hub.asked.length = 0
    const passed = await pass('github')
    providers.delete('github')
    return passed
  }
  const primary = (email: string, verified = true) => [
    { email: newAddress(), primary: false, verified: true },
    { email, primary: true, verified },
  ]

  test('gives the verified primary address, the login and the name', async () => {
    const [email, login, id] = [newAddress(), `Octo-${randomHex(4)}`, Number(`7${Date.now()}`)]
    const { visitor, start, end } = await enter({ id, login, name: 'Mona Octocat' }, primary(email))
    expect([end.status, end.headers.get('location')]).toEqual([303, welcomePath('/events')])
    const url = new URL(start.location as string)
    expect(url.origin + url.pathname).toBe(`${hub.origin}/login/oauth/authorize`)
    expect(url.searchParams.get('scope')).toBe('read:user user:email')
    expect(url.searchParams.has('nonce')).toBe(false)
    const { data } = (await get('/v1/profile', { session: visitor.session() })).body
    expect(data).toMatchObject({ name: 'Mona Octocat', username: login, email })
    const [identity] = await db.select().from(identities).where(eq(identities.userId, data.id))
    expect(identity).toMatchObject({ provider: 'github', subject: String(id), username: login, email })
    expect(await findGithubUsername(data.id)).toBe(login)
    const [token, ...reads] = hub.asked
    expect(token?.form).toMatchObject({
      code: 'abc',
      client_id: 'folkmoot',
      client_secret: 'hush',
      redirect_uri: 'http://localhost/auth/github/callback',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(reads.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/user', 'Bearer gho_x'],
      ['/user/emails', 'Bearer gho_x'],
    ])
  })

  test('an unverified primary address counts for nothing, nor does any other', async () => {
    const user = await makeUser()
    const unverified = await enter({ id: 1, login: 'one' }, primary(user.email as string, false))
    expect(unverified.end.status).toBe(409)
    const secondary = [{ email: user.email, primary: false, verified: true }]
    const { visitor, end } = await enter({ id: Date.now(), login: `two-${randomHex(3)}` }, secondary)
    expect(end.status).toBe(303)
    const { id, email } = await me(visitor.session() as string)
    expect([id === user.id, email]).toEqual([false, undefined])
  })

  test('a clash of names is settled by a number', async () => {
    const login = `twin-${randomHex(4)}`
    const names: string[] = []
    for (const id of [1, 2, 3]) {
      const { visitor } = await enter(
        { id: Date.now() * 10 + id, login: id === 2 ? login.toUpperCase() : login },
        [],
      )
      names.push((await me(visitor.session() as string)).username)
    }
    expect(names).toEqual([login, `${login.toUpperCase()}-2`, `${login}-3`])
  })

  test('many with one name at once all get in, each with a name of their own', async () => {
    const [login, first] = [`crowd-${randomHex(4)}`, Date.now() * 10]
    providers.set('github', github(CREDENTIALS, hub.origin, hub.origin))
    let count = 0
    Object.defineProperty(hub.answers, '/user', {
      configurable: true,
      enumerable: true,
      get: () => ({ id: first + count++, login }),
    })
    hub.answers['/user/emails'] = []
    const entered = await Promise.all(Array.from({ length: 12 }, () => pass('github')))
    delete hub.answers['/user']
    providers.delete('github')
    expect(entered.map(({ end }) => end.status)).toEqual(Array(12).fill(303))
    const people = await Promise.all(entered.map(({ visitor }) => me(visitor.session() as string)))
    expect(new Set(people.map(({ id }) => id)).size).toBe(12)
    const names = people.map(({ username }) => username)
    expect(new Set(names).size).toBe(12)
    for (const name of names) expect(name).toStartWith(login)
  })

  test('one account in several windows at once is one person', async () => {
    const [login, id] = [`windows-${randomHex(4)}`, Date.now() * 10 + 9]
    providers.set('github', github(CREDENTIALS, hub.origin, hub.origin))
    hub.answers['/user'] = { id, login }
    hub.answers['/user/emails'] = []
    const entered = await Promise.all(Array.from({ length: 8 }, () => pass('github')))
    providers.delete('github')
    expect(entered.map(({ end }) => end.status)).toEqual(Array(8).fill(303))
    const people = await Promise.all(entered.map(({ visitor }) => me(visitor.session() as string)))
    expect(new Set(people.map((person) => person.id)).size).toBe(1)
  })

  test('an unexpected response signs no one in and breaks nothing', async () => {
    const strange: [string, unknown][] = [
      ['/login/oauth/access_token', { error: 'bad_verification_code', error_description: '<b>no</b>' }],
      ['/login/oauth/access_token', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
      ['/login/oauth/access_token', new Response('{}', { status: 500 })],
      ['/login/oauth/access_token', { token_type: 'bearer' }],
      ['/login/oauth/access_token', new Response(null, { status: 302, headers: { location: '/elsewhere' } })],
      ['/user', { login: 'no-id' }],
      ['/user', { id: { $ne: null }, login: 'x' }],
      ['/user', []],
      ['/user', new Response('{"id": 1', { headers: { 'content-type': 'application/json' } })],
      ['/user', new Response('{}', { status: 401 })],
      ['/user', new Response(JSON.stringify({ id: 1, bio: 'x'.repeat(600_000) }))],
      ['/user/emails', new Response('no', { status: 403 })],
    ]
    for (const [path, answer] of strange) {
      providers.set('github', github(CREDENTIALS, hub.origin, hub.origin))
      Object.assign(hub.answers, {
        '/login/oauth/access_token': { access_token: 'gho_x', token_type: 'bearer' },
        '/user': { id: 5, login: 'five' },
        '/user/emails': [],
        [path]: answer,
      })
      const { visitor, end } = await pass('github')
      expect([400, 502]).toContain(end.status)
      expect([path, visitor.session()]).toEqual([path, undefined])
      expect(end.text).toContain('GitHub')
      expect(end.text).not.toContain('<b>no</b>')
    }
    providers.delete('github')
  })
})

test('Discord provides the account and whether its address is verified', async () => {
  const chat = stage()
  providers.set('discord', discord(CREDENTIALS, chat.origin))
  chat.answers['/api/oauth2/token'] = { access_token: 'x', token_type: 'Bearer', expires_in: 600 }
  const [email, username] = [newAddress(), `wump-${randomHex(4)}`]
  const subject = String(Date.now())
  chat.answers['/api/users/@me'] = { id: subject, username, global_name: 'Wumpus', email, verified: true }
  const { visitor, start, end } = await pass('discord')
  expect(start.location).toStartWith(`${chat.origin}/oauth2/authorize?`)
  expect(end.status).toBe(303)
  const { data } = (await get('/v1/profile', { session: visitor.session() })).body
  expect(data).toMatchObject({ name: 'Wumpus', username, email })
  const user = await makeUser()
  chat.answers['/api/users/@me'] = {
    id: `9${subject}`,
    username: 'x-y-z',
    email: user.email,
    verified: false,
  }
  expect((await pass('discord')).end.status).toBe(409)
  providers.delete('discord')
})

describe('an id token with a foreign signature or audience', () => {
  const hall = stage()
  const pair = () =>
    crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  async function idToken(claims: object, key: CryptoKey, header: object = {}) {
    const input = `${encode({ alg: 'ES256', kid: 'a', ...header })}.${encode(claims)}`
    const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(input))
    return `${input}.${Buffer.from(signature).toString('base64url')}`
  }

  test('is refused; the same claims, rightly signed, are taken', async () => {
    const [ours, theirs] = [await pair(), await pair()]
    const issuer = hall.origin
    const jwk = await crypto.subtle.exportKey('jwk', ours.publicKey)
    hall.answers['/.well-known/openid-configuration'] = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
    }
    hall.answers['/jwks'] = { keys: [{ ...jwk, kid: 'a', alg: 'ES256', use: 'sig' }] }
    const now = Math.floor(Date.now() / 1000)
    const good = { iss: issuer, aud: 'folkmoot', sub: `s${randomHex(4)}`, iat: now, exp: now + 300 }

    const enter = async (change: object, key = ours.privateKey, header: object = {}) => {
      providers.set('oidc', openId('oidc', { name: 'Hall', issuer, ...CREDENTIALS }))
      const visitor = browser()
      const start = await visitor.go('http://localhost/auth/oidc')
      const { state, nonce } = Object.fromEntries(new URL(start.location as string).searchParams)
      const id_token = await idToken({ ...good, nonce, ...change }, key, header)
      hall.answers['/token'] = { access_token: 'x', token_type: 'bearer', id_token }
      const end = await visitor.go(`http://localhost/auth/oidc/callback?code=abc&state=${state}`)
      providers.delete('oidc')
      return [end.status, visitor.session() !== undefined]
    }

    for (const [change, key, header] of [
      [{ nonce: 'of another sign-in' }],
      [{ nonce: undefined }],
      [{ aud: 'another-client' }],
      [{ aud: ['folkmoot', 'another'], azp: 'another' }],
      [{ iss: 'https://evil.example' }],
      [{ exp: now - 3600 }],
      [{ sub: undefined }],
      [{}, theirs.privateKey],
      [{}, ours.privateKey, { alg: 'none' }],
      [{}, ours.privateKey, { alg: 'HS256' }],
    ] as [object, CryptoKey?, object?][]) {
      const [status, isIn] = await enter(change, key, header)
      expect([change, Number(status) >= 400, isIn]).toEqual([change, true, false])
    }
    expect(await enter({})).toEqual([303, true])
  })

  test('a description that speaks for another issuer is refused', async () => {
    hall.answers['/.well-known/openid-configuration'] = { issuer: 'https://evil.example' }
    providers.set('oidc', openId('oidc', { name: 'Hall', issuer: hall.origin, ...CREDENTIALS }))
    expect((await get('/auth/oidc')).status).toBe(502)
    providers.delete('oidc')
  })
})

describe('providers are asked', () => {
  test('for so long and no longer, and heard out to so much and no more', async () => {
    const slow = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) })
    const endless = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new Uint8Array(1024))
              await Bun.sleep(1)
            },
          }),
        ),
    })
    const ask = bounded({ timeoutMs: 150, bytesMax: 4096 })
    expect(await ask(`http://127.0.0.1:${slow.port}`, {}).catch((error) => error.name)).toBe('TimeoutError')
    expect(await ask(`http://127.0.0.1:${endless.port}`, {}).catch((error) => error.message)).toContain(
      'too much',
    )
    await slow.stop(true)
    await endless.stop(true)
  })

  test('where they are, and nowhere that they point to', async () => {
    const elsewhere = stage()
    elsewhere.answers['/taken'] = { access_token: 'gho_x', token_type: 'bearer' }
    for (const status of [301, 302, 303, 307, 308]) {
      const hub = stage()
      providers.set('github', github(CREDENTIALS, hub.origin, hub.origin))
      hub.answers['/login/oauth/access_token'] = new Response(null, {
        status,
        headers: { location: `${elsewhere.origin}/taken` },
      })
      const { end, visitor } = await pass('github')
      expect([status, end.status, visitor.session()]).toEqual([status, 502, undefined])
      expect(hub.asked.map(({ path }) => path)).toEqual(['/login/oauth/access_token'])
    }
    providers.delete('github')
    expect(elsewhere.asked).toEqual([])
  })

  test('in clear only on this machine', () => {
    for (const [address, may] of [
      ['http://127.0.0.1:4000', true],
      ['http://localhost/realm', true],
      ['http://[::1]:4000/', true],
      ['http://hall.example', false],
      ['http://127.0.0.1.evil.example', false],
      ['http://localhost.evil.example', false],
      ['http://localhost@evil.example', false],
      ['http://127.0.0.1:80@evil.example', false],
      ['ftp://localhost', false],
    ] as const)
      expect([address, mayGoInClear(address)]).toEqual([address, may])
  })
})
