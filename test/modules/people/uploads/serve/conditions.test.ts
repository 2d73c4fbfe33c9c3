import { describe, expect, test } from 'bun:test'
import { call } from '../../../../support/api'
import { bytesAt, fileUrl, makeFile, sha256, someBytes } from './fixtures'

const SIZE = 1000

async function makeKnown() {
  const content = someBytes(SIZE)
  const { key } = await makeFile({ content })
  const path = fileUrl(key)
  const etag = `"${sha256(content)}"`
  return { path, etag, content, ask: (headers: Record<string, string>) => bytesAt(path, headers) }
}

describe('If-None-Match', () => {
  test('with the tag, alone, weak, in a list, or with any is 304 with the headers of the file', async () => {
    const { path, etag, ask } = await makeKnown()
    const whole = await ask({})
    for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`, `W/"x",W/${etag} , "y"`]) {
      for (const range of ['', 'bytes=0-3', 'bytes=5000-']) {
        const answer = await ask({ 'if-none-match': known, range })
        expect([known, answer.status, answer.bytes.length]).toEqual([known, 304, 0])
        for (const name of ['etag', 'cache-control', 'content-security-policy', 'x-content-type-options'])
          expect([name, answer.headers.get(name)]).toEqual([name, whole.headers.get(name)])
      }
      const head = await call('HEAD', path, { headers: { 'if-none-match': known } })
      expect([known, head.status]).toEqual([known, 304])
    }
  })

  test('with other tags is the file', async () => {
    const { etag, ask } = await makeKnown()
    for (const known of ['"other"', etag.slice(1, -1), '', 'W/*', `"${etag}"`, `${etag}x`, '"*"'])
      expect([known, (await ask({ 'if-none-match': known })).status]).toEqual([known, 200])
  })
})

describe('HEAD', () => {
  test('says the length and sends nothing, whatever part is asked for', async () => {
    const { path, ask } = await makeKnown()
    const whole = await ask({})
    for (const range of ['', 'bytes=0-3', 'bytes=5000-']) {
      const head = await call('HEAD', path, { headers: { range } })
      expect([head.status, head.text]).toEqual([200, ''])
      for (const name of ['content-length', 'content-type', 'etag', 'accept-ranges', 'content-disposition'])
        expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)])
    }
  })
})

describe('Range', () => {
  test('is the part that is asked for', async () => {
    const { ask, content, etag } = await makeKnown()
    const parts: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=0-99', 0, 100],
      ['bytes=10-', 10, SIZE],
      ['bytes=999-999', 999, SIZE],
      ['bytes=990-99999999999999999999', 990, SIZE],
      ['bytes=-1', 999, SIZE],
      ['bytes=-100', 900, SIZE],
      ['bytes=-5000', 0, SIZE],
      ['bytes=-99999999999999999999', 0, SIZE],
      ['bytes=0-999', 0, SIZE],
      ['BYTES=1-2', 1, 3],
      ['bytes = 1 - 2', 1, 3],
      ['bytes=00001-00002', 1, 3],
    ]
    for (const [range, start, end] of parts)
      for (const more of [{}, { 'if-range': etag }] as Record<string, string>[]) {
        const { status, headers, bytes } = await ask({ range, ...more })
        expect([range, status, headers.get('content-range')]).toEqual([
          range,
          206,
          `bytes ${start}-${end - 1}/${SIZE}`,
        ])
        expect([range, headers.get('content-length'), headers.get('etag')]).toEqual([
          range,
          String(end - start),
          etag,
        ])
        expect(Buffer.from(bytes).equals(content.subarray(start, end))).toBe(true)
      }
  })

  test('after the end is 416, which says how long the file is', async () => {
    const { path } = await makeKnown()
    for (const range of ['bytes=1000-', 'bytes=1000-1001', 'bytes=99999999999999999999-', 'bytes=-0']) {
      const { status, body, headers } = await call('GET', path, { headers: { range } })
      expect([range, status, body]).toEqual([
        range,
        416,
        { error: 'The file ends after 1000 bytes', code: 'range_not_satisfiable' },
      ])
      expect([headers.get('content-range'), headers.get('cache-control')]).toEqual([
        'bytes */1000',
        'no-store',
      ])
    }
  })

  test('that is malformed, or several at once, is the whole', async () => {
    const { ask, content } = await makeKnown()
    const odd = ['bytes', 'bytes=', 'bytes=-', 'bytes=3-1', 'bytes=1-2,4-5', 'bytes=1-2,', 'bytes=+1-2']
    for (const range of [...odd, 'bytes=0x1-2', 'bytes=1-2;q=1', 'items=1-2', '1-2', 'bytes=1.5-2', ' ']) {
      const { status, headers, bytes } = await ask({ range })
      expect([range, status, headers.get('content-range')]).toEqual([range, 200, null])
      expect(Buffer.from(bytes).equals(content)).toBe(true)
    }
  })

  test('is the whole where If-Range names something else', async () => {
    const { ask, etag, content } = await makeKnown()
    for (const condition of ['"other"', `W/${etag}`, 'Sun, 15 Nov 2099 00:00:00 GMT', `${etag}, "x"`])
      for (const range of ['bytes=1-2', 'bytes=5000-']) {
        const { status, bytes } = await ask({ range, 'if-range': condition })
        expect([condition, status]).toEqual([condition, 200])
        expect(Buffer.from(bytes).equals(content)).toBe(true)
      }
  })
})
