import { expect, test } from 'bun:test'
import { BlockList, isIPv4 } from 'node:net'
import { ipv4Of, within } from '@/http/address'

const ADDRESSES = ['0.0.0.0', '9.255.255.255', '10.0.0.0', '10.1.2.3', '10.255.255.255', '11.0.0.0'].concat([
  '192.0.2.15',
  '192.0.2.16',
  '192.0.2.31',
  '192.0.2.32',
  '203.0.113.7',
  '255.255.255.255',
])

test('an address is in the ranges that the list of the runtime finds it in', () => {
  for (const ranges of [
    ['10.0.0.0/8'],
    ['192.0.2.19/28', '203.0.113.7'],
    ['0.0.0.0/0'],
    ['10.0.0.0/8', '::1/128'],
    [],
  ]) {
    const list = new BlockList()
    for (const range of ranges) {
      const [address = '', bits] = range.split('/')
      list.addSubnet(address, Number(bits ?? 32), isIPv4(address) ? 'ipv4' : 'ipv6')
    }
    const isWithin = within(ranges)
    for (const address of ADDRESSES)
      expect([ranges, address, isWithin(address)]).toEqual([ranges, address, list.check(address)])
    expect([ranges, isWithin('2001:db8::1')]).toEqual([ranges, false])
  }
  expect(within(['2001:db8::/32'])('2001:db8::1')).toBe(true)
})

test('an address of IPv4 is what the runtime takes for one', () => {
  const texts = [
    '1.2.3.4',
    '255.255.255.255',
    '0.0.0.0',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '1..2.3',
    '.1.2.3',
    '1.2.3.',
  ].concat([
    '01.2.3.4',
    '1.2.3.04',
    '00.0.0.0',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4:80',
    '',
    '1234',
    '1.2.3.4444',
    '::1',
    '١.2.3.4',
    '-1.2.3.4',
    '1e1.2.3.4',
  ])
  for (const text of texts) expect([text, ipv4Of(text) !== undefined]).toEqual([text, isIPv4(text)])
  expect(['10.0.1.2', '255.255.255.255', '0.0.0.9'].map(ipv4Of)).toEqual([0x0a000102, 0xffffffff, 9])
})
