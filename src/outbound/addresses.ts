import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Ranges that are not globally reachable: private, reserved, or mapped to inner addresses. */
const FORBIDDEN_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Unreachable or IPv4-wrapping ranges within global unicast; everything outside of that is refused anyway. */
const FORBIDDEN_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']
const GLOBAL_V6 = '2000::/3'

/** Link-local addresses, cloud metadata services, and ranges that wrap IPv4. */
const LINK_LOCAL_V4 = ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32']
const LINK_LOCAL_V6 = [
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  '::ffff:0:0/96',
  '64:ff9b::/32',
  '2002::/16',
]

const listOf = (ranges: string[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address, bits] = range.split('/') as [string, string]
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const forbiddenV4 = listOf(FORBIDDEN_V4, 'ipv4')
const forbiddenV6 = listOf(FORBIDDEN_V6, 'ipv6')
const globalV6 = listOf([GLOBAL_V6], 'ipv6')
const linkLocalV4 = listOf(LINK_LOCAL_V4, 'ipv4')
const linkLocalV6 = listOf(LINK_LOCAL_V6, 'ipv6')

/** Whether an address is globally reachable; false for a malformed one. */
export function isGloballyReachable(address: string): boolean {
  if (isIPv4(address)) return !forbiddenV4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalV6.check(address, 'ipv6') && !forbiddenV6.check(address, 'ipv6')
}

/** Whether an address belongs to this link or machine only; true for a malformed one. */
export function isLinkLocal(address: string): boolean {
  if (isIPv4(address)) return linkLocalV4.check(address, 'ipv4')
  return !isIPv6(address) || address.includes('%') || linkLocalV6.check(address, 'ipv6')
}
