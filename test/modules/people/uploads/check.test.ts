import { describe, expect, spyOn, test } from 'bun:test'
import { and, eq, inArray } from 'drizzle-orm'
import sharp from 'sharp'
import { pictures } from '@/areas'
import { config } from '@/config/config'
import { advanceClock, DAY_MS } from '@/core/clock'
import { newId } from '@/core/ids'
import { log } from '@/core/log'
import { db } from '@/db/client'
import { uploads } from '@/db/tables/uploads'
import { uploadListener, uploadSweeps } from '@/modules/people/uploads/area'
import { accept } from '@/modules/people/uploads/check/finish'
import { incomingName, objectsOf } from '@/modules/people/uploads/key'
import type { UploadRow } from '@/modules/people/uploads/queries'
import { removeOrphanedUploads } from '@/modules/people/uploads/remove/orphans'
import { finishRemovals } from '@/modules/people/uploads/remove/removals'
import { storage } from '@/outbound/storage/current'
import { StorageDown } from '@/outbound/storage/storage'
import { del, get, post } from '../../../support/api'
import { drain } from '../../../support/drain'
import { checkNext } from '../../../support/lanes'
import { makeCaller } from '../../../support/make'
import { until } from '../../../support/processes'
import { silenceCommits } from '../../../support/silent-commits'
import { ask, asPng, makeUploader, png } from '../../../support/uploads'
import { usualDeadlines } from '../../../support/usual-deadlines'

const bytes = png()

/** A file that has come whole and waits for its check; no worker runs here. */
async function received(token: string, content = bytes, more = {}) {
  const { key } = await ask(token, { ...asPng(content), ...more })
  const incoming = newId()
  const path = storage.scratch()
  await Bun.write(path, content)
  await storage.adopt(incomingName(incoming), path)
  await db
    .update(uploads)
    .set({ state: 'received', incoming, nextCheckAt: new Date(), changedAt: new Date() })
    .where(eq(uploads.key, key))
  return key
}

const rowOf = async (key: string) => (await db.select().from(uploads).where(eq(uploads.key, key)))[0]

const isThere = async (names: string[]) =>
  (await Promise.all(names.map((name) => storage.find(name)))).map((found) => found !== null)

/** Does something between the storing of the checked file and its commit. */
function onceStored(work: () => Promise<void>) {
  const adopt = spyOn(storage, 'adopt').mockImplementationOnce(async (...file) => {
    adopt.mockRestore()
    await storage.adopt(...file)
    await work()
  })
}

async function checkAll() {
  while (await checkNext()) {}
}

describe('the check of files', () => {
  test('takes turns: one person’s many do not hold up another’s one', async () => {
    await checkAll()
    const [many, one] = [await makeUploader(), await makeUploader()]
    const keys = []
    for (let n = 0; n < 4; n += 1) keys.push(await received(many.token))
    await checkNext()
    const last = await received(one.token)
    await checkNext()
    const ready = await db
      .select({ key: uploads.key })
      .from(uploads)
      .where(and(eq(uploads.state, 'ready'), inArray(uploads.key, [...keys, last])))
    expect(ready.map(({ key }) => key).sort()).toEqual([keys[0] as string, last].sort())
    await checkAll()
  })

  test('by two workers at once, since a lease ran out, makes one file, and nothing is left of the other', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token)
    const before = await objectCount()
    await Promise.all([checkNext({ leaseMs: 0 }), checkNext({ leaseMs: 0 })])
    const row = await rowOf(key)
    expect(row?.state).toBe('ready')
    expect(await objectCount()).toBe(before)
    expect(await isThere(objectsOf(row as NonNullable<typeof row>))).toEqual([true])
  })

  test('of a file that is deleted meanwhile leaves nothing', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const before = await objectCount()
    const key = await received(token)
    const checking = checkNext()
    await until('it was claimed', async () => ((await rowOf(key))?.attempts ?? 0) > 0)
    expect((await del(`/v1/uploads/${key}`, { token })).status).toBe(200)
    await checking
    await drain([uploadListener(pictures)])
    expect([await rowOf(key), await objectCount()]).toEqual([undefined, before])
  })

  test('that ends after the file was deleted does not bring it back', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token)
    const upload = (await rowOf(key)) as UploadRow
    expect((await del(`/v1/uploads/${key}`, { token })).status).toBe(200)
    const before = await objectCount()
    const path = storage.scratch()
    await Bun.write(path, bytes)
    const main = { path, contentType: 'image/png', size: bytes.byteLength, sha256: 'x' }
    await accept(upload, { ok: true, type: 'image/png', main, sizes: [], width: 40, height: 30 })
    expect([(await rowOf(key))?.state, await objectCount()]).toEqual(['removed', before])
    expect((await get('/v1/uploads', { token })).body.data).toEqual([])
    await drain([uploadListener(pictures)])
  })

  test('that keeps killing its worker is refused, with a reason for the owner', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token)
    await db.update(uploads).set({ attempts: 5 }).where(eq(uploads.key, key))
    await checkNext()
    expect(await rowOf(key)).toMatchObject({
      state: 'refused',
      reason: 'The file could not be checked: send it again',
    })
  })

  test('waits for a storage that is away, however long, and then goes on', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token)
    const borrow = spyOn(storage, 'borrow').mockRejectedValue(new StorageDown('away'))
    let passed = 0
    try {
      for (let round = 0; round < 8; round += 1) {
        expect(await checkNext()).toBe(true)
        advanceClock(11_000)
        passed += 11_000
      }
      borrow.mockRestore()
      await checkNext()
      expect((await rowOf(key))?.state).toBe('ready')
    } finally {
      borrow.mockRestore()
      advanceClock(-passed)
    }
  })

  test('waits while all connections are in use, however often, and then goes on', async () => {
    using _ = usualDeadlines()
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token)
    // The last attempt that counts.
    await db.update(uploads).set({ attempts: 4 }).where(eq(uploads.key, key))
    const before = await objectCount()
    const freed = Promise.withResolvers<void>()
    let holding: Promise<unknown>[] = []
    onceStored(async () => {
      const begun = Array.from({ length: config.databasePool }, () => Promise.withResolvers<void>())
      holding = begun.map(({ resolve }) =>
        db.transaction(() => {
          resolve()
          return freed.promise
        }),
      )
      await Promise.all(begun.map(({ promise }) => promise))
    })
    const warn = spyOn(log, 'warn').mockImplementation(() => freed.resolve())
    try {
      expect(await checkNext()).toBe(true)
      expect(warn.mock.calls[0]?.[1]).toMatchObject({ code: 'POOL_BUSY' })
      await Promise.all(holding)
      expect(await rowOf(key)).toMatchObject({ state: 'received', reason: null, attempts: 4 })
      expect(await objectCount()).toBe(before)
      advanceClock(3000)
      await checkNext()
      expect((await rowOf(key))?.state).toBe('ready')
    } finally {
      advanceClock(-3000)
      warn.mockRestore()
    }
  })

  test('whose commit is not answered keeps the stored file, since it may be there for good', async () => {
    using _ = usualDeadlines()
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token)
    const answered = Promise.withResolvers<void>()
    let answer = async () => {}
    onceStored(async () => {
      answer = (await silenceCommits('uploads')).answer
    })
    const warn = spyOn(log, 'warn').mockImplementation(() => answered.resolve(answer()))
    try {
      await checkNext()
      expect(warn.mock.calls[0]?.[1]).toMatchObject({ code: 'COMMIT_SILENT' })
      await answered.promise
      expect((await rowOf(key))?.state).toBe('ready')
      expect((await get(`/v1/uploads/file/${key}`)).status).toBe(200)
    } finally {
      warn.mockRestore()
    }
  })

  test('of a file that the storage has lost asks for it again', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token)
    const row = await rowOf(key)
    await storage.remove(incomingName(row?.incoming as string))
    await checkNext()
    expect((await rowOf(key))?.state).toBe('refused')
  })

  test('a picture that has grown by it may not pass the quota', async () => {
    await checkAll()
    const { token, user } = await makeUploader()
    const noise = crypto.getRandomValues(new Uint8Array(64 * 64 * 3))
    const coarse = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
      .jpeg({ quality: 5 })
      .toBuffer()
    const key = await received(token, new Uint8Array(coarse), { contentType: 'image/jpeg' })
    // Another file takes all the room but that which was set aside for this one.
    await db.insert(uploads).values({
      ...{ id: newId(), key: newId(), ownerId: user.id, maker: 'person', category: 'media', filename: 'x' },
      ...{
        contentType: 'application/octet-stream',
        declaredSize: 1,
        state: 'ready',
        file: newId(),
        sha256: 'x',
      },
      ...{
        size: 2 ** 30 - coarse.length,
        expiresAt: new Date(),
        createdAt: new Date(),
        changedAt: new Date(),
      },
    })
    const before = await objectCount()
    await checkNext()
    expect(await rowOf(key)).toMatchObject({
      state: 'refused',
      reason: 'Your files may take 1 GiB together: delete some first',
    })
    expect(await objectCount()).toBe(before - 1)
  })
})

async function objectCount() {
  let count = 0
  for await (const _ of storage.list('')) count += 1
  return count
}

describe('what is over', () => {
  test('a deleted file goes from the storage with its smaller pictures, and its row after it', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token, png(200, 100))
    await checkAll()
    const row = await rowOf(key)
    const names = objectsOf(row as NonNullable<typeof row>)
    expect(names.length).toBeGreaterThan(2)
    expect(await isThere(names)).toEqual(names.map(() => true))
    await del(`/v1/uploads/${key}`, { token })
    await drain([uploadListener(pictures)])
    expect(await isThere(names)).toEqual(names.map(() => false))
    expect(await rowOf(key)).toBeUndefined()
  })

  test('an account takes its files along', async () => {
    await checkAll()
    const { token, user } = await makeUploader()
    const key = await received(token)
    await checkAll()
    const row = await rowOf(key)
    const admin = await makeCaller(['admin'], { role: 'admin' })
    expect((await del(`/v1/admin/users/${user.id}`, { token: admin.token })).status).toBeLessThan(300)
    expect((await rowOf(key))?.ownerId).toBeNull()
    await drain([uploadListener(pictures)])
    expect(await isThere(objectsOf(row as NonNullable<typeof row>))).toEqual([false])
    expect(await rowOf(key)).toBeUndefined()
  })

  test('room that was set aside comes back when nothing was sent', async () => {
    const { token } = await makeUploader()
    const json = {
      category: 'media',
      filename: 'x',
      contentType: 'application/octet-stream',
      size: 10_485_760,
    }
    for (let n = 0; n < 102; n += 1) await ask(token, json)
    const full = await post('/v1/uploads/request', { token, json })
    expect([full.status, full.body.error]).toEqual([
      409,
      'Your files may take 1 GiB together: delete some first, or wait. 102 that you asked for and have not sent count too, and are given back within an hour',
    ])
    try {
      advanceClock(26 * 60_000)
      for (const { run } of uploadSweeps(pictures)) await run()
      expect((await post('/v1/uploads/request', { token, json })).status).toBe(201)
    } finally {
      advanceClock(-26 * 60_000)
    }
    // The last one, which may still come.
    expect((await get('/v1/uploads/usage', { token })).body.data.fileCount).toBe(1)
  })

  test('objects that no row names go after an hour, others stay', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const ready = await received(token, png(100, 100))
    await checkAll()
    // Of an upload that is there, but none of its sizes.
    const nobodys = [`files/${newId()}`, `files/${(await rowOf(ready))?.file}.1280.webp`]
    for (const name of nobodys) {
      const path = storage.scratch()
      await Bun.write(path, 'x')
      await storage.adopt(name, path)
    }
    const kept = await rowOf(await received(token))
    await removeOrphanedUploads()
    expect(await isThere(nobodys)).toEqual([true, true])
    try {
      advanceClock(61 * 60_000)
      await removeOrphanedUploads()
    } finally {
      advanceClock(-61 * 60_000)
    }
    expect(await isThere([...nobodys, incomingName(kept?.incoming as string)])).toEqual([false, false, true])
  })

  test('a row that was refused is kept for a day', async () => {
    await checkAll()
    const { token } = await makeUploader()
    const key = await received(token, new TextEncoder().encode('no picture') as Uint8Array<ArrayBuffer>)
    await checkAll()
    expect((await rowOf(key))?.state).toBe('refused')
    try {
      advanceClock(DAY_MS + 60_000)
      for (const { run } of uploadSweeps(pictures)) await run()
    } finally {
      advanceClock(-DAY_MS - 60_000)
    }
    expect(await rowOf(key)).toBeUndefined()
    await finishRemovals(pictures)
  })
})
