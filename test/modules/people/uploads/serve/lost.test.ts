import { describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { config } from '@/config/config'
import { refuseUnopened } from '@/http/unopened-file'
import { storage } from '@/outbound/storage/current'
import { placeOf } from '@/outbound/storage/local/disk'
import { apiUrl, call, del, get } from '../../../../support/api'
import { makeCaller } from '../../../../support/make'
import { fileUrl, makeFile, sha256, someBytes } from './fixtures'

const MEGABYTES_8 = 8 * 1024 * 1024

const { address } = config.storage
const pathOf = (file: string | null) =>
  join(address.kind === 'disk' ? address.folder : '', placeOf(`files/${file}`))

test('a file that was cut off is 503, whole, in part and in width, and nobody keeps that', async () => {
  const { key, file } = await makeFile({
    smaller: [{ width: 64, contentType: 'image/png', content: 'smaller' }],
  })
  truncateSync(pathOf(file), 400)
  for (const headers of [{}, { range: 'bytes=0-9' }, { range: 'bytes=500-599' }] as Record<
    string,
    string
  >[]) {
    const { status, body, headers: answered } = await get(fileUrl(key), { headers })
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect([answered.get('cache-control'), answered.get('retry-after')]).toEqual(['no-store', '60'])
  }
  expect((await call('HEAD', fileUrl(key))).status).toBe(503)
  expect((await get(`${fileUrl(key)}?w=64`)).status).toBe(200)
  truncateSync(pathOf(`${file}.64.png`), 0)
  expect((await get(`${fileUrl(key)}?w=64`)).status).toBe(503)
})

describe('a file that cannot be opened', () => {
  test('although it is there is 503, and nothing breaks', async () => {
    const likeAFolder = statSync(mkdtempSync(join(tmpdir(), 'folkmoot-folder-'))).size
    const { key, file } = await makeFile({ content: someBytes(likeAFolder) })
    await storage.remove(`files/${file}`)
    mkdirSync(pathOf(file))
    const { status, body, headers } = await get(fileUrl(key))
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '60'])
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ])
    expect((await get(fileUrl((await makeFile()).key))).status).toBe(200)
  })

  test('because it went just now is 404', async () => {
    const answer = refuseUnopened(Object.assign(new Error('secret path'), { code: 'ENOENT' }))
    expect([answer.status, await answer.json(), answer.headers.get('cache-control')]).toEqual([
      404,
      { error: 'File not found', code: 'not_found' },
      'no-store',
    ])
  })
})

test('a download under way goes on while the file is deleted', async () => {
  const { token, user } = await makeCaller(['write:uploads'])
  const content = someBytes(MEGABYTES_8)
  const { key, file } = await makeFile({ content, ownerId: user.id })
  const answer = await fetch(apiUrl() + fileUrl(key))
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const parts = [(await reader.read()).value as Uint8Array]
  expect((await del(`/v1/uploads/${key}`, { token })).status).toBe(200)
  await storage.remove(`files/${file}`)
  expect((await get(fileUrl(key))).status).toBe(404)
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value)
  expect(sha256(new Uint8Array(Buffer.concat(parts)))).toBe(sha256(content))
})
