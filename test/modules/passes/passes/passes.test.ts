import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { passes } from '@/db/tables/passes'
import { get, patch } from '../../../support/api'
import { eventsAbout } from '../../../support/events'
import { makeCaller } from '../../../support/make'
import { makeDesign, makeTag } from '../fixtures'

const SCOPES = ['write:meetpass'] as const

const told = async (type: string, userId: string) =>
  (await eventsAbout(userId)).filter((event) => event.type === type).map(({ data }) => data)

describe('the QR pass', () => {
  test('is made on first use, and is the same from then on', async () => {
    const { user, token } = await makeCaller(['read:meetpass'])
    const first = await get('/v1/meetpass', { token })
    expect([first.status, first.body]).toEqual([
      200,
      {
        data: {
          passes: [
            {
              id: expect.stringMatching(/^[2-9a-hjkmnp-z]{16}$/),
              type: 'qrcode',
              label: null,
              designId: null,
              design: null,
              action: 'profile',
              autoFollow: 0,
              isActive: 1,
              claimedAt: expect.stringMatching(/Z$/),
              createdAt: expect.stringMatching(/Z$/),
            },
          ],
          totalConnections: 0,
        },
      },
    ])
    const { design: _, ...pass } = first.body.data.passes[0]
    const url = expect.stringMatching(new RegExp(`^https?://[^/]+/pass/${pass.id}$`))
    expect((await get('/v1/meetpass', { token })).text).toBe(first.text)
    expect((await get('/v1/meetpass/qr', { token })).body.data).toEqual({ ...pass, connectionCount: 0, url })
    expect((await get(`/v1/meetpass/${pass.id}`, { token })).body.data).toEqual({
      ...pass,
      design: null,
      connectionCount: 0,
      url,
    })
    expect(await told('meetpass.claimed', user.id)).toEqual([
      { userId: user.id, passId: pass.id, passType: 'qrcode' },
    ])
  })

  test('is made by whichever address is asked first', async () => {
    const { token } = await makeCaller(['read:meetpass'])
    const { id } = (await get('/v1/meetpass/qr', { token })).body.data
    expect((await get('/v1/meetpass', { token })).body.data.passes).toHaveLength(1)
    expect((await get('/v1/meetpass', { token })).body.data.passes[0].id).toBe(id)
  })

  test('is one, however often it is asked for at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { user, token } = await makeCaller(['read:meetpass'])
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => get(i % 2 ? '/v1/meetpass' : '/v1/meetpass/qr', { token })),
      )
      const ids = answers.map(({ body }) => body.data.id ?? body.data.passes[0].id)
      expect([new Set(answers.map(({ status }) => status)), new Set(ids).size]).toEqual([new Set([200]), 1])
      expect(await told('meetpass.claimed', user.id)).toHaveLength(1)
    }
  })
})

test('passes come with their designs, the QR pass first and tags as they were minted', async () => {
  const { user, token } = await makeCaller(['read:meetpass'])
  const design = await makeDesign({ imageUrl: 'https://x.example/a.png' })
  const first = await makeTag({ ownerId: user.id, createdAt: new Date('2020-01-01') })
  const second = await makeTag({ ownerId: user.id, createdAt: new Date('2021-01-01'), designId: design.id })
  await makeTag()
  const listed = (await get('/v1/meetpass', { token })).body.data.passes
  expect(listed.map(({ id, type }: { id: string; type: string }) => (type === 'qrcode' ? type : id))).toEqual(
    ['qrcode', first, second],
  )
  expect([listed[2].designId, listed[2].design]).toEqual([
    design.id,
    { name: 'Blue', imageUrl: 'https://x.example/a.png', modelUrl: null, themeColor: 'ocean' },
  ])
  const shouted = await get(`/v1/meetpass/${second.toUpperCase()}`, { token })
  expect([shouted.status, shouted.body.data.id, shouted.body.data.design]).toEqual([
    200,
    second,
    listed[2].design,
  ])
})

describe('settings', () => {
  test('change one at a time and stay otherwise', async () => {
    const { user, token } = await makeCaller([...SCOPES])
    const { id } = (await get('/v1/meetpass/qr', { token })).body.data
    const design = await makeDesign()
    const change = async (json: object) => (await patch(`/v1/meetpass/${id}`, { token, json })).body.data
    const whole = { label: 'Lanyard', action: 'contact', autoFollow: 1, isActive: 0, designId: design.id }
    for (const [field, value] of Object.entries(whole)) await change({ [field]: value })
    expect(await change({})).toMatchObject(whole)
    expect(await change(whole)).toMatchObject(whole)
    expect(await change({ label: null, designId: null, autoFollow: 0, isActive: 1 })).toMatchObject({
      label: null,
      action: 'contact',
      autoFollow: 0,
      isActive: 1,
      designId: null,
    })
    const updates = await told('meetpass.updated', user.id)
    expect(updates.map(({ fields }) => fields)).toEqual([
      ...Object.keys(whole).map((field) => [field]),
      ['label', 'autoFollow', 'isActive', 'designId'],
    ])
    expect(updates[0]).toEqual({ userId: user.id, passId: id, fields: ['label'], previousId: null })
  })

  test('keep to their limits', async () => {
    const { token } = await makeCaller([...SCOPES])
    const { id } = (await get('/v1/meetpass/qr', { token })).body.data
    for (const json of [
      { label: 'x'.repeat(61) },
      { label: 'a\nb' },
      { action: 'dance' },
      { action: null },
      { autoFollow: 2 },
      { autoFollow: true },
      { isActive: '1' },
      { designId: 'no-such-design' },
      { designId: '' },
    ]) {
      const { status, body } = await patch(`/v1/meetpass/${id}`, { token, json })
      expect([json, status, body.code]).toEqual([json, 400, 'validation_error'])
    }
    expect((await patch(`/v1/meetpass/${id}`, { token, json: { label: 'x'.repeat(60) } })).status).toBe(200)
    const truth = await patch(`/v1/meetpass/${id}`, { token, json: { autoFollow: true } })
    expect(truth.body.error).toBe('autoFollow must be 0 or 1')
  })

  test('cannot say whose a pass is, what it is, or how it is called', async () => {
    const { user, token } = await makeCaller([...SCOPES])
    const before = (await get('/v1/meetpass/qr', { token })).body.data
    const other = await makeCaller()
    const json = {
      type: 'nfc',
      ownerId: other.user.id,
      owner_id: other.user.id,
      claimedAt: null,
      createdAt: null,
    }
    expect((await patch(`/v1/meetpass/${before.id}`, { token, json })).status).toBe(200)
    expect((await get('/v1/meetpass/qr', { token })).body.data).toEqual(before)
    expect(await db.$count(passes, eq(passes.ownerId, user.id))).toBe(1)
  })
})

test("another person's pass and a blank tag are the same 404 as a missing one", async () => {
  const [mine, theirs] = [await makeCaller([...SCOPES]), await makeCaller([...SCOPES])]
  const foreign = (await get('/v1/meetpass/qr', { token: theirs.token })).body.data.id
  const { token } = mine
  for (const [ask, json] of [
    [get, undefined],
    [patch, { label: 'Mine' }],
  ] as const) {
    const none = await ask('/v1/meetpass/2222222222222222', { token, json })
    expect(none.status).toBe(404)
    for (const id of [
      foreign,
      await makeTag(),
      await makeTag({ ownerId: theirs.user.id }),
      'x',
      '0'.repeat(16),
    ])
      expect((await ask(`/v1/meetpass/${id}`, { token, json })).text).toBe(none.text)
  }
  expect((await get('/v1/meetpass/qr', { token: theirs.token })).body.data.label).toBe(null)
})

test('each needs its scope', async () => {
  const { token } = await makeCaller(['user', 'write:events'])
  const reader = await makeCaller(['read:meetpass'])
  expect((await get('/v1/meetpass')).status).toBe(401)
  for (const path of ['/v1/meetpass', '/v1/meetpass/qr', '/v1/meetpass/2222222222222222'])
    expect([path, (await get(path, { token })).body.code]).toEqual([path, 'insufficient_scope'])
  const { id } = (await get('/v1/meetpass/qr', { token: reader.token })).body.data
  expect((await patch(`/v1/meetpass/${id}`, { token: reader.token, json: {} })).status).toBe(403)
})
