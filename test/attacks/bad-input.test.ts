import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { apiUrl, get, post } from '../support/api'
import { makeAdmin, makeCaller, makeSession, makeUser } from '../support/make'
import { apiRoutes } from '../support/routes'
import { sampled } from '../support/sampling'
import { HOSTILE, mustBeCalm } from './calm'

describe('no input is answered with 5xx, echoed or explained by our insides', () => {
  for (const { method, path, pattern, binding } of apiRoutes) {
    const fields = Object.keys(binding?.action.input.properties ?? {})

    test(`${method} ${pattern}: hostile values in every field, path and query`, async () => {
      const { token } = await makeAdmin()
      const budget = async () => (await makeAdmin()).token
      let current = token
      let used = 0
      const hasBody = method !== 'GET' && method !== 'DELETE'
      const pairs = [...fields, 'unknownField'].flatMap((field) =>
        HOSTILE.map((value) => [field, value] as const),
      )
      for (const [field, value] of sampled(pairs, 24, `${method} ${pattern}`)) {
        used += 2
        if (used > 900) [current, used] = [await budget(), 0]
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        // Where there is a body, any name in a query is one that nobody reads.
        if (text.length < 8000 && (!hasBody || field === 'unknownField'))
          await mustBeCalm(method, `${path}?${field}=${encodeURIComponent(text.toWellFormed())}`, {
            token: current,
          })
        if (hasBody) await mustBeCalm(method, path, { token: current, json: { [field]: value } })
      }
    })
  }

  test('unknown fields are bounded, too', async () => {
    const { token } = await makeCaller(['user'])
    for (const extra of [JSON.parse('['.repeat(3000) + ']'.repeat(3000)), Array(10_001).fill(0)]) {
      const answer = await mustBeCalm('POST', '/v1/profile/tokens', {
        token,
        json: { name: 'x', scopes: ['read:user'], extra },
      })
      expect([answer.status, answer.body.code]).toEqual([400, 'bad_request'])
    }
  })

  test('paths that are no paths', async () => {
    const { token } = await makeCaller()
    const paths = [
      '%00',
      '%2e%2e%2f',
      '..%2f',
      '%c0%ae',
      '%ff',
      '%',
      '%zz',
      '%ud800',
      'a'.repeat(7000),
      '%F0%9F%98%80',
      '01890000-0000-7000-8000-000000000000%00',
      ';x=1',
      '%20',
      "'",
      '"',
      '<script>',
    ]
    for (const bad of paths) {
      await mustBeCalm('DELETE', `/v1/profile/tokens/${bad}`, { token })
      await mustBeCalm('GET', `/v1/${bad}`, { token })
      await mustBeCalm('GET', `/docs/${bad}`, {})
    }
  })
})

describe('bodies', () => {
  const send = async (
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers: Record<string, string> = {},
  ) =>
    post('/v1/profile/tokens', {
      token: (await makeCaller()).token,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })

  test('that are no JSON are 400', async () => {
    const broken = [
      '{',
      '{"a":1,}',
      "{'a':1}",
      '{"name": NaN}',
      '// x',
      'undefined',
      '\u0000',
      '{"name":"\\ud8"}',
    ]
    for (const body of broken) expect([body, (await send(body)).body.code]).toEqual([body, 'bad_request'])
    expect((await send(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))).body.code).toBe('bad_request')
    expect((await send(Bun.gzipSync('{}'), { 'content-encoding': 'gzip' })).status).toBe(400)
    for (const body of ['null', '[]', '"x"', '5', ''])
      expect([body, (await send(body)).status]).toEqual([body, 400])
  })

  test('that are too deep or too wide are 400', async () => {
    for (const depth of [33, 10_000])
      expect((await send(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)).status).toBe(400)
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [i.toString(36), 0])),
    )
    expect(wide.length).toBeLessThan(64_000 * 2)
    expect([400, 413]).toContain((await send(wide)).status)
  })

  test('that are too large are 413, said or unsaid', async () => {
    const large = await send(JSON.stringify({ name: 'x'.repeat(1_048_576), scopes: ['user'] }))
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i += 1) controller.enqueue(new TextEncoder().encode('x'.repeat(4096)))
        controller.close()
      },
    })
    expect((await send(chunks)).status).toBe(413)
  })

  test('cannot reach the prototype', async () => {
    const { status } = await send(
      '{"__proto__":{"name":"x","scopes":["user"]},"constructor":{"prototype":{"scopes":["user"]}}}',
    )
    expect(status).toBe(400)
    expect(({} as { scopes?: unknown }).scopes).toBeUndefined()
  })
})

describe('raw sockets', () => {
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(apiUrl())
      let answer = ''
      const socket = connect(Number(port), hostname, () => socket.write(text))
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', () => resolve(answer))
      setTimeout(() => socket.destroy(), 700)
    })

  test('a host of one letter does not change the path', async () => {
    const answer = await raw(
      'GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.9.9.1\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toStartWith('HTTP/1.1 401')
    expect(await raw('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toStartWith(
      'HTTP/1.1 200',
    )
    expect(
      await raw(
        'GET /v1/scopes HTTP/1.1\r\nHost: a.b\r\nX-Forwarded-For: 10.9.9.2\r\nConnection: close\r\n\r\n',
      ),
    ).toStartWith('HTTP/1.1 200')
  })

  test('two hosts, no host and too many headers end in 4xx or a closed socket', async () => {
    for (const head of [
      'Host: a\r\nHost: b\r\n',
      '',
      `Host: a\r\n${Array.from({ length: 300 }, (_, i) => `X-${i}: y\r\n`).join('')}`,
      `Host: a\r\nX: ${'y'.repeat(40_000)}\r\n`,
    ])
      expect(await raw(`GET /v1/me HTTP/1.1\r\n${head}\r\n`)).toMatch(/^(HTTP\/1\.1 4\d\d|$)/)
  })

  test('a body of ambiguous length is not answered twice', async () => {
    const answer = await raw(
      'POST /v1/profile/tokens HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n',
    )
    expect(answer.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })
})

test('malformed cookies count as anonymous', async () => {
  const session = await makeSession((await makeUser()).id)
  for (const cookie of [
    'session',
    'session=',
    '=',
    ';;;',
    `session=%zz`,
    `Session=${session}`,
    'x'.repeat(3000),
    `session=${session}x`,
    Array(200).fill('a=b').join('; '),
  ])
    expect([cookie.slice(0, 20), (await get('/v1/me', { headers: { cookie } })).status]).toEqual([
      cookie.slice(0, 20),
      401,
    ])
})
