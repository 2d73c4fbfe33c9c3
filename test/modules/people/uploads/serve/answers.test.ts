import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { uploads } from '@/db/tables/uploads'
import { storage } from '@/outbound/storage/current'
import { call, del, get, post } from '../../../../support/api'
import { makeCaller, makeUser } from '../../../../support/make'
import { statementsOf } from '../../../../support/statements'
import { bytesAt, fileUrl, makeFile, sha256, someBytes } from './fixtures'

describe('a file', () => {
  test('is served byte for byte to anyone, with its type, and kept for ever', async () => {
    const bytes = someBytes(123_457)
    const { key } = await makeFile({ content: bytes, contentType: 'image/jpeg', filename: 'Mein Foto.jpeg' })
    const answer = await bytesAt(fileUrl(key))
    expect(answer.status).toBe(200)
    expect(sha256(answer.bytes)).toBe(sha256(bytes))
    const said = Object.fromEntries(answer.headers)
    expect(said).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '123457',
      etag: `"${sha256(bytes)}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-frame-options': 'DENY',
      vary: 'Origin',
      'content-disposition': `inline; filename="Mein-Foto.jpg"; filename*=UTF-8''Mein%20Foto.jpg`,
    })
    expect([said['x-ratelimit-limit'], said['x-ratelimit-remaining']]).toEqual(['60', '60'])
    for (const absent of ['set-cookie', 'last-modified'])
      expect([absent, said[absent]]).toEqual([absent, undefined])
  })

  test('that is no picture is an attachment, whatever its name says', async () => {
    for (const contentType of ['application/octet-stream', 'model/gltf-binary'] as const) {
      const { key } = await makeFile({ contentType, filename: 'page.html' })
      const { headers } = await bytesAt(fileUrl(key))
      expect(headers.get('content-type')).toBe(contentType)
      expect(headers.get('content-disposition')).toStartWith('attachment; filename="page.')
    }
    const { key } = await makeFile({ contentType: 'image/png', filename: 'evil\u202egnp.html' })
    expect((await bytesAt(fileUrl(key))).headers.get('content-disposition')).toStartWith(
      'inline; filename="evil-gnp.png"',
    )
  })

  test('has the same address with encoded slashes', async () => {
    const { key, sha256: hash } = await makeFile()
    for (const path of [encodeURIComponent(key), key.replace('/', '%2f'), key.replaceAll('/', '%2F')])
      expect((await get(fileUrl(path))).headers.get('etag')).toBe(`"${hash}"`)
  })

  test('is not counted', async () => {
    const { key } = await makeFile()
    const headers = { 'x-forwarded-for': '10.221.0.1' }
    for (let i = 0; i < 70; i += 1) expect((await call('HEAD', fileUrl(key), { headers })).status).toBe(200)
    const missing = await get(fileUrl('media/nowhere'), { headers })
    expect([missing.status, missing.headers.get('x-ratelimit-remaining')]).toEqual([404, '60'])
  })

  test('takes no statement once it is known', async () => {
    const { key } = await makeFile()
    await get(fileUrl(key))
    expect(await statementsOf(() => get(fileUrl(key)))).toBe(0)
  })
})

describe('a file that is not served', () => {
  const refused = async (path: string) => {
    const { status, body, headers } = await get(path)
    return [status, body?.code, body?.error, headers.get('cache-control'), headers.get('retry-after')]
  }
  const not = (sentence: string) => [404, 'not_found', sentence, 'no-store', null]
  const notYet = (sentence: string) => [404, 'not_found', sentence, 'no-store', '2']

  test('is 404, and whoever has its key is told why, and when to look again', async () => {
    const { token, user } = await makeCaller(['write:uploads'])
    const asked = await post('/v1/uploads/request', {
      token,
      json: { category: 'media', filename: 'a.png', contentType: 'image/png', size: 10 },
    })
    expect(await refused(fileUrl(asked.body.data.key))).toEqual(notYet('This file has not been sent yet'))
    const incoming = crypto.randomUUID()
    const received = await makeFile({ state: 'received', incoming, nextCheckAt: new Date(Date.now() + 1e9) })
    expect(await refused(fileUrl(received.key))).toEqual(
      notYet('This file is still being checked: try again in a moment'),
    )
    const bad = await makeFile({ ownerId: user.id, state: 'refused', reason: 'It is no picture' })
    expect(await refused(fileUrl(bad.key))).toEqual(not('This file was refused: It is no picture'))
    const removed = await makeFile({ state: 'removed' })
    expect(await refused(fileUrl(removed.key))).toEqual(not('File not found'))
    const unknown = removed.key.replace(/\/.{22}\//, '/AAAAAAAAAAAAAAAAAAAAAA/')
    expect(await refused(fileUrl(unknown))).toEqual(not('File not found'))
  })

  test('that was deleted is 404 at once', async () => {
    const { token, user } = await makeCaller(['write:uploads'])
    const { key } = await makeFile({ ownerId: user.id })
    expect((await get(fileUrl(key))).status).toBe(200)
    expect((await del(`/v1/uploads/${key}`, { token })).status).toBe(200)
    expect(await refused(fileUrl(key))).toEqual(not('File not found'))
    expect((await get(fileUrl(key), { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  test('that is missing in the storage is 404 by every method', async () => {
    const { key, file } = await makeFile()
    expect((await get(fileUrl(key))).status).toBe(200)
    await storage.remove(`files/${file}`)
    expect(await refused(fileUrl(key))).toEqual(not('File not found'))
    expect((await get(fileUrl(key), { headers: { range: 'bytes=1-2' } })).status).toBe(404)
    expect((await call('HEAD', fileUrl(key))).status).toBe(404)
  })

  test('is not remembered as missing', async () => {
    const owner = await makeUser()
    const row = await makeFile({ ownerId: owner.id, state: 'refused', reason: 'x' })
    expect((await get(fileUrl(row.key))).status).toBe(404)
    await db.update(uploads).set({ state: 'ready', reason: null }).where(eq(uploads.id, row.id))
    expect((await get(fileUrl(row.key))).status).toBe(200)
  })
})
