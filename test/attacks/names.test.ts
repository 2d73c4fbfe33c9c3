import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSocket, type Socket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { isIPv4 } from 'node:net'
import { readDestination, Unreachable, useResolver, vettedAddresses } from '@/outbound/destination'
import { postOutside } from '@/outbound/fetch'
import { lookUp } from '@/outbound/names'
import { openReceiver } from '../support/receiver'

const [A, CNAME, AAAA] = [1, 5, 28]
const NO_SUCH_NAME = 3

/** What the name server knows. It never answers questions about names that begin with `silent`. */
const ZONE: Record<string, string[]> = {
  'hooks.folkmoot.test': ['127.0.0.1'],
  'both.example.org': ['93.184.216.34', '2606:2800::1'],
  'alias.example.org': ['both.example.org'],
  'inside.example.org': ['93.184.216.34', '10.0.0.1'],
  'inside-by-ipv6.example.org': ['93.184.216.34', 'fd00::1'],
  'inside-by-alias.example.org': ['inside.example.org'],
}

/** A name server in a few lines (RFC 1035): one question, and the answers to it. */
async function openNameServer(): Promise<{ address: string; asked: string[]; socket: Socket }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, peer) => {
    const labels: string[] = []
    let at = 12
    for (let size = query[at] as number; size > 0; size = query[at] as number) {
      labels.push(query.toString('latin1', at + 1, at + 1 + size))
      at += size + 1
    }
    const name = labels.join('.').toLowerCase()
    asked.push(name)
    if (name.startsWith('silent')) return
    const answers = answersTo(name, query.readUInt16BE(at + 1))
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | (ZONE[name] ? 0 : NO_SUCH_NAME), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...answers]), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, asked, socket }
}

const kindOf = (value: string) => (isIPv4(value) ? A : value.includes(':') ? AAAA : CNAME)

const answersTo = (name: string, kind: number): Buffer[] =>
  (ZONE[name] ?? []).flatMap((value) => {
    if (kindOf(value) === CNAME) return [record(name, CNAME, nameBytes(value)), ...answersTo(value, kind)]
    return kindOf(value) === kind ? [record(name, kind, addressBytes(value))] : []
  })

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.alloc(1),
  ])

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const bytes = Buffer.alloc(16)
  for (const [i, part] of head.split(':').entries()) bytes.writeUInt16BE(Number.parseInt(part, 16), 2 * i)
  bytes.writeUInt16BE(Number.parseInt(tail, 16), 14)
  return bytes
}

function record(name: string, kind: number, data: Buffer): Buffer {
  const middle = Buffer.alloc(10)
  middle.writeUInt16BE(kind, 0)
  middle.writeUInt16BE(1, 2)
  middle.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameBytes(name), middle, data])
}

const before = getServers()
let nameServer: Awaited<ReturnType<typeof openNameServer>>
beforeAll(async () => {
  nameServer = await openNameServer()
  setServers([nameServer.address])
  useResolver(lookUp)
})
afterAll(() => {
  setServers(before)
  nameServer.socket.close()
})

const vetted = (name: string) =>
  vettedAddresses(readDestination(`https://${name}/`)).catch((error: Unreachable) => error.message)

describe('names that strangers give, asked of a name server', () => {
  for (const name of ['both.example.org', 'both.example.org.', 'BOTH.example.org', 'alias.example.org'])
    test(`${name} has its addresses of both kinds`, async () => {
      expect(((await vetted(name)) as string[]).toSorted()).toEqual(['2606:2800::1', '93.184.216.34'])
    })

  for (const name of ['inside.example.org', 'inside-by-ipv6.example.org', 'inside-by-alias.example.org'])
    test(`${name} is refused for the one address inside`, async () => {
      expect(await vetted(name)).toStartWith('The host is not one that can be reached from the internet')
    })

  test('one that is not there may come to mean something later', async () => {
    const error = await vettedAddresses(readDestination('https://nobody.example.org/')).catch(
      (thrown) => thrown,
    )
    expect([error instanceof Unreachable, error.fault]).toEqual([true, 'unresolved'])
  })

  test('the hosts file is read first', async () => {
    expect(await lookUp('localhost')).toContain('127.0.0.1')
    expect(nameServer.asked).not.toContain('localhost')
  })

  test('unanswered names block neither other names nor file reads', async () => {
    const receiver = openReceiver()
    const call = { headers: {}, body: '{}', timeoutMs: 10_000, bytesMax: 0 }
    let givenUp = 0
    const silent = Array.from({ length: 64 }, (_, i) =>
      postOutside({ ...call, url: `https://silent-${i}.example.org/` }).catch((error: Error) => {
        givenUp += 1
        return error.message
      }),
    )
    const good = {
      ...call,
      isAdministrators: true,
      url: receiver.url.replace('127.0.0.1', 'hooks.folkmoot.test'),
    }
    for (let i = 0; i < 5; i += 1) {
      expect((await postOutside(good)).status).toBe(200)
      expect(await Bun.file(import.meta.path).text()).toContain('silent')
    }
    expect(givenUp).toBe(0)
    expect(new Set(nameServer.asked.filter((name) => name.startsWith('silent'))).size).toBe(64)
    expect(new Set(await Promise.all(silent))).toEqual(
      new Set(['The name of the host could not be resolved']),
    )
    receiver.close()
  })
})
