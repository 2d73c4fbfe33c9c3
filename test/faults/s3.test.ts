import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Address } from '@/config/storage-address'
import { s3Client } from '@/outbound/storage/s3/client'
import { listBucket } from '@/outbound/storage/s3/list'
import { s3Storage } from '@/outbound/storage/s3/s3'
import { presignedUrl } from '@/outbound/storage/s3/sign'
import { type Storage, StorageDown, type StoredObject } from '@/outbound/storage/storage'
import { newBucket } from '../support/swift/bucket'
import { ACCESS_KEY } from '../support/swift/config'
import { type Swift, startSwift } from '../support/swift/swift'

let swift: Swift
let address: S3Address
let storage: Storage
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-s3-'))

beforeAll(async () => {
  swift = await startSwift()
  address = (await newBucket(swift, 'town/hall/')).address
  storage = s3Storage({ address, scratchFolder: folder })
})
afterAll(() => swift?.stop())

const newName = (kind = 'files') => `${kind}/${crypto.randomUUID()}`

async function put(name: string, content: string | Uint8Array) {
  const path = storage.scratch()
  writeFileSync(path, content)
  await storage.adopt(name, path)
  expect(existsSync(path)).toBe(false)
}

const textOf = async (name: string, range?: { start: number; end: number }) => {
  const body = await storage.read(name, range)
  return body === null ? null : new Response(body).text()
}

async function all(listed: AsyncIterable<StoredObject>) {
  const found: StoredObject[] = []
  for await (const one of listed) found.push(one)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

describe('a storage in S3', () => {
  test('gives back what it took over, whole or in part', async () => {
    const name = newName()
    await put(name, 'what people sent')
    expect(await textOf(name)).toBe('what people sent')
    expect(await textOf(name, { start: 5, end: 11 })).toBe('people')
    const found = await storage.find(name)
    expect(found).toMatchObject({ name, size: 16 })
    expect(Math.abs((found?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    await put(name, 'something else')
    expect(await textOf(name)).toBe('something else')
  })

  test('takes ten megabytes and lends them as a file', async () => {
    const name = newName('incoming')
    const content = crypto.getRandomValues(new Uint8Array(65_536))
    const large = Buffer.concat(Array.from({ length: 160 }, () => content))
    await put(name, large)
    const borrowed = await storage.borrow(name)
    expect(Buffer.compare(Buffer.from(await Bun.file(borrowed?.path as string).arrayBuffer()), large)).toBe(0)
    await borrowed?.done()
    expect(readdirSync(folder)).toEqual([])
  })

  test('has nothing where nothing is, and removes what is not there', async () => {
    const name = newName()
    expect(await storage.read(name)).toBeNull()
    expect(await storage.find(name)).toBeNull()
    expect(await storage.borrow(name)).toBeNull()
    await storage.remove(name)
    await put(name, 'text')
    await storage.remove(name)
    expect(await storage.find(name)).toBeNull()
  })

  test('lists all pages of what lies below its prefix, and nothing else', async () => {
    const other = s3Storage({ address: { ...address, prefix: 'elsewhere/' }, scratchFolder: folder })
    const root = s3Storage({ address: { ...address, prefix: '' }, scratchFolder: folder })
    const names = Array.from({ length: 7 }, () => newName()).sort()
    const sizes = names.map((_, i) => i + 1)
    for (const [i, name] of names.entries()) {
      const path = other.scratch()
      writeFileSync(path, 'x'.repeat(i + 1))
      await other.adopt(name, path)
    }
    const seen = await all(other.list(''))
    expect(seen.map(({ name }) => name)).toEqual(names)
    expect(seen.map(({ size }) => size)).toEqual(sizes)
    expect(seen.every(({ modifiedAt }) => Math.abs(modifiedAt.getTime() - Date.now()) < 600_000)).toBe(true)
    for (const page of [1, 2, 3, 7])
      expect(await all(listBucket(s3Client(address), 'elsewhere/', 'files/', { page }))).toEqual(seen)
    expect((await all(other.list(names[0] as string))).map(({ name }) => name)).toEqual(names.slice(0, 1))
    expect(await all(other.list('incoming/'))).toEqual([])
    const strays: string[] = []
    expect(await all(root.list('', (name) => strays.push(name)))).toEqual([])
    expect(strays).toEqual(expect.arrayContaining(names.map((name) => `elsewhere/${name}`)))
  })

  test('refuses another secret, and says so without telling any', async () => {
    const wrong = s3Storage({ address: { ...address, secretKey: 'not-the-secret' }, scratchFolder: folder })
    const failure = await Promise.resolve(wrong.read(newName())).catch((error: unknown) => error as Error)
    expect(failure).toBeInstanceOf(StorageDown)
    expect((failure as Error).message).toBe('The storage refuses a request (SignatureDoesNotMatch)')
    expect(Bun.inspect(failure)).not.toContain('not-the-secret')
  })
})

describe('an address for an upload', () => {
  const PNG = 'image/png'
  const lent = async (name: string, lastsSeconds = 900) =>
    (await storage.presign?.(name, { length: 5, type: PNG, lastsSeconds })) as string
  const send = (url: string, { body = '12345', type = PNG, method = 'PUT' } = {}) =>
    fetch(url, {
      method,
      body: method === 'GET' ? undefined : body,
      headers: type ? { 'content-type': type } : {},
    })

  test('takes exactly what was declared, under an access key with a colon', async () => {
    const name = newName('incoming')
    expect(ACCESS_KEY).toContain(':')
    expect((await send(await lent(name))).status).toBe(200)
    expect(await textOf(name)).toBe('12345')
  })

  test('takes no other length, type, key, method or time', async () => {
    const [name, other] = [newName('incoming'), newName('incoming')]
    const url = await lent(name)
    const refused: [string, Promise<Response>][] = [
      ['shorter', send(url, { body: '1234' })],
      ['longer', send(url, { body: '123456' })],
      ['empty', send(url, { body: '' })],
      ['another type', send(url, { type: 'text/html' })],
      ['a type with more to it', send(url, { type: 'image/png; charset=utf-8' })],
      ['no type', send(url, { type: '', body: '12345' })],
      ['another key', send(url.replace(name, other))],
      ['a key above', send(url.replace(`${name}?`, `${name}/../${other}?`))],
      ['read', send(url, { method: 'GET' })],
      ['post', send(url, { method: 'POST' })],
      ['delete', send(url, { method: 'DELETE' })],
      ['longer life', send(url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'))],
      ['fewer signed headers', send(url.replace('content-length%3B', ''), { body: '123456' })],
      ['no signature', send(url.replace(/&X-Amz-Signature=.*/, ''))],
    ]
    for (const [what, answer] of refused) {
      const { status } = await answer
      expect([what, status >= 400]).toEqual([what, true])
    }
    expect(await storage.find(name)).toBeNull()
    expect(await storage.find(other)).toBeNull()
  })

  test('is worth nothing with any bit of its signature flipped', async () => {
    const name = newName('incoming')
    const url = await lent(name)
    const [, signature = ''] = /Signature=([0-9a-f]{64})$/.exec(url) ?? []
    expect(signature).toHaveLength(64)
    for (let bit = 0; bit < 256; bit += 1) {
      const bytes = Buffer.from(signature, 'hex')
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
      const answer = await send(url.replace(signature, bytes.toString('hex')))
      await answer.arrayBuffer()
      expect([bit, answer.status]).toEqual([bit, 403])
    }
    expect(await storage.find(name)).toBeNull()
  })

  test('ends after its time', async () => {
    const name = newName('incoming')
    const signedAt = (secondsAgo: number) =>
      presignedUrl(
        {
          method: 'PUT',
          url: new URL(`${address.endpoint}/${address.bucket}/${address.prefix}${name}`),
          headers: { 'content-length': '5', 'content-type': PNG },
          at: new Date(Date.now() - secondsAgo * 1000),
          region: address.region,
          keys: address,
        },
        900,
      )
    expect((await send(signedAt(902))).status).toBe(403)
    expect(await storage.find(name)).toBeNull()
    expect((await send(signedAt(840))).status).toBe(200)
  })
})

// The last one: it ends the server.
test('a store that hangs or is gone is an error soon, and is back as soon as it answers', async () => {
  const name = newName()
  await put(name, 'text')
  const hasty = s3Storage({ address, scratchFolder: folder }, s3Client(address, 700))
  swift.freeze()
  await expect(Promise.resolve(hasty.read(name))).rejects.toBeInstanceOf(StorageDown)
  await expect(hasty.find(name)).rejects.toBeInstanceOf(StorageDown)
  await expect(all(hasty.list(''))).rejects.toBeInstanceOf(StorageDown)
  swift.resume()
  expect((await storage.find(name))?.size).toBe(4)
  await swift.stop()
  for (const attempt of [storage.find, storage.remove, storage.borrow, storage.read])
    await expect(Promise.resolve(attempt(name))).rejects.toBeInstanceOf(StorageDown)
  const path = storage.scratch()
  writeFileSync(path, 'text')
  await expect(storage.adopt(name, path)).rejects.toBeInstanceOf(StorageDown)
  expect(readdirSync(folder)).toEqual([])
})
