import { BlockList, isIP } from 'node:net'
import type { Server } from 'bun'
import { config } from '@/config/config'
import { badRequest } from '@/core/errors'
import { isOurHost } from '@/core/own-addresses'
import type { Visit } from './visit'

const hostOf = (url: string) => new URL(url).host

const legacyHost = config.legacyBaseUrl === null ? null : hostOf(config.legacyBaseUrl)

/** In production an unknown host is refused, so that it cannot poison a cache. */
export function demandKnownHost(visit: Visit) {
  if (config.checkHost && !isServed(visit.request.headers.get('host') ?? '') && !visit.traits.anyHost)
    throw badRequest('This host is not served here')
}

/** Host names are case-insensitive (QR codes spell ours in capitals); the default port and a trailing dot are equivalent. */
const isServed = (host: string) =>
  isOurHost(host) ||
  isOurHost(host.toLowerCase().replace(/\.?(:(80|443))?$/, '')) ||
  isOurHost(host.toLowerCase())

export const isLegacyHost = (request: Request) =>
  legacyHost !== null && request.headers.get('host') === legacyHost

let server: Server<unknown> | undefined

export const setServer = (running: Server<unknown>) => {
  server = running
}

/** Requests in flight; null without a server. */
export const inFlight = () => server?.pendingRequests ?? null

const versionOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

export function within(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const version = versionOf(address)
    list.addSubnet(address, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version)
  }
  const isListed = (address: string) => list.check(address, versionOf(address))
  const networks = networksOf(ranges)
  if (networks === undefined) return isListed
  return (address) => {
    const number = ipv4Of(address)
    if (number === undefined) return isListed(address)
    return networks.some(({ first, size }) => number >= first && number < first + size)
  }
}

type Network = { first: number; size: number }

/** IPv4 ranges as numbers, which compare faster than a BlockList; undefined if some are IPv6. */
function networksOf(ranges: readonly string[]): Network[] | undefined {
  const networks: Network[] = []
  for (const range of ranges) {
    const [address = '', bits = '32'] = range.split('/')
    const number = ipv4Of(address)
    if (number === undefined) return undefined
    const size = 2 ** (32 - Number(bits))
    networks.push({ first: number - (number % size), size })
  }
  return networks
}

const [DOT, ZERO, NINE] = [0x2e, 0x30, 0x39]

/** The number of an IPv4 address, or undefined. Parsed by hand, since every proxied request has one. */
export function ipv4Of(text: string): number | undefined {
  let number = 0
  let part = 0
  let digits = 0
  let dots = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      if (digits === 0 || dots === 3) return undefined
      number = number * 256 + part
      part = digits = 0
      dots += 1
    } else if (code < ZERO || code > NINE) return undefined
    else {
      // Some parsers read a leading zero as octal.
      if (digits > 0 && part === 0) return undefined
      part = part * 10 + code - ZERO
      digits += 1
      if (part > 255) return undefined
    }
  }
  return dots === 3 && digits > 0 ? number * 256 + part : undefined
}

const isAddress = (text: string) => ipv4Of(text) !== undefined || isIP(text) !== 0

const isListedVenue = within(config.venues)

/** A venue configured by the operator: a hall full of people shares one address. An IPv6 network counts by its first address. */
export const isVenue = (address: string): boolean =>
  config.venues.length > 0 && isListedVenue(address.replace(/\/64$/, ''))

const isTrusted = within(config.trustedProxies)

/**
 * The client's address: the socket's, or behind our proxies the right-most untrusted hop. No other header is trusted. Without a
 * peer, all share one strict bucket.
 */
export function clientAddress(request: Request): string {
  const address = server?.requestIP(request)?.address
  if (!address) return 'unknown'
  const peer = knownPeer(address)
  return peer.isProxy ? bucketOf(lastHop(request, peer.address)) : peer.bucket
}

/** The right-most hop that is not our proxy, and before `proxy` itself. */
function lastHop(request: Request, proxy: string): string {
  const hops = request.headers.get('x-forwarded-for')
  if (hops === null) return proxy
  let address = proxy
  for (let end = hops.length; end >= 0; ) {
    const start = hops.lastIndexOf(',', end - 1) + 1
    const hop = unmapped(withoutPort(hops.slice(start, end).trim()))
    if (!isAddress(hop)) return address
    address = hop
    if (start === 0 || !isTrusted(address)) return address
    end = start - 1
  }
  return address
}

/** Some proxies add the client's port, and brackets around IPv6 (RFC 7239, 6). */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5})$/.exec(hop) ?? []
  return ipv6 ?? ipv4 ?? hop
}

const PEERS_MAX = 10_000

type Peer = { address: string; bucket: string; isProxy: boolean }
const peers = new Map<string, Peer>()

/** Cached, because classifying a peer costs more than a look-up. */
function knownPeer(shown: string): Peer {
  let peer = peers.get(shown)
  if (peer === undefined) {
    if (peers.size >= PEERS_MAX) peers.clear()
    const address = unmapped(shown)
    peer = { address, bucket: bucketOf(address), isProxy: isTrusted(address) }
    peers.set(shown, peer)
  }
  return peer
}

const unmapped = (address: string) =>
  address.startsWith('::') && /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address

/** A household has a whole IPv6 /64, so that counts as one address. */
function bucketOf(address: string): string {
  if (ipv4Of(address) !== undefined || isIP(address) !== 6) return address
  const [head = '', tail = ''] = (address.split('%')[0] as string).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = address.includes('::')
    ? [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
    : left
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
