import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { passes } from '@/db/tables/passes'
import { endPassesOf } from '@/modules/account/privacy/erase'
import { newPassId } from '@/modules/passes/passes/id'
import { get, patch, post } from '../../../support/api'
import { eventsAbout } from '../../../support/events'
import { makeCaller, makeUser } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { connect, makeDesign, makeTag } from '../fixtures'

const makePerson = () => makeCaller(['write:meetpass'])

const qrOf = async ({ token }: { token: string }) => (await get('/v1/meetpass/qr', { token })).body.data

const claim = (id: string, { token }: { token: string }) => post(`/v1/meetpass/${id}/claim`, { token })

const tagsOf = async ({ token }: { token: string }): Promise<string[]> =>
  (await get('/v1/meetpass', { token })).body.data.passes.slice(1).map(({ id }: { id: string }) => id)

describe('a blank tag', () => {
  test('is claimed by the first request, in upper or lower case', async () => {
    const [first, second] = [await makePerson(), await makePerson()]
    const id = await makeTag()
    const claimed = await claim(id.toUpperCase(), first)
    expect([claimed.status, claimed.body.data]).toEqual([
      200,
      {
        id,
        type: 'nfc',
        label: null,
        designId: null,
        action: 'profile',
        autoFollow: 0,
        isActive: 1,
        claimedAt: expect.stringMatching(/Z$/),
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
    expect(await tagsOf(first)).toEqual([id])
    expect((await eventsAbout(id)).map(({ type, data }) => [type, data])).toEqual([
      ['meetpass.claimed', { userId: first.user.id, passId: id, passType: 'nfc' }],
    ])
    const late = await claim(id, second)
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
    const again = await claim(id, first)
    expect([again.status, again.body.error]).toEqual([409, 'This pass is yours already'])
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([[id], []])
  })

  test('keeps the design that it was minted with', async () => {
    const [person, design] = [await makePerson(), await makeDesign()]
    const id = await makeTag({ designId: design.id })
    expect((await claim(id, person)).body.data.designId).toBe(design.id)
  })

  test('that another person claims concurrently is theirs', async () => {
    const [faster, slower] = [await makePerson(), await makePerson()]
    const id = await makeTag()
    const late = await meanwhile(
      (tx) => tx.update(passes).set({ ownerId: faster.user.id }).where(eq(passes.id, id)),
      () => claim(id, slower),
    )
    expect([late.status, late.body.error]).toEqual([409, 'This pass has already been claimed'])
    expect([await tagsOf(faster), await tagsOf(slower)]).toEqual([[id], []])
  })
})

test('a pass that cannot be claimed has one message for every reason', async () => {
  const [person, other] = [await makePerson(), await makePerson()]
  const suspended = await makeUser({ suspendedAt: new Date() })
  const deleted = await makeUser()
  const dead = await makeTag({ ownerId: deleted.id })
  await db.transaction((tx) => endPassesOf(tx, deleted.id))
  const taken = await claim(await makeTag({ ownerId: other.user.id }), person)
  expect(taken.status).toBe(409)
  for (const id of [
    (await qrOf(other)).id,
    await makeTag({ ownerId: other.user.id, isActive: false }),
    await makeTag({ ownerId: suspended.id }),
    dead,
  ]) {
    const refused = await claim(id, person)
    expect([refused.status, refused.text]).toEqual([409, taken.text])
  }
})

test('ids that do not exist are limited, however right the next one is', async () => {
  const person = await makePerson()
  for (let guess = 0; guess < 30; guess += 1)
    expect((await claim(guess % 2 ? newPassId() : 'x', person)).status).toBe(404)
  const id = await makeTag()
  const refused = await claim(id, person)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect((await claim(id, await makePerson())).status).toBe(200)
})

test('a person with all the passes that one may have still gets the QR pass', async () => {
  const person = await makePerson()
  for (let tag = 0; tag < 19; tag += 1) await makeTag({ ownerId: person.user.id })
  const refused = await claim(await makeTag(), person)
  expect([refused.status, refused.body.error]).toEqual([
    409,
    'You have 20 passes already, your QR pass included: release a tag first',
  ])
  // Whether a tag exists is told first.
  expect((await claim(newPassId(), person)).status).toBe(404)
  expect((await get('/v1/meetpass', { token: person.token })).body.data.passes).toHaveLength(20)
})

describe('a released tag', () => {
  test('is blank again, and tells nothing of who had it', async () => {
    const [owner, next, friend] = [await makePerson(), await makePerson(), await makePerson()]
    const [blank, id] = [await makeTag(), await makeTag({ ownerId: owner.user.id })]
    const json = {
      label: 'Mine',
      action: 'follow',
      autoFollow: 1,
      isActive: 0,
      designId: (await makeDesign()).id,
    }
    expect((await patch(`/v1/meetpass/${id}`, { token: owner.token, json })).status).toBe(200)
    await connect(owner.user.id, friend.user.id, { passId: id })
    const released = await post(`/v1/meetpass/${id}/release`, { token: owner.token })
    expect([released.status, released.body]).toEqual([200, { data: { success: true } }])
    expect((await eventsAbout(id)).at(-1)).toEqual({
      type: 'meetpass.released',
      data: { userId: owner.user.id, passId: id },
    })
    expect(await tagsOf(owner)).toEqual([])
    expect((await post(`/v1/meetpass/${id}/release`, { token: owner.token })).status).toBe(404)
    const fresh = (await claim(blank, next)).body.data
    const claimed = (await claim(id, next)).body.data
    const { token } = next
    expect(claimed).toEqual({ ...fresh, id, claimedAt: expect.any(String), createdAt: expect.any(String) })
    // Who was met by it stays with who met them.
    expect((await get(`/v1/meetpass/${id}`, { token })).body.data.connectionCount).toBe(0)
    expect((await get('/v1/meetpass', { token })).body.data.totalConnections).toBe(0)
    expect((await get('/v1/meetpass', { token: owner.token })).body.data.totalConnections).toBe(1)
  })

  test('has to be a tag', async () => {
    const person = await makePerson()
    const { id } = await qrOf(person)
    const refused = await post(`/v1/meetpass/${id}/release`, { token: person.token })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect((await qrOf(person)).id).toBe(id)
  })
})

describe('a rotated QR pass', () => {
  test('has a new id, its settings and its people; the old id is unknown', async () => {
    const [person, friend] = [await makePerson(), await makePerson()]
    const { token } = person
    const before = await qrOf(person)
    await patch(`/v1/meetpass/${before.id}`, { token, json: { label: 'On my laptop' } })
    await connect(person.user.id, friend.user.id, { passId: before.id })
    const rotated = await post(`/v1/meetpass/${before.id}/rotate`, { token })
    expect(rotated.status).toBe(200)
    const { id } = rotated.body.data
    expect(id).not.toBe(before.id)
    expect(await qrOf(person)).toEqual({
      ...before,
      id,
      label: 'On my laptop',
      connectionCount: 1,
      url: before.url.replace(before.id, id),
    })
    expect((await eventsAbout(id)).at(-1)).toEqual({
      type: 'meetpass.updated',
      data: { userId: person.user.id, passId: id, fields: ['id'], previousId: before.id },
    })
    for (const path of ['', '/claim', '/release', '/rotate'])
      expect((await (path ? post : get)(`/v1/meetpass/${before.id}${path}`, { token })).status).toBe(404)
  })

  test('has to be a QR pass', async () => {
    const person = await makePerson()
    const id = await makeTag({ ownerId: person.user.id })
    const refused = await post(`/v1/meetpass/${id}/rotate`, { token: person.token })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(await tagsOf(person)).toEqual([id])
  })
})

test("another person's pass and a blank tag are the same 404 as a missing one", async () => {
  const [person, other] = [await makePerson(), await makePerson()]
  const { token } = person
  for (const path of ['release', 'rotate']) {
    const none = await post(`/v1/meetpass/${newPassId()}/${path}`, { token })
    expect(none.status).toBe(404)
    const foreign = [(await qrOf(other)).id, await makeTag({ ownerId: other.user.id }), await makeTag(), 'x']
    for (const id of foreign)
      expect((await post(`/v1/meetpass/${id}/${path}`, { token })).text).toBe(none.text)
  }
})

test('a read-only token may do none of this', async () => {
  const { user, token } = await makeCaller(['read:meetpass'])
  const id = await makeTag({ ownerId: user.id })
  for (const path of ['claim', 'release', 'rotate'])
    expect((await post(`/v1/meetpass/${id}/${path}`, { token })).body.code).toBe('insufficient_scope')
})
