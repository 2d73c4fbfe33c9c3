import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { config } from '@/config/config'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { entitlements } from '@/db/tables/administration'
import { post } from '../../../support/api'
import { makeAdmin, makeCaller, makeGroup } from '../../../support/make'

const entitle = (userId: string, entitlement = 'group.create', expiresAt: Date | null = null) =>
  db.insert(entitlements).values({ id: newId(), userId, entitlement, expiresAt, source: 'admin' })

const heldBy = async (userId: string) =>
  (await db.select().from(entitlements).where(eq(entitlements.userId, userId))).map(
    ({ entitlement }) => entitlement,
  )

const found = (token: string, urlname = `made-${randomHex(6)}`, more = {}) =>
  post('/v1/manage/groups', { token, json: { urlname, name: 'X', ...more } })

const REFUSED = {
  error: 'Creating a group needs an entitlement, which an administrator can give',
  code: 'forbidden',
}

describe('where founding a group needs an entitlement', () => {
  beforeEach(() => {
    config.groupCreation = 'entitled'
  })
  afterEach(() => {
    config.groupCreation = 'open'
  })

  test('one is used up by the group that it founds', async () => {
    const me = await makeCaller(['manage:groups'])
    expect((await found(me.token)).body).toEqual(REFUSED)
    await entitle(me.user.id)
    await entitle(me.user.id, 'beta')
    expect((await found(me.token)).status).toBe(201)
    expect(await heldBy(me.user.id)).toEqual(['beta'])
    const again = await found(me.token)
    expect([again.status, again.body]).toEqual([403, REFUSED])
  })

  test("another, an expired or another person's entitlement does not count", async () => {
    const me = await makeCaller(['manage:groups'])
    await entitle(me.user.id, 'group.createx')
    await entitle(me.user.id, 'group.create', new Date(Date.now() - 1))
    await entitle((await makeCaller(['manage:groups'])).user.id)
    expect((await found(me.token)).status).toBe(403)
    expect((await heldBy(me.user.id)).sort()).toEqual(['group.create', 'group.createx'])
  })

  test('a creation that fails leaves it, and who has none learns nothing of names', async () => {
    const [me, stranger] = [await makeCaller(['manage:groups']), await makeCaller(['manage:groups'])]
    await entitle(me.user.id)
    const taken = (await makeGroup()).urlname
    for (const urlname of [taken, 'new']) {
      expect((await found(me.token, urlname)).status).toBe(409)
      expect((await found(stranger.token, urlname)).body).toEqual(REFUSED)
    }
    expect((await found(me.token, 'x')).status).toBe(400)
    expect((await found(me.token, undefined, { socialLinks: [] })).status).toBe(400)
    expect(await heldBy(me.user.id)).toEqual(['group.create'])
    expect((await found(me.token)).status).toBe(201)
  })

  test('administrators need none and spend none', async () => {
    const admin = await makeAdmin()
    await entitle(admin.user.id)
    expect((await found(admin.token)).status).toBe(201)
    expect(await heldBy(admin.user.id)).toEqual(['group.create'])
  })

  test('one that an administrator gives is good for one of many creations at once', async () => {
    const admin = await makeAdmin()
    const me = await makeCaller(['manage:groups'])
    const given = await post(`/v1/admin/users/${me.user.username}/entitlements`, {
      token: admin.token,
      json: { entitlement: 'group.create' },
    })
    expect(given.status).toBe(201)
    const answers = await Promise.all(Array.from({ length: 8 }, () => found(me.token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(403)])
  })
})

test('where it needs none, none is spent', async () => {
  const me = await makeCaller(['manage:groups'])
  await entitle(me.user.id)
  expect((await found(me.token)).status).toBe(201)
  expect(await heldBy(me.user.id)).toEqual(['group.create'])
  config.groupCreation = 'admin'
  const refused = await found(me.token)
  config.groupCreation = 'open'
  expect([refused.status, refused.body.error]).toEqual([403, 'Only administrators create groups here'])
  expect(await heldBy(me.user.id)).toEqual(['group.create'])
})
