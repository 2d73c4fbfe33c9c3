import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { del, get, post } from '../../../support/api'
import { startUploadChecks } from '../../../support/lanes'
import { makeCaller } from '../../../support/make'
import { ask, asPng, makeUploader, png, send, upload } from '../../../support/uploads'

let checks: ReturnType<typeof startUploadChecks>
beforeAll(() => {
  checks = startUploadChecks()
})
afterAll(() => checks.stop())

const IMAGE = { category: 'avatar', filename: 'me.png', contentType: 'image/png', size: 100 }

describe('asking for an upload', () => {
  test('gives a key that the server made, an address to send to and one to read from', async () => {
    const { token } = await makeUploader()
    const { status, body } = await post('/v1/uploads/request', { token, json: IMAGE })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      key: expect.stringMatching(/^avatar\/[\w-]{22}\/me\.png$/),
      uploadUrl: expect.stringMatching(/^http:\/\/localhost\/uploads\/[\w-]+\.[\w-]{43}$/),
      publicUrl: `http://localhost/v1/uploads/file/${body.data.key}`,
    })
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot'],
    ['.htaccess', 'htaccess'],
    ['a"b<c>.html', 'a-b-c'],
    ['\u202egnp.exe', 'gnp'],
    ['Grüße aus Köln.JPEG', 'Gru-e-aus-Koln'],
    ['🎉', 'file'],
    ['...', 'file'],
    ['CON', 'CON'],
    [`${'x'.repeat(251)}.png`, 'x'.repeat(60)],
  ])('a file called %j has only harmless letters in its key', async (filename, name) => {
    const { token } = await makeUploader()
    const { key } = await ask(token, { ...IMAGE, filename })
    expect(key.split('/')[2]).toBe(`${name}.png`)
  })

  test.each([
    ['../../etc/passwd', 'passwd.bin'],
    ['.htaccess', 'htaccess.bin'],
    ['/', 'file.bin'],
    ['table.XLSX', 'table.xlsx'],
    ['a.b!c', 'a.bin'],
  ])('of a file of any kind called %j the ending stays, if it is one', async (filename, name) => {
    const { token } = await makeUploader()
    const any = { ...IMAGE, category: 'media', contentType: 'application/octet-stream', filename }
    expect((await ask(token, any)).key.split('/')[2]).toBe(name)
  })

  test.each([
    ['category', { category: undefined }],
    ['category', { category: 'banner' }],
    ['filename', { filename: '' }],
    ['filename', { filename: 'x'.repeat(256) }],
    ['filename', { filename: 'a\nb.png' }],
    ['filename', { filename: 'a\0b.png' }],
    ['contentType', { contentType: 'image/svg+xml' }],
    ['contentType', { contentType: 'text/html' }],
    ['contentType', { contentType: 'model/gltf-binary' }],
    ['contentType', { contentType: 'application/octet-stream' }],
    ['contentType', { category: 'meetpass-model', contentType: 'image/png' }],
    ['size', { size: 0 }],
    ['size', { size: -1 }],
    ['size', { size: 1.5 }],
    ['size', { size: '10' }],
    ['size', { size: 10_485_761 }],
  ])('a wrong %s is refused: %j', async (field, change) => {
    const { token } = await makeUploader()
    const { status, body } = await post('/v1/uploads/request', { token, json: { ...IMAGE, ...change } })
    expect([status, body.code]).toEqual([400, 'validation_error'])
    expect(body.error).toStartWith(`${field} `)
  })

  test('twice with one Idempotency-Key sets room aside once, and its address is shown once', async () => {
    const { token } = await makeUploader()
    const askWith = (key: string) =>
      post('/v1/uploads/request', { token, json: IMAGE, headers: { 'idempotency-key': key } })
    expect((await askWith('one')).status).toBe(201)
    const again = await askWith('one')
    expect([again.status, again.body]).toEqual([
      409,
      { error: expect.stringContaining('a secret that is shown only once'), code: 'conflict' },
    ])
    expect((await askWith('two')).status).toBe(201)
  })

  const PICTURES = 'contentType must be image/jpeg, image/png, image/gif or image/webp for a picture'
  const EVERY = `${PICTURES}, model/gltf-binary for a model, or application/octet-stream for any other file`
  const HEIC = `${PICTURES}: save it as JPEG, PNG, GIF or WebP and send that`
  const BYTES = 'size must be a whole number of at least 1 and at most 10485760 bytes (10 MB)'
  test.each([
    [{ contentType: 'image/heic' }, HEIC],
    [{ contentType: 'IMAGE/HEIC' }, HEIC],
    [{ contentType: 'text/html' }, EVERY],
    [{ contentType: '' }, EVERY],
    [{ contentType: 7 }, EVERY],
    [
      { contentType: 'model/gltf+json' },
      'contentType must be model/gltf-binary for a model: export it as one .glb file',
    ],
    [{ contentType: undefined }, 'contentType is required'],
    [{ size: 10_485_761 }, BYTES],
    [{ size: '10' }, BYTES],
    [{ size: undefined }, 'size is required'],
  ])('what is wrong with %j is said with what to do', async (change, sentence) => {
    const { token } = await makeUploader()
    const { body } = await post('/v1/uploads/request', { token, json: { ...IMAGE, ...change } })
    expect(body).toEqual({ error: sentence, code: 'validation_error' })
  })

  test.each([10_485_760, 1e7])('%d bytes are not too many', async (size) => {
    const { token } = await makeUploader()
    await ask(token, { ...IMAGE, category: 'media', contentType: 'application/octet-stream', size })
  })
})

describe('a file', () => {
  test('is counted from the request on, and listed once it was sent and checked', async () => {
    const { token } = await makeUploader()
    const bytes = png()
    const { key, uploadUrl } = await ask(token, asPng(bytes))
    const before = await get('/v1/uploads', { token })
    expect(before.body).toMatchObject({ data: [], pagination: { total: 0 } })
    expect((await get('/v1/uploads/usage', { token })).body.data).toEqual({
      totalSize: bytes.byteLength,
      fileCount: 1,
      byCategory: { avatar: { size: bytes.byteLength, count: 1 } },
    })

    const sent = await send(uploadUrl, bytes)
    expect(sent).toEqual({
      status: 200,
      body: {
        data: {
          key,
          category: 'avatar',
          filename: 'me.png',
          contentType: 'image/png',
          size: expect.any(Number),
          createdAt: expect.any(String),
        },
      },
    })
    const { data } = (await get('/v1/uploads', { token })).body
    expect(data).toEqual([sent.body.data])
    const { size } = sent.body.data
    expect((await get('/v1/uploads/usage', { token })).body.data).toEqual({
      totalSize: size,
      fileCount: 1,
      byCategory: { avatar: { size, count: 1 } },
    })
  })

  test('that is not what was declared is refused with a reason, and takes no room', async () => {
    const { token } = await makeUploader()
    const bytes = new TextEncoder().encode('<html><script>alert(1)</script>')
    const { uploadUrl } = await ask(token, asPng(bytes))
    const { status, body } = await send(uploadUrl, bytes)
    expect([status, body.code]).toEqual([400, 'bad_request'])
    expect(body.error).toMatch(/PNG/)
    expect((await get('/v1/uploads', { token })).body.data).toEqual([])
  })

  test('is found by its category, page by page in both directions', async () => {
    const { token } = await makeUploader()
    for (const category of ['avatar', 'media', 'avatar', 'avatar'])
      await upload(token, png(8, 8), { category })
    const page = async (query: string) => (await get(`/v1/uploads?limit=2${query}`, { token })).body
    const first = await page('&category=avatar')
    expect([first.data.length, first.pagination.total, first.pagination.hasMore]).toEqual([2, 3, true])
    const second = await page(`&category=avatar&cursor=${first.pagination.nextCursor}`)
    expect(second.data.length).toBe(1)
    const back = await page(`&category=avatar&before=${second.pagination.prevCursor}`)
    expect(back.data).toEqual(first.data)
    expect((await page('&category=unheard-of')).data).toEqual([])
    expect((await page(`&cursor=${first.pagination.nextCursor}`)).code).toBe('bad_request')
    const { byCategory } = (await get('/v1/uploads/usage', { token })).body.data
    expect([byCategory.avatar.count, byCategory.media.count]).toEqual([3, 1])
  })
})

describe('deleting a file', () => {
  test.each([
    ['as it is', (key: string) => key],
    ['encoded', (key: string) => encodeURIComponent(key)],
  ])('works by its key, %s, and only once', async (_, written) => {
    const { token } = await makeUploader()
    const { key } = await upload(token)
    const path = `/v1/uploads/${written(key)}`
    expect((await del(path, { token })).body).toEqual({ data: { success: true } })
    expect((await get('/v1/uploads', { token })).body.data).toEqual([])
    expect((await del(path, { token })).status).toBe(404)
  })

  test('is for its owner: others get the same response as for a missing file', async () => {
    const [owner, stranger] = [await makeUploader(), await makeUploader()]
    const { key } = await upload(owner.token)
    const foreign = await del(`/v1/uploads/${key}`, { token: stranger.token })
    const missing = await del(`/v1/uploads/${key}x`, { token: stranger.token })
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    expect((await get('/v1/uploads', { token: owner.token })).body.data.length).toBe(1)
  })

  test('of others is for administrators, and is in the audit log', async () => {
    const owner = await makeUploader()
    const { key } = await upload(owner.token)
    const admin = await makeCaller(['admin'], { role: 'admin' })
    expect((await del(`/v1/uploads/${key}`, { token: admin.token })).status).toBe(200)
    expect((await get('/v1/uploads', { token: owner.token })).body.data).toEqual([])
    const { data } = (await get('/v1/admin/audit-log?limit=1', { token: admin.token })).body
    expect(data[0]).toMatchObject({ action: 'upload.delete', targetType: 'upload' })
  })

  test('an administrator without the admin scope is like any other person', async () => {
    const owner = await makeUploader()
    const { key } = await upload(owner.token)
    const admin = await makeCaller(['write:uploads'], { role: 'admin' })
    expect((await del(`/v1/uploads/${key}`, { token: admin.token })).status).toBe(404)
  })

  test.each(['..%2f..%2fetc%2fpasswd', '%2e%2e/%2e%2e/x', '%ff%fe', '%', 'a%00b', '////', 'avatar/'])(
    '%s names nothing',
    async (path) => {
      const { token } = await makeUploader()
      expect((await del(`/v1/uploads/${path}`, { token })).status).toBe(404)
    },
  )
})
