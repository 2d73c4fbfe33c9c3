import { describe, expect, test } from 'bun:test'
import { apiUrl, call } from '../support/api'
import { makeCaller } from '../support/make'
import { routes } from '../support/routes'

test('every response has a request id and security headers, including errors and unknown paths', async () => {
  const { token } = await makeCaller()
  const asked = [
    ...routes.map(({ method, path }) => ({ method, path })),
    ...['/nowhere', '/v1/nowhere', '/v1', '//', '/v1/me/', '/%00', '/v1/%c0%ae'].map((path) => ({
      method: 'GET',
      path,
    })),
    { method: 'PUT', path: '/v1/me' },
    { method: 'OPTIONS', path: '/v1/me' },
    { method: 'TRACE', path: '/v1/me' },
  ]
  for (const { method, path } of asked)
    for (const options of [{}, { token }]) {
      const { headers, status } = await call(method, path, options)
      const where = `${method} ${path} ${status}`
      expect([where, headers.get('x-request-id')]).toEqual([
        where,
        expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ])
      expect([where, headers.get('x-content-type-options')]).toEqual([where, 'nosniff'])
      expect([where, headers.get('referrer-policy')]).toEqual([where, 'no-referrer'])
      const isFramed = path.startsWith('/widget/')
      expect([where, headers.get('x-frame-options')]).toEqual([where, isFramed ? null : 'DENY'])
      expect([where, headers.get('content-security-policy')]).toEqual([
        where,
        expect.stringMatching(isFramed ? /frame-ancestors \*$/ : /frame-ancestors 'none'/),
      ])
      if (path === '/v1' || path.startsWith('/v1/')) {
        for (const name of ['limit', 'remaining', 'reset'])
          expect([where, headers.get(`x-ratelimit-${name}`)]).toEqual([where, expect.stringMatching(/^\d+$/)])
        expect([where, headers.get('access-control-allow-origin')]).toEqual([where, '*'])
      }
      expect([where, status < 500]).toEqual([where, true])
    }
})

/** What a server sends to a request, byte for byte: clients hide what comes after the headers of a HEAD. */
async function bytesOf(method: string, path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(apiUrl())
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers })
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) =>
        void socket.write(
          `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
        ),
      data: (_, chunk) => {
        received += chunk.toString('latin1')
      },
      close: () => resolve(received),
    },
  })
  return promise
}

test('HEAD has the same headers as GET, including the length, and no body', async () => {
  const { token } = await makeCaller()
  const authorization = { authorization: `Bearer ${token}` }
  const paths = routes.filter(({ method }) => method === 'GET').map(({ path }) => path)
  const parts = (answer: string) => {
    const [head = '', ...body] = answer.split('\r\n\r\n')
    const [line, ...fields] = head.toLowerCase().split('\r\n')
    const varying = /^(date|x-request-id|x-ratelimit-(remaining|reset)|set-cookie|location):/
    return {
      line,
      fields: fields.filter((field) => !varying.test(field)).sort(),
      body: body.join('\r\n\r\n'),
    }
  }
  for (const path of [...paths, '/v1/me', '/v1/nowhere', '/nowhere', '/v1'])
    for (const [turn, headers] of [{}, authorization].entries()) {
      const from = { 'x-forwarded-for': `10.211.${turn + 1}.${paths.indexOf(path) + 5}`, ...headers }
      const get = parts(await bytesOf('GET', path, from))
      const head = parts(await bytesOf('HEAD', path, from))
      expect([path, head.body]).toEqual([path, ''])
      expect([path, head.line, head.fields]).toEqual([path, get.line, get.fields])
      if (!/ (204|302|303|304) /.test(get.line ?? ''))
        expect([path, get.fields.some((field) => /^content-length: \d+$/.test(field))]).toEqual([path, true])
    }
})

test('unknown addresses around /v1 count as requests', async () => {
  const headers = { 'x-forwarded-for': '10.211.0.2' }
  const left = async (path: string) =>
    Number((await call('GET', path, { headers })).headers.get('x-ratelimit-remaining'))
  expect([await left('/v1'), await left('/v1/'), await left('/v1/nowhere'), await left('/v1?x=/y')]).toEqual([
    59, 58, 57, 56,
  ])
})

test('unpaged lists report the maximum page size as their limit', async () => {
  const { token } = await makeCaller(['user:linked-accounts', 'developer', 'read:user'])
  for (const path of [
    '/v1/scopes',
    '/v1/me/linked-accounts',
    '/v1/developer/event-types',
    '/v1/profile/achievements',
  ]) {
    const { body } = await call('GET', path, { token })
    expect([path, body.pagination]).toEqual([path, { limit: 100, hasMore: false, total: body.data.length }])
  }
})

describe('an unknown API address', () => {
  const refusal = async (method: string, path: string) => {
    const { status, body, headers } = await call(method, path)
    expect([method, path, status, body.code]).toEqual([method, path, 404, 'not_found'])
    return { error: body.error as string, allow: headers.get('allow') }
  }

  test('lists its allowed methods', async () => {
    expect(await refusal('PUT', '/v1/me')).toEqual({
      error: 'There is no PUT at this address: it takes GET',
      allow: 'GET',
    })
    const { error, allow } = await refusal('POST', '/v1/profile')
    expect(allow?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'PATCH'])
    expect(error).toStartWith('There is no POST at this address: it takes ')
  })

  test.each([
    ['/v1/event', 'GET /v1/events'],
    ['/v1/profile/token', 'GET /v1/profile/tokens'],
    ['/v1/manage/groups/x/evnts', 'GET /v1/manage/groups/{groupId}/events'],
    ['/v1/profile/wholly/else', 'GET /v1/profile'],
  ])('says what %s may have meant', async (path, meant) => {
    expect((await refusal('GET', path)).error).toContain(meant)
  })

  test('repeats nothing of the request', async () => {
    for (const path of [
      '/v1/nowhere',
      '/v1',
      `/v1/${'x'.repeat(3000)}`,
      `/v1${'/x'.repeat(500)}`,
      '/v1/%3Cb%3E/usres',
    ])
      expect((await refusal('GET', path)).error).not.toMatch(/nowhere|xx|%3C|<b>|usres/)
    expect((await refusal('GET', '/v1/nowhere')).error).toContain('/openapi.json')
  })
})

describe('unknown query parameters', () => {
  const ignored = async (method: string, path: string, token: string, json?: unknown) => {
    const { status, headers } = await call(method, path, { token, json })
    return [status, headers.get('x-ignored-parameters')]
  }

  test('are named in a header', async () => {
    const { token } = await makeCaller(['read:events', 'read:user', 'write:portfolio'])
    expect(await ignored('GET', '/v1/events?limit=5', token)).toEqual([200, null])
    expect(await ignored('GET', '/v1/events?limt=5&page=2&limit=5&page=3', token)).toEqual([
      200,
      'limt, page',
    ])
    expect(await ignored('GET', '/v1/me?toString=1&%0d%0aset-cookie:x=1', token)).toEqual([200, 'toString'])
    expect(await ignored('GET', '/v1/events?limt=5&limit=0', token)).toEqual([400, 'limt'])
    // Of a request with a body the query is not read at all.
    expect(await ignored('POST', '/v1/profile/portfolio?title=x', token, { title: 'y' })).toEqual([
      201,
      'title',
    ])
    const { headers } = await call('GET', '/v1/events?limt=5')
    expect(headers.get('x-ignored-parameters')).toBeNull()
  })
})
