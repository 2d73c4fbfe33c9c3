import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { FORMATS } from '@/modules/gatherings/feeds/feed'
import { apiUrl, call } from '../../../support/api'
import { readFeed } from '../../../support/feeds'
import { makeEvent, makeGroup } from '../../../support/make'
import { statementsOf } from '../../../support/statements'

async function stage() {
  const group = await makeGroup()
  for (let i = 0; i < 5; i += 1)
    await makeEvent(group.id, { description: 'Words and more words. '.repeat(20) })
  return (format = 'ics') => `/feeds/groups/${group.urlname}.${format}`
}

/** As it comes over the wire. */
async function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(apiUrl() + path, { method, headers, decompress: false })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers }
}

describe('a reader', () => {
  test('gets the same bytes, tag and date as long as nothing changes', async () => {
    const path = await stage()
    for (const format of FORMATS) {
      const [first, second] = [await readFeed(path(format)), await readFeed(path(format))]
      expect(first.status).toBe(200)
      expect(second.text).toBe(first.text)
      for (const name of ['etag', 'last-modified'])
        expect(second.headers.get(name)).toBe(first.headers.get(name))
      expect(first.headers.get('etag')).toMatch(/^"[\w-]+"$/)
      expect(Date.parse(first.headers.get('last-modified') ?? '')).toBeLessThanOrEqual(Date.now())
      expect(first.headers.get('cache-control')).toBe('public, max-age=300')
      expect(first.headers.get('vary')).toContain('Accept-Encoding')
      expect(first.headers.get('access-control-allow-origin')).toBe('*')
      expect(first.headers.get('content-disposition')).toBeNull()
      expect(first.headers.get('set-cookie')).toBeNull()
      expect(first.headers.get('link')).toContain(`<http://localhost${path(format)}>; rel="self"`)
    }
  })

  test('who has it is told so, by tag or by date, without a statement', async () => {
    const path = (await stage())()
    const plain = { 'accept-encoding': 'identity' }
    const { headers } = await readFeed(path, plain)
    const [etag, date] = [headers.get('etag') as string, headers.get('last-modified') as string]
    const later = new Date(Date.parse(date) + 5000).toUTCString()
    for (const known of [
      { 'if-none-match': etag },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': date },
      { 'if-modified-since': later },
      { 'if-none-match': etag, 'if-modified-since': new Date(0).toUTCString() },
    ] as Record<string, string>[]) {
      const answer = await readFeed(path, known)
      expect({ known, status: answer.status, text: answer.text }).toEqual({ known, status: 304, text: '' })
      expect(answer.headers.get('etag')).toBe(etag)
      expect(answer.headers.get('last-modified')).toBe(date)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
      expect(await statementsOf(() => readFeed(path, known))).toBe(0)
    }
    for (const unknown of [
      { 'if-none-match': '"other"' },
      { 'if-none-match': '"other"', 'if-modified-since': later },
      { 'if-modified-since': new Date(Date.parse(date) - 1000).toUTCString() },
      { 'if-modified-since': 'yesterday' },
    ] as Record<string, string>[])
      expect({ unknown, status: (await readFeed(path, unknown)).status }).toEqual({ unknown, status: 200 })
    expect(await statementsOf(() => readFeed(path))).toBe(0)
  })

  test('gets it compressed, from bytes that are kept, each form under a tag of its own', async () => {
    const path = (await stage())()
    const plain = await raw(path)
    expect(plain.headers.get('content-encoding')).toBeNull()
    const unpack = { gzip: gunzipSync, br: brotliDecompressSync }
    const tags = [plain.headers.get('etag')]
    for (const encoding of ['gzip', 'br'] as const) {
      const packed = await raw(path, { 'accept-encoding': encoding })
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(Buffer.from(unpack[encoding](packed.bytes)).equals(Buffer.from(plain.bytes))).toBe(true)
      const etag = packed.headers.get('etag') as string
      expect(tags).not.toContain(etag)
      tags.push(etag)
      const known = await raw(path, { 'accept-encoding': encoding, 'if-none-match': etag })
      expect([known.response.status, known.headers.get('etag')]).toEqual([304, etag])
      expect(await statementsOf(() => raw(path, { 'accept-encoding': encoding }))).toBe(0)
    }
    const chosen = async (accept: string) =>
      (await raw(path, { 'accept-encoding': accept })).headers.get('content-encoding')
    expect(await chosen('gzip, deflate, br, zstd')).toBe('br')
    expect(await chosen('br;q=0.5, gzip')).toBe('gzip')
    expect(await chosen('br;q=0, gzip;q=0')).toBeNull()
    expect(await chosen('identity, *;q=0')).toBeNull()
    expect(await chosen('*')).toBe('br')
    expect(await chosen('deflate')).toBeNull()
  })

  test('may ask for the head alone', async () => {
    const path = (await stage())()
    const whole = await raw(path)
    const head = await raw(path, {}, 'HEAD')
    expect(head.response.status).toBe(200)
    expect(head.bytes.length).toBe(0)
    expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
    for (const name of ['etag', 'last-modified', 'content-type', 'link'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    const known = await call('HEAD', path, {
      headers: { 'if-none-match': whole.headers.get('etag') as string },
    })
    expect(known.status).toBe(304)
  })

  test('who come in a crowd wait for one reading of the database', async () => {
    const path = (await stage())()
    const alone = await statementsOf(() => readFeed(path), 1)
    const crowd = (await stage())()
    const together = await statementsOf(
      () => Promise.all(Array.from({ length: 100 }, () => readFeed(crowd))),
      1,
    )
    expect(alone).toBeGreaterThan(0)
    expect(together).toBeLessThanOrEqual(alone + 2)
  })
})
