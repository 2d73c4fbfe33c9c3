import { describe, expect, test } from 'bun:test'
import ndef from 'ndef'
import sharp from 'sharp'
import { config } from '@/config/config'
import { newPassId } from '@/modules/passes/passes/id'
import { apiUrl, call, get } from '../../../support/api'
import { makeCaller } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { makeQrPass, makeTag } from '../fixtures'
import { decoded } from './decoded'

const FILES = ['qr.svg', 'qr.png', 'ndef']

const bytesAt = async (path: string) => {
  const response = await fetch(apiUrl() + path)
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

const printed = (id: string) => `${config.baseUrl}/PASS/${id}`.toUpperCase()

describe('the assets of a pass', () => {
  test('say its address: a drawing, a picture and the bytes of a tag', async () => {
    const id = await makeQrPass()
    for (const query of ['', '?ecc=Q', '?margin=0', '?margin=16&ecc=M&utm_source=desk'])
      expect(await drawn(`/pass/${id}/qr.svg${query}`)).toBe(printed(id))
    for (const query of ['', '?size=128', '?size=2048'])
      expect(await decoded(await bytesAt(`/pass/${id}/qr.png${query}`))).toBe(printed(id))
    const [record] = ndef.decodeMessage([...(await bytesAt(`/pass/${id}/ndef`))])
    expect(ndef.uri.decodePayload(record?.payload ?? [])).toBe(`${config.baseUrl}/pass/${id}`)
  })

  /** Without a margin it needs some white around it to be found. */
  const drawn = async (path: string) =>
    decoded(
      await sharp(await bytesAt(path), { density: 96 })
        .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#fff' })
        .png()
        .toBuffer(),
    )

  test('exist for blank tags and paused passes, in upper or lower case', async () => {
    const ids = [await makeTag(), await makeQrPass({ isActive: false })]
    for (const id of ids)
      for (const file of FILES) {
        const lower = await get(`/pass/${id}/${file}`)
        const upper = await get(`/PASS/${id.toUpperCase()}/${file}`)
        expect([lower.status, upper.status]).toEqual([200, 200])
        expect(upper.text).toBe(lower.text)
      }
  })

  test('are the same bytes for everyone, from any origin, and known by their tag', async () => {
    const id = await makeQrPass()
    const { token } = await makeCaller()
    for (const file of FILES) {
      const path = `/pass/${id}/${file}`
      const first = await get(path)
      const second = await get(path, { token })
      expect(second.text).toBe(first.text)
      const etag = first.headers.get('etag') as string
      expect(etag).toMatch(/^"[^"]+"$/)
      expect(second.headers.get('etag')).toBe(etag)
      expect(first.headers.get('access-control-allow-origin')).toBe('*')
      expect(first.headers.get('cache-control')).toBe('private, max-age=86400')
      const known = await get(path, { headers: { 'if-none-match': etag } })
      expect([known.status, known.text]).toEqual([304, ''])
      const head = await call('HEAD', path)
      expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
      for (const { headers } of [first, known, head])
        expect(headers.get('x-ratelimit-limit')).toBe(String(config.rateLimits.anonymousPerHour))
    }
    const types = await Promise.all(FILES.map((file) => get(`/pass/${id}/${file}`)))
    expect(types.map(({ headers }) => headers.get('content-type'))).toEqual([
      'image/svg+xml',
      'image/png',
      'application/vnd.nfc.ndef',
    ])
  })

  test('are not charged to the rate limit', async () => {
    const id = await makeQrPass()
    const headers = { 'x-forwarded-for': '198.51.100.77' }
    const remaining = async () =>
      (await get(`/pass/${id}/qr.svg`, { headers })).headers.get('x-ratelimit-remaining')
    expect(await remaining()).toBe(await remaining())
  })

  test.each([
    ['qr.svg?ecc=L', 'ecc'],
    ['qr.svg?ecc=q', 'ecc'],
    ['qr.svg?ecc=', 'ecc'],
    ['qr.svg?ecc=M&ecc=Q', 'ecc'],
    ['qr.svg?margin=-1', 'margin'],
    ['qr.svg?margin=17', 'margin'],
    ['qr.svg?margin=1e1', 'margin'],
    ['qr.svg?margin=4.5', 'margin'],
    ['qr.svg?margin=%00', 'margin'],
    ['qr.png?size=127', 'size'],
    ['qr.png?size=2049', 'size'],
    ['qr.png?size=99999999999999999999', 'size'],
    ['qr.png?size=0x200', 'size'],
    ['qr.png?size=', 'size'],
    ['qr.png?size=512&size=512', 'size'],
  ])('are refused with parameters that make no sense: %s', async (asked, field) => {
    const id = await makeQrPass()
    const { status, body } = await get(`/pass/${id}/${asked}`)
    expect([status, body.code]).toEqual([400, 'validation_error'])
    expect(body.error).toStartWith(`${field} `)
  })

  test('are asked of the table once', async () => {
    const id = await makeQrPass()
    await get(`/pass/${id}/qr.svg`)
    const read = await statementsOf(async () => {
      for (const file of FILES) expect((await get(`/pass/${id}/${file}`)).status).toBe(200)
    })
    expect(read).toBe(0)
  })
})

describe('an id that no pass has', () => {
  test.each(['abcd', 'ABCD2345EFGH678O', '%00', 'abcd2345efgh6789x', '..%2f..', '🦀'])(
    'is 404, whatever it looks like: %s',
    async (id) => {
      for (const file of FILES) {
        const { status, body } = await get(`/pass/${id}/${file}`)
        expect([status, body]).toEqual([404, { error: 'Pass not found', code: 'not_found' }])
      }
    },
  )

  test('is limited per address or person, without blocking known passes', async () => {
    const id = await makeQrPass()
    const headers = { 'x-forwarded-for': '198.51.100.78' }
    const guess = (options: object) => get(`/pass/${newPassId()}/qr.svg`, options)
    for (let i = 0; i < 30; i += 1) expect((await guess({ headers })).status).toBe(404)
    const refused = await guess({ headers })
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

    const { token } = await makeCaller()
    expect((await guess({ headers, token })).status).toBe(404)

    expect((await get(`/pass/${id}/qr.svg`, { headers })).status).toBe(200)
  })
})

test('pictures, which take longest, are twenty a second for an address', async () => {
  const id = await makeQrPass()
  const headers = { 'x-forwarded-for': '198.51.100.79' }
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => get(`/pass/${id}/qr.png?size=${128 + i}`, { headers })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
})
