import { describe, expect, test } from 'bun:test'
import ndef from 'ndef'
import { ndefOf } from '@/modules/passes/symbols/ndef'

const PATH = '/pass/7k3m9qpaxh2tb4rd'

describe('the message of a tag', () => {
  test.each([
    `https://meet.example.org${PATH}`,
    `http://127.0.0.1:3000${PATH}`,
    `https://${'a'.repeat(73)}${PATH}`,
  ])('is one record with an address: %s', (url) => {
    const bytes = ndefOf(url)
    expect(bytes.length).toBeLessThanOrEqual(100)
    const records = ndef.decodeMessage([...bytes])
    expect(records).toHaveLength(1)
    const [record] = records
    expect(record?.tnf).toBe(ndef.TNF_WELL_KNOWN)
    expect(String(record?.type)).toBe('U')
    expect(ndef.uri.decodePayload(record?.payload ?? [])).toBe(url)
  })

  test('shortens the scheme to one byte', () => {
    expect(ndefOf(`https://m.example${PATH}`)[4]).toBe(4)
    expect(ndefOf(`http://m.example${PATH}`)[4]).toBe(3)
  })

  test('is refused where the address would not fit', () => {
    expect(() => ndefOf(`https://${'a'.repeat(74)}${PATH}`)).toThrow(
      'The address of this server is too long for NFC tags, by 1 characters',
    )
  })
})
