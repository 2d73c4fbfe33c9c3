import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Unreachable, useResolver } from '@/outbound/destination'
import { postOutside } from '@/outbound/fetch'
import { lookUp } from '@/outbound/names'
import { patch, post } from '../support/api'
import { makeCaller } from '../support/make'
import { askTo } from '../support/websub'

/** Listens where nothing may ever arrive, and counts connections, not only requests. */
const canaries = ['127.0.0.2', '127.0.0.3'].map((hostname) => {
  const state = { connections: 0 }
  const server = Bun.listen({
    hostname,
    port: 0,
    socket: {
      open: (socket) => {
        state.connections += 1
        socket.end()
      },
      data: () => {},
    },
  })
  return { hostname, port: server.port, state, stop: () => server.stop(true) }
})
const [canary, second] = canaries as [(typeof canaries)[0], (typeof canaries)[0]]

afterEach(() => {
  expect(canaries.map(({ state }) => state.connections)).toEqual([0, 0])
})
afterAll(() => {
  useResolver(lookUp)
  for (const { stop } of canaries) stop()
})

const LITERALS =
  `127.0.0.2 127.2 0x7f.2 2130706434 017700000002 127.0.0.2. 0 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
169.254.169.254 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 240.0.0.1 255.255.255.255
１２７.0.0.2 [::] [::1] [::ffff:127.0.0.2] [::ffff:7f00:2] [0:0:0:0:0:ffff:127.0.0.2] [::127.0.0.2] [64:ff9b::7f00:2] [64:ff9b:1::1]
[2002:7f00:2::] [2001::1] [fc00::1] [fd00:ec2::254] [fe80::1] [ff02::1] [100::1] [2001:db8::1] [3fff::1] [5f00::1]`.split(
    /\s+/,
  )

const NAMES =
  `localhost LOCALHOST localhost. a.localhost metadata.google.internal printer.local intranet router.lan server router.home.arpa`.split(
    /\s+/,
  )

const SHAPES = [
  'ftp://example.org/',
  'file:///etc/passwd',
  'gopher://example.org/',
  'unix:///var/run/docker.sock',
  'data:text/plain,hi',
  's3://bucket/key',
  'javascript:alert(1)',
  'http://example.org/',
  'https://user@example.org/',
  'https://user:password@example.org/',
  'https://example.org/#part',
  'https://example.org\\@127.0.0.2/',
  'https:/\\127.0.0.2/',
  'https://exa mple.org/',
  'https://exam\nple.org/',
  'https://example.org:22/',
  'https://example.org:25/',
  'https://example.org:5432/',
  'https://example.org:6379/',
  'https://example.org:0/',
  'https://example.org:65536/',
  `https://example.org/${'a'.repeat(2048)}`,
  'https://%31%32%37.0.0.2/',
  'https://[fe80::1%25lo]/',
  '//example.org/',
  'https://',
]

const HOSTILE = [
  ...[...LITERALS, ...NAMES].flatMap((host) => [
    `https://${host}/`,
    `https://${host}:${canary.port}/`,
    `http://${host}:${canary.port}/`,
  ]),
  ...SHAPES,
]

describe('addresses that strangers give', () => {
  let token: string
  let hook: string
  beforeAll(async () => {
    token = (await makeCaller(['developer'])).token
    hook = (await post('/v1/developer/webhooks', { token, json: { url: 'http://127.0.0.1:9/' } })).body.data
      .id
  })

  test(`${HOSTILE.length} hostile ones are refused at creation, at change, as callbacks, and when dialled`, async () => {
    expect(HOSTILE.length).toBeGreaterThan(120)
    const call = { headers: {}, body: '{}', timeoutMs: 1000, bytesMax: 100 }
    // A token has a thousand calls an hour, so callers take turns.
    let calls = 0
    for (const url of HOSTILE) {
      calls += 2
      if (calls % 800 === 0) token = (await makeCaller(['developer'])).token
      const made = await post('/v1/developer/webhooks', { token, json: { url } })
      expect([url, made.status, made.body.code]).toEqual([url, 400, 'validation_error'])
      const changed = await patch(`/v1/developer/webhooks/${hook}`, { token, json: { url } })
      expect([url, changed.status]).toEqual([url, 400])
      const asked = await askTo('subscribe', '/feeds/events.atom', url)
      expect([url, asked.status, asked.body.code]).toEqual([url, 400, 'validation_error'])
      expect([
        url,
        await postOutside({ ...call, url }).catch((error) => error instanceof Unreachable),
      ]).toEqual([url, true])
    }
  })
})

describe('names', () => {
  const answers = new Map<string, string[][]>()
  let asked: string[] = []
  beforeAll(() => {
    useResolver(async (name) => {
      asked.push(name)
      const next = answers.get(name)
      if (!next) throw new Error('ENOTFOUND')
      return (next.length > 1 ? next.shift() : next[0]) as string[]
    })
  })
  afterEach(() => {
    asked = []
  })
  const dial = (name: string) =>
    postOutside({
      url: `https://${name}:${canary.port}/`,
      headers: {},
      body: '{}',
      timeoutMs: 500,
      bytesMax: 100,
    }).catch((error: Error) => error.message)

  for (const [what, found] of Object.entries({
    'one address inside': ['127.0.0.2'],
    'one outside and one inside': ['93.184.216.34', '127.0.0.2'],
    'one inside behind IPv6': ['::ffff:127.0.0.2'],
    'only an inner IPv6 address': ['fd00::1'],
  }))
    test(`with ${what} are refused, and asked for once`, async () => {
      answers.set('hostile.example.org', [found])
      expect(await dial('hostile.example.org')).toStartWith(
        'The host is not one that can be reached from the internet',
      )
      expect(asked).toEqual(['hostile.example.org'])
      const { token } = await makeCaller(['developer'])
      const made = await post('/v1/developer/webhooks', {
        token,
        json: { url: 'https://hostile.example.org/' },
      })
      expect(made.status).toBe(400)
    })

  test('that change their answer between two questions are dialled where the first one said', async () => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('here') })
    // On the same port of the other address somebody waits: whoever asks twice dials the second answer.
    const trap = Bun.serve({ hostname: '127.0.0.2', port: server.port, fetch: () => new Response('trapped') })
    answers.set('hooks.folkmoot.test', [['127.0.0.1'], ['127.0.0.2']])
    const url = `http://hooks.folkmoot.test:${server.port}/`
    const reply = await postOutside({
      url,
      isAdministrators: true,
      headers: {},
      body: '{}',
      timeoutMs: 2000,
      bytesMax: 100,
    })
    expect(new TextDecoder().decode(reply.body)).toBe('here')
    expect(asked).toEqual(['hooks.folkmoot.test'])
    await server.stop(true)
    await trap.stop(true)
  })

  test('are not looked up again when they are dialled: the answer that was vetted is', async () => {
    // No resolver but ours knows this name, so whoever asks another one gets nowhere.
    answers.set('hooks.folkmoot.test', [['127.0.0.1']])
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => new Response(request.headers.get('host')),
    })
    const url = `http://hooks.folkmoot.test:${server.port}/`
    const reply = await postOutside({
      url,
      isAdministrators: true,
      headers: {},
      body: '{}',
      timeoutMs: 2000,
      bytesMax: 100,
    })
    expect(new TextDecoder().decode(reply.body)).toBe(`hooks.folkmoot.test:${server.port}`)
    expect(asked).toEqual(['hooks.folkmoot.test'])
    await server.stop(true)
  })

  test('that do not resolve are accepted now and judged when dialled', async () => {
    const { token } = await makeCaller(['developer'])
    const made = await post('/v1/developer/webhooks', { token, json: { url: 'https://later.example.org/' } })
    expect(made.status).toBe(201)
    expect(await dial('later.example.org')).toBe('The name of the host could not be resolved')
  })
})

/** The beginning of whatever comes in, which in TLS names who is asked for, in clear. */
function openEar() {
  const heard = Promise.withResolvers<string>()
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        heard.resolve(bytes.toString('latin1'))
        socket.end()
      },
    },
  })
  return { port: server.port, heard: heard.promise, close: () => server.stop(true) }
}

test('a receiver behind TLS is asked for by its name, though its address is dialled', async () => {
  const ear = openEar()
  useResolver(async () => ['127.0.0.1'])
  const url = `https://hooks.folkmoot.test:${ear.port}/`
  const call = postOutside({
    url,
    isAdministrators: true,
    headers: {},
    body: '{}',
    timeoutMs: 2000,
    bytesMax: 100,
  })
  expect(await call.catch((error: Error) => error.message)).toBe(
    'The connection could not be made or was lost',
  )
  const hello = await ear.heard
  expect([hello.charCodeAt(0), hello.includes('hooks.folkmoot.test')]).toEqual([0x16, true])
  ear.close()
})

describe('a receiver that is reached', () => {
  const call = { headers: { 'x-test': '1' }, body: '{}', timeoutMs: 2000, bytesMax: 16_384 }

  for (const status of [301, 302, 303, 307, 308])
    test(`and redirects with ${status} is not followed`, async () => {
      const server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: () =>
          new Response(null, { status, headers: { location: `http://127.0.0.2:${canary.port}/` } }),
      })
      expect((await postOutside({ ...call, url: `http://127.0.0.1:${server.port}/` })).status).toBe(status)
      await server.stop(true)
    })

  test('is called directly, regardless of proxies in the environment', async () => {
    const before = process.env.HTTP_PROXY
    process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.3:${second.port}`
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => new Response(request.headers.get('host')),
    })
    const reply = await postOutside({ ...call, url: `http://127.0.0.1:${server.port}/` })
    expect(new TextDecoder().decode(reply.body)).toBe(`127.0.0.1:${server.port}`)
    delete process.env.http_proxy
    if (before === undefined) delete process.env.HTTP_PROXY
    else process.env.HTTP_PROXY = before
    await server.stop(true)
  })

  test('and never stops talking is read up to the limit', async () => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
          }),
        ),
    })
    const reply = await postOutside({ ...call, url: `http://127.0.0.1:${server.port}/` })
    expect([reply.status, reply.body.byteLength]).toEqual([200, 16_384])
    await server.stop(true)
  })

  test('times out if it never answers', async () => {
    const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const failure = await postOutside({
      ...call,
      timeoutMs: 300,
      url: `http://127.0.0.1:${server.port}/`,
    }).catch((error: Error) => error.message)
    expect(failure).toBe('No answer within 0.3 seconds')
    server.stop(true)
  })

  test('with a certificate of its own making is refused', async () => {
    const made = Bun.spawnSync([
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      '-',
      '-out',
      '-',
      '-days',
      '1',
      '-subj',
      '/CN=127.0.0.1',
    ])
    if (made.exitCode !== 0)
      return console.warn('!! openssl is not here: the test of certificates was SKIPPED')
    const pem = made.stdout.toString()
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key: pem, cert: pem },
      fetch: () => new Response(''),
    })
    const failure = await postOutside({ ...call, url: `https://127.0.0.1:${server.port}/` }).catch(
      (error: Error) => error.message,
    )
    expect(failure).toBe('The certificate of the host was not accepted')
    await server.stop(true)
  })
})
