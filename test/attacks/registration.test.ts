import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { call, get, post } from '../support/api'
import { makeSession, makeUser } from '../support/make'

const REGISTER = '/oauth/register'

/** A name by which a test finds what it stored, and nothing else. */
const marked = () => `App ${randomHex(8)}`
const storedAs = (name: string) => db.$count(oauthClients, eq(oauthClients.name, name))

const good = (name: string) => ({ client_name: name, redirect_uris: ['https://app.example.org/cb'] })

const refusal = (error: string) => ({
  error,
  error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
})

describe('bodies that are no registration', () => {
  const json = { 'content-type': 'application/json' }
  const bodies: [string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number][] = [
    [
      'a form',
      'redirect_uris=https://a.example/',
      { 'content-type': 'application/x-www-form-urlencoded' },
      400,
    ],
    ['JSON as text', JSON.stringify(good('x')), { 'content-type': 'text/plain' }, 400],
    ['JSON without a type', JSON.stringify(good('x')), { 'content-type': '' }, 400],
    [
      'JSON with a likeness of a type',
      JSON.stringify(good('x')),
      { 'content-type': 'application/jsonp' },
      400,
    ],
    ['nothing', '', json, 400],
    ['half of it', '{"redirect_uris": ["https://a.ex', json, 400],
    ['null', 'null', json, 400],
    ['a list', '[{"redirect_uris": ["https://a.example/"]}]', json, 400],
    ['a string', '"https://a.example/"', json, 400],
    ['a number', '7', json, 400],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), json, 400],
    ['9 KiB', JSON.stringify({ ...good('x'), padding: 'x'.repeat(9 * 1024) }), json, 413],
    ['a body nested deeply', `{"redirect_uris": ${'['.repeat(2000)}${']'.repeat(2000)}}`, json, 400],
  ]
  for (const [what, body, headers, status] of bodies)
    test(what, async () => {
      const answer = await post(REGISTER, { body, headers })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store'])
      const fault = what === 'a body nested deeply' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
      expect(answer.body).toEqual(refusal(fault))
    })

  test('9 KiB that do not say how long they are', async () => {
    const name = marked()
    const chunks = [JSON.stringify(good(name)).slice(0, -1), `, "x": "${'x'.repeat(9 * 1024)}"}`]
    const body = new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(chunk))
      },
    })
    const answer = await post(REGISTER, { body, headers: { 'content-type': 'application/json' } })
    expect([answer.status, await storedAs(name)]).toEqual([413, 0])
  })

  test('8 KiB less a little are taken', async () => {
    const name = marked()
    const padding = 'x'.repeat(8 * 1024 - JSON.stringify({ ...good(name), padding: '' }).length)
    const full = { ...good(name), padding }
    expect(JSON.stringify(full)).toHaveLength(8192)
    expect((await post(REGISTER, { json: full })).status).toBe(201)
    expect((await post(REGISTER, { json: { ...full, padding: `${padding}x` } })).status).toBe(413)
    expect(await storedAs(name)).toBe(1)
  })
})

describe('redirect URIs that would carry a code away', () => {
  const uris: [string, unknown][] = [
    ['none', undefined],
    ['null', null],
    ['no list', 'https://a.example/cb'],
    ['an empty list', []],
    ['eleven', Array(11).fill('https://a.example/cb')],
    ['a number', [1]],
    ['null in the list', [null]],
    ['a list in the list', [['https://a.example/cb']]],
    ['an empty string', ['']],
    ['javascript', ['javascript:alert(document.cookie)']],
    ['javascript in another case', ['JaVaScRiPt:/%0aalert(1)']],
    ['javascript with a break in it', ['java\nscript:/alert(1)']],
    ['data', ['data:text/html,<script>alert(1)</script>']],
    ['vbscript', ['vbscript:/x']],
    ['file', ['file:///etc/passwd']],
    ['blob', ['blob:https://a.example/1']],
    ["a scheme of the system's", ['ms-msdt:/id']],
    ["a browser's own page", ['chrome://settings']],
    ['a scheme without a path', ['com.example.app:cb']],
    ['a fragment', ['https://a.example/cb#token']],
    ['an empty fragment', ['https://a.example/cb#']],
    ['a wildcard host', ['https://*.example.org/cb']],
    ['a wildcard path', ['https://a.example/*']],
    ['http', ['http://a.example/cb']],
    ['http on a private host', ['http://192.168.1.1/cb']],
    ['http on the metadata host', ['http://169.254.169.254/latest']],
    ['http on something like loopback', ['http://127.0.0.1.evil.example/cb']],
    ['user info', ['https://a.example@evil.example/cb']],
    ['a backslash', ['https://a.example\\@evil.example/cb']],
    ['a line break', ['https://a.example/cb\r\nSet-Cookie: a=b']],
    ['NUL', ['https://a.example/\u0000']],
    ['a lone surrogate', ['https://a.example/\ud800']],
    ['a host that only looks like ASCII', ['https://аpp.example.org/cb']],
    ['2,049 characters', [`https://a.example/${'x'.repeat(2049 - 18)}`]],
    ['one good, one bad', ['https://a.example/cb', 'javascript:alert(1)']],
  ]
  for (const [what, redirect_uris] of uris)
    test(what, async () => {
      const name = marked()
      const { status, body } = await post(REGISTER, { json: { client_name: name, redirect_uris } })
      expect([status, body]).toEqual([400, refusal('invalid_redirect_uri')])
      expect(await storedAs(name)).toBe(0)
    })

  test('a scheme of its own, loopback and a private https host are the application’s to choose', async () => {
    for (const uri of ['com.example.app:/cb', 'http://[::1]/cb', 'https://10.0.0.7/cb']) {
      const { status, body } = await post(REGISTER, { json: { redirect_uris: [uri] } })
      expect([status, body.redirect_uris]).toEqual([201, [uri]])
    }
  })
})

describe('metadata that is none', () => {
  const fields: [string, Record<string, unknown>][] = [
    ['an implicit grant', { grant_types: ['implicit'] }],
    ['a password grant', { grant_types: ['authorization_code', 'password'] }],
    ['client credentials', { grant_types: ['client_credentials'] }],
    ['no grant at all', { grant_types: [] }],
    ['a refresh grant that nothing could begin', { grant_types: ['refresh_token'] }],
    ['grants as a string', { grant_types: 'authorization_code' }],
    ['a token as the response', { response_types: ['token'] }],
    ['code and token', { response_types: ['code token'] }],
    ['no response', { response_types: [] }],
    ['an unknown authentication', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an empty authentication', { token_endpoint_auth_method: '' }],
    ['a list of authentications', { token_endpoint_auth_method: ['none'] }],
    ['an empty name', { client_name: '' }],
    ['a name of spaces', { client_name: '   ' }],
    ['a long name', { client_name: 'x'.repeat(101) }],
    ['a name of two lines', { client_name: 'Folkmoot\nverified' }],
    ['a name with NUL', { client_name: 'a\u0000b' }],
    ['a name that is an object', { client_name: { toString: 'x' } }],
    ['a scope that is a list', { scope: ['read:user'] }],
    ['a scope that is too long', { scope: 'read:user '.repeat(101) }],
    ['a script as its site', { client_uri: 'javascript:alert(1)' }],
    ['a script as its logo', { logo_uri: 'javascript:alert(1)' }],
    ['data as its logo', { logo_uri: 'data:image/svg+xml,<svg onload=alert(1)>' }],
    ['a script as its policy', { policy_uri: 'javascript:alert(1)' }],
    ['a script as its terms', { tos_uri: 'vbscript:x' }],
    ['a file as its site', { client_uri: 'file:///etc/passwd' }],
    ['a site with a password', { client_uri: 'https://a:b@c.example/' }],
    ['a number as its site', { client_uri: 7 }],
  ]
  for (const [what, more] of fields)
    test(what, async () => {
      const name = marked()
      const { status, body } = await post(REGISTER, { json: { ...good(name), ...more } })
      expect([status, body]).toEqual([400, refusal('invalid_client_metadata')])
      expect(await storedAs(name)).toBe(0)
    })

  test('unknown fields are not inspected', async () => {
    const unknown = { 'client_name#de': 7, '\u0000': '\u0000', contacts: '\ud800', jwks: [[[]]] }
    expect((await post(REGISTER, { json: { ...good(marked()), ...unknown } })).status).toBe(201)
  })

  test('nothing that was sent is repeated in a refusal', async () => {
    for (const more of [
      { client_name: `Zq7Xw9${'x'.repeat(100)}` },
      { redirect_uris: ['Zq7Xw9:x'] },
      { token_endpoint_auth_method: 'Zq7Xw9' },
    ]) {
      const { text } = await post(REGISTER, { json: { ...good(marked()), ...more } })
      expect(text).not.toContain('Zq7Xw9')
    }
  })
})

describe('what an application may not say about itself', () => {
  test('its id, its secret, its owner, its age', async () => {
    const [owner, victim] = [await makeUser(), await post(REGISTER, { json: good(marked()) })]
    const { status, body } = await post(REGISTER, {
      json: {
        ...good(marked()),
        client_id: victim.body.client_id,
        client_secret: 'mine',
        client_secret_expires_at: 1,
        client_id_issued_at: 1,
        owner: owner.id,
        ownerId: owner.id,
        owner_id: owner.id,
        secretHash: 'x',
        created_at: '2000-01-01T00:00:00Z',
        lastUsedAt: '2999-01-01T00:00:00Z',
        __proto__: { ownerId: owner.id },
      },
    })
    expect(status).toBe(201)
    expect(body.client_id).not.toBe(victim.body.client_id)
    expect(body.client_secret).toMatch(/^fm_cs_/)
    expect(body.client_secret_expires_at).toBe(0)
    expect(body.client_id_issued_at).toBeGreaterThan(1_700_000_000)
    const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, body.client_id))
    expect([row?.ownerId, row?.lastUsedAt]).toEqual([null, null])
  })

  test('by reading, changing or deleting a registration: there is no such door', async () => {
    const { body } = await post(REGISTER, { json: good(marked()) })
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      for (const path of [REGISTER, `${REGISTER}/${body.client_id}`])
        expect((await call(method, path)).status).toBe(404)
  })
})

describe('addresses of the application', () => {
  let canary: Server
  let connections = 0
  let address = ''
  beforeAll(async () => {
    canary = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((listening) => canary.listen(0, '127.0.0.1', listening))
    const bound = canary.address()
    address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  })
  afterAll(() => canary.close())

  test('are never visited by the server, neither at registration nor for the consent page', async () => {
    const { status, body } = await post(REGISTER, {
      json: {
        client_name: marked(),
        redirect_uris: [`${address}/cb`],
        client_uri: `${address}/site`,
        logo_uri: `${address}/logo.png`,
        policy_uri: `${address}/policy`,
        tos_uri: `${address}/tos`,
        jwks_uri: `${address}/jwks`,
        sector_identifier_uri: `${address}/sector`,
        software_statement: `${address}/statement`,
      },
    })
    expect(status).toBe(201)
    const page = await consentPage(body.client_id, `${address}/cb`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:")
    expect(page.text).not.toMatch(/<img[^>]+127\.0\.0\.1/)
    expect(connections).toBe(0)
    // The canary does sing when somebody comes.
    await fetch(address).catch(() => undefined)
    expect(connections).toBe(1)
  })
})

describe('names that mislead', () => {
  test('a homograph of a known application is another one, and called unverified', async () => {
    const [known, alike] = ['Folkmoot Calendar', 'Folkmооt Calendar']
    expect(alike).not.toBe(known)
    const first = await post(REGISTER, { json: good(known) })
    const second = await post(REGISTER, { json: good(alike) })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.client_id).not.toBe(first.body.client_id)
    const page = await consentPage(second.body.client_id, 'https://app.example.org/cb')
    expect(page.text).toContain(alike)
    expect(page.text).toMatch(/not verified/i)
    // Where the code goes is what a person can judge.
    expect(page.text).toContain('app.example.org')
  })

  test('markup in a name is text on the page', async () => {
    const name = `<script>alert(1)</script>"'><b>`
    const { body } = await post(REGISTER, { json: good(name) })
    const page = await consentPage(body.client_id, 'https://app.example.org/cb')
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;script&gt;alert(1)')
  })
})

describe('a thousand registrations', () => {
  test('from one address create ten, regardless of its headers', async () => {
    const name = marked()
    const statuses = new Map<number, number>()
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          post(REGISTER, {
            json: { ...good(name), client_uri: `https://app.example/${round}/${i}` },
            headers: {
              'x-forwarded-for': `${round}.${i}.0.1, 198.51.100.99`,
              forwarded: `for=${round}.${i}.0.2`,
              'x-real-ip': `${round}.${i}.0.3`,
            },
          }),
        ),
      )
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 201: 10, 429: 990 })
    expect(await storedAs(name)).toBe(10)
  })
})

/** The page on which a signed-in person is asked. */
async function consentPage(clientId: string, redirectUri: string) {
  const { id } = await makeUser()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'read:user',
    state: 'x',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return get(`/oauth/authorize?${query}`, { session: await makeSession(id) })
}
