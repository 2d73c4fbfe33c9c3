import { BlockList, isIP } from 'node:net'
import type { Server } from 'bun'
import { config } from '@/config/config'

let server: Server<unknown> | undefined

export const setServer = (running: Server<unknown>) => {
  server = running
}

const versionOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether an address is in one of these ranges. */
export function within(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const version = versionOf(address)
    list.addSubnet(address, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version)
  }
  return (address) => list.check(address, versionOf(address))
}

const isTrusted = within(config.trustedProxies)

/**
 * The client's address: the socket's, or the right-most hop that is not a proxy of ours when the peer is
 * one. No other header is believed. Without a peer, everyone shares one strict bucket.
 */
export function clientAddress(request: Request): string {
  const peer = server?.requestIP(request)?.address
  if (!peer) return 'unknown'
  if (config.trustedProxies.length === 0) return bucketOfPeer(peer)
  let address = unmapped(peer)
  if (isTrusted(address)) {
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',')
    while (hops.length > 0 && isTrusted(address)) {
      const hop = unmapped((hops.pop() as string).trim())
      if (isIP(hop) === 0) break
      address = hop
    }
  }
  return bucketOf(address)
}

const PEERS_MAX = 10_000
const buckets = new Map<string, string>()

/** Cached, since the same peers come again and again, and working out a bucket costs more than a look-up. */
function bucketOfPeer(peer: string): string {
  let bucket = buckets.get(peer)
  if (bucket === undefined) {
    if (buckets.size >= PEERS_MAX) buckets.clear()
    bucket = bucketOf(unmapped(peer))
    buckets.set(peer, bucket)
  }
  return bucket
}

const unmapped = (address: string) =>
  /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address

/** A household has a whole /64 of IPv6, so that is what counts as one address. */
function bucketOf(address: string): string {
  if (isIP(address) !== 6) return address
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
