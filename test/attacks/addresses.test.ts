import { dlopen } from 'bun:ffi'
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import type { Socket } from 'bun'
import { useResolver } from '@/outbound/destination'
import { postOutside } from '@/outbound/fetch'
import { lookUp } from '@/outbound/names'
import { openReceiver } from '../support/receiver'

const receiver = openReceiver()
const { port } = receiver
/** A second machine of the same host, where nothing may arrive once the first has heard. */
const other = openListener('127.0.0.5')

function openListener(hostname: string, hear: (socket: Socket) => void = () => {}) {
  const state = { connections: 0 }
  const listener = Bun.listen({
    hostname,
    port,
    socket: {
      open: (socket) => {
        state.connections += 1
        hear(socket)
      },
      data: () => {},
    },
  })
  return { state, close: () => listener.stop(true) }
}

afterEach(() => {
  expect(other.state.connections).toBe(0)
  receiver.received.length = 0
})
afterAll(() => {
  useResolver(lookUp)
  other.close()
  receiver.close()
})

const postTo = (addresses: string[], timeoutMs = 2000) => {
  useResolver(async () => addresses)
  return postOutside({
    url: `http://hooks.folkmoot.test:${port}/`,
    isAdministrators: true,
    headers: {},
    body: '{}',
    timeoutMs,
    bytesMax: 0,
  }).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
}

describe('a host with several addresses', () => {
  for (const [what, addresses] of Object.entries({
    'refuses at the first': ['127.0.0.6', '127.0.0.1', '127.0.0.5'],
    'has no way to the first': ['255.255.255.255', '127.0.0.1', '127.0.0.5'],
    'has no way to the first two': ['255.255.255.255', '224.0.0.1', '127.0.0.1'],
    'has one that everybody can reach behind many that not everybody can': [
      '100::1',
      '100::2',
      '100::3',
      '127.0.0.1',
    ],
  }))
    test(`and that ${what} is reached, once`, async () => {
      expect(await postTo(addresses)).toBe(200)
      expect(receiver.received).toHaveLength(1)
    })

  test('fails if no address accepts a connection', async () => {
    expect(await postTo(['127.0.0.6', '127.0.0.7', '255.255.255.255'])).toBe(
      'The connection could not be made or was lost',
    )
  })

  test('and of which the first swallows everything is reached in time, once', async () => {
    if (process.platform !== 'linux')
      return console.warn('!! not on Linux: the test of an address that swallows everything was SKIPPED')
    const swallows = await openBlackHole('127.0.0.4')
    expect(await postTo(['127.0.0.4', '127.0.0.1', '127.0.0.5'])).toBe(200)
    expect(receiver.received).toHaveLength(1)
    swallows.close()
  })

  test('and of which the first is slow is waited for: it has heard already', async () => {
    const callers: Socket[] = []
    // It answers only when somebody comes to look whether it is there, and finds it open.
    const slow = openListener('127.0.0.6', (socket) => {
      callers.push(socket)
      if (callers.length === 2) callers[0]?.end('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n')
    })
    expect(await postTo(['127.0.0.6', '127.0.0.5'])).toBe(202)
    slow.close()
  })

  test('is not retried elsewhere if the first address hangs up: it may have received the request', async () => {
    const rude = openListener('127.0.0.6', (socket) => socket.end())
    expect(await postTo(['127.0.0.6', '127.0.0.5'])).toBe('The connection could not be made or was lost')
    expect(rude.state.connections).toBe(1)
    rude.close()
  })

  test('is not retried elsewhere if the first address never answers', async () => {
    const silent = openListener('127.0.0.6')
    expect(await postTo(['127.0.0.6', '127.0.0.5'], 400)).toBe('No answer within 0.4 seconds')
    silent.close()
  })
})

/** Listens, never takes anybody in, and has its waiting room full: what comes later gets no answer of any kind. */
async function openBlackHole(hostname: string) {
  const { symbols: libc } = dlopen('libc.so.6', {
    socket: { args: ['int', 'int', 'int'], returns: 'int' },
    bind: { args: ['int', 'ptr', 'int'], returns: 'int' },
    listen: { args: ['int', 'int'], returns: 'int' },
    close: { args: ['int'], returns: 'int' },
  })
  const [AF_INET, SOCK_STREAM] = [2, 1]
  const fd = libc.socket(AF_INET, SOCK_STREAM, 0)
  const address = new DataView(new ArrayBuffer(16))
  address.setUint16(0, AF_INET, true)
  address.setUint16(2, port)
  for (const [i, part] of hostname.split('.').entries()) address.setUint8(4 + i, Number(part))
  expect([libc.bind(fd, new Uint8Array(address.buffer), 16), libc.listen(fd, 0)]).toEqual([0, 0])
  const waiting = connect({ host: hostname, port })
  await new Promise((resolve) => waiting.once('connect', resolve))
  return {
    close() {
      waiting.destroy()
      libc.close(fd)
    },
  }
}
