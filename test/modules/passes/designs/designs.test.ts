import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { listeners, pictures } from '@/areas'
import { DAY_MS } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { uploads } from '@/db/tables/uploads'
import { passCache } from '@/modules/passes/passes/cache'
import { noteUnused, removeUnused } from '@/modules/people/uploads/uses/unused'
import { del, get, post } from '../../../support/api'
import { drain } from '../../../support/drain'
import { makeAdmin, makeUser } from '../../../support/make'
import { makeUpload } from '../../../support/make-upload'
import { later } from '../../../support/time'
import { makeQrPass } from '../fixtures'

const PATH = '/v1/admin/meetpass/designs'
const newDesign = (more: object = {}) => ({ id: `design-${randomHex(6)}`, name: 'Night sky', ...more })

const model = (ownerId: string) =>
  makeUpload(ownerId, { category: 'meetpass-model', contentType: 'model/gltf-binary', filename: 'pin.glb' })
const picture = (ownerId: string) => makeUpload(ownerId, { category: 'meetpass-image' })

const stateOf = async ({ id }: { id: string }) =>
  (await db.select({ state: uploads.state }).from(uploads).where(eq(uploads.id, id)))[0]?.state

describe('a design', () => {
  test('is made with a picture, a model and a colour, and listed', async () => {
    const { user, token } = await makeAdmin()
    const [image, glb] = [await picture(user.id), await model(user.id)]
    const json = newDesign({ imageUrl: image.url, modelUrl: glb.url, themeColor: 'violet' })
    const made = await post(PATH, { token, json })
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({ ...json, createdAt: expect.any(String) })
    const bare = await post(PATH, { token, json: newDesign() })
    expect(bare.body.data).toMatchObject({ imageUrl: null, modelUrl: null, themeColor: null })
    const listed = []
    for (let cursor = ''; ; ) {
      const { body } = await get(`${PATH}?limit=100${cursor}`, { token })
      listed.push(...body.data)
      if (!body.pagination.hasMore) break
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
    expect(listed.filter(({ id }: { id: string }) => id === json.id)).toEqual([made.body.data])
  })

  test('may show what is elsewhere', async () => {
    const { token } = await makeAdmin()
    const json = newDesign({
      imageUrl: 'https://pictures.example/sky.png',
      modelUrl: 'https://models.example/pin.glb',
    })
    expect((await post(PATH, { token, json })).body.data).toMatchObject(json)
  })

  test('has an id of its own: one that is taken is 409, and of many at once one gets it', async () => {
    const { token } = await makeAdmin()
    const json = newDesign()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(PATH, { token, json })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  })

  test.each([
    ['id', { id: '' }],
    ['id', { id: 'Night Sky' }],
    ['id', { id: '-sky' }],
    ['id', { id: 'x'.repeat(61) }],
    ['id', { id: undefined }],
    ['name', { name: '' }],
    ['name', { name: 'two\nlines' }],
    ['imageUrl', { imageUrl: 'javascript:alert(1)' }],
    ['modelUrl', { modelUrl: 'file:///etc/passwd' }],
    ['themeColor', { themeColor: '#ff0000' }],
  ])('is refused with a %s that makes no sense: %j', async (field, wrong) => {
    const { token } = await makeAdmin()
    const { status, body } = await post(PATH, { token, json: { ...newDesign(), ...wrong } })
    expect([status, body.code]).toEqual([400, 'validation_error'])
    expect(body.error).toStartWith(`${field} `)
  })

  test('takes files of its maker alone, a model for a model and a picture for a picture', async () => {
    const { user, token } = await makeAdmin()
    const other = await makeUser()
    const [image, glb] = [await picture(user.id), await model(user.id)]
    for (const [field, { url }] of [
      ['imageUrl', glb],
      ['modelUrl', image],
      ['imageUrl', await picture(other.id)],
      ['modelUrl', await model(other.id)],
      ['imageUrl', await makeUpload(user.id, { category: 'avatar' })],
      ['modelUrl', await makeUpload(user.id, { category: 'media' })],
    ] as const) {
      const { status, body } = await post(PATH, { token, json: newDesign({ [field]: url }) })
      expect([status, body.code]).toEqual([400, 'validation_error'])
      expect(body.error).toStartWith(`${field} must be the address of a`)
    }
    const media = await makeUpload(user.id, { category: 'media', contentType: 'model/gltf-binary' })
    expect((await post(PATH, { token, json: newDesign({ modelUrl: media.url }) })).status).toBe(201)
  })
})

describe('files of designs', () => {
  test('are in use, and go a day after nothing shows them', async () => {
    const { user, token } = await makeAdmin()
    const [image, glb] = [await picture(user.id), await model(user.id)]
    const unused = [await picture(user.id), await model(user.id)]
    await post(PATH, { token, json: newDesign({ imageUrl: image.url, modelUrl: glb.url }) })
    await noteUnused(pictures)
    await later(DAY_MS + 1000, () => removeUnused(pictures))
    expect([await stateOf(image), await stateOf(glb)]).toEqual(['ready', 'ready'])
    expect(await Promise.all(unused.map(stateOf))).toEqual(['removed', 'removed'])
  })

  test('that are deleted leave the design and the passes that have it', async () => {
    const { user, token } = await makeAdmin()
    const image = await picture(user.id)
    const json = newDesign({ imageUrl: image.url, themeColor: 'rose' })
    await post(PATH, { token, json })
    const passId = await makeQrPass({ designId: json.id })
    expect((await passCache.get(passId))?.design?.imageUrl).toBe(image.url)
    expect((await del(`/v1/uploads/${image.key}`, { token })).status).toBe(200)
    await drain(listeners)
    expect((await passCache.get(passId))?.design).toMatchObject({ imageUrl: null, themeColor: 'rose' })
  })
})
