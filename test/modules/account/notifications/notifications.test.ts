import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MAIL_KIND_NAMES, MAIL_KINDS } from '@/core/mail-kinds'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { get, patch } from '../../../support/api'
import { makeCaller } from '../../../support/make'

const PATH = '/v1/profile/notifications'

const read = async (token: string) => (await get(PATH, { token })).body.data

describe('the kinds of mail that a person gets', () => {
  test('are all but the weekly one until they say otherwise', async () => {
    const { token } = await makeCaller()
    const chosen = await read(token)
    expect(chosen).toEqual(MAIL_KINDS)
    expect(Object.keys(chosen).filter((kind) => !chosen[kind])).toEqual(['weeklyDigest'])
  })

  test('are switched one by one, and what is left out stays', async () => {
    const { token } = await makeCaller()
    const off = await patch(PATH, { token, json: { newFollower: false } })
    expect([off.status, off.body.data]).toEqual([200, { ...MAIL_KINDS, newFollower: false }])
    const both = await patch(PATH, { token, json: { weeklyDigest: true } })
    expect(both.body.data).toEqual({ ...MAIL_KINDS, newFollower: false, weeklyDigest: true })
    const back = await patch(PATH, { token, json: { newFollower: true, weeklyDigest: false } })
    expect(back.body.data).toEqual(MAIL_KINDS)
    expect(await read(token)).toEqual(MAIL_KINDS)
  })

  test('stay unchanged without input, and are per person', async () => {
    const [ada, ben] = [await makeCaller(), await makeCaller()]
    await patch(PATH, { token: ada.token, json: { badgeEarned: false } })
    const nothing = await patch(PATH, { token: ada.token, json: {} })
    expect([nothing.status, nothing.body.data.badgeEarned]).toEqual([200, false])
    expect(await read(ben.token)).toEqual(MAIL_KINDS)
  })

  test('are on or off and nothing else, and what always comes has no switch', async () => {
    const { token } = await makeCaller()
    for (const wrong of ['off', null, 0, [false]])
      expect((await patch(PATH, { token, json: { newFollower: wrong } })).status).toBe(400)
    await patch(PATH, {
      token,
      json: { signIn: false, constructor: false, __proto__: { newFollower: false } },
    })
    expect(Object.keys(await read(token)).sort()).toEqual([...MAIL_KIND_NAMES].sort())
    expect(await read(token)).toEqual(MAIL_KINDS)
  })

  test('of two changes at the same time both hold', async () => {
    const { token } = await makeCaller()
    await Promise.all(
      MAIL_KIND_NAMES.map((kind) => patch(PATH, { token, json: { [kind]: !MAIL_KINDS[kind] } })),
    )
    const turned = MAIL_KIND_NAMES.map((kind) => [kind, !MAIL_KINDS[kind]])
    expect(await read(token)).toEqual(Object.fromEntries(turned))
  })

  test('end with the person: a credential that outlives them by a moment changes nothing', async () => {
    const { token, user } = await makeCaller()
    await read(token)
    await db.delete(users).where(eq(users.id, user.id))
    expect((await patch(PATH, { token, json: { newFollower: false } })).status).toBe(401)
  })
})
