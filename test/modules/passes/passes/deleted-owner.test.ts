import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { passes } from '@/db/tables/passes'
import { users } from '@/db/tables/users'
import { endPassesOf } from '@/modules/account/privacy/erase'
import { qrPassOf } from '@/modules/passes/passes/own-qr'
import { del, get } from '../../../support/api'
import { makeCaller, makeSession } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { connect, makeDesign, makeTag, meetStranger } from '../fixtures'

type Person = Awaited<ReturnType<typeof makeCaller>>

const leave = async ({ user }: Person) =>
  del(`/v1/profile?confirm=${user.username}`, { session: await makeSession(user.id) })

const rowOf = async (id: string) => (await db.select().from(passes).where(eq(passes.id, id)))[0]

test('a deleted account leaves no QR pass, and its tags stay inactive for ever', async () => {
  const [owner, friend] = [await makeCaller(['write:meetpass']), await makeCaller(['write:meetpass'])]
  const qr = (await get('/v1/meetpass/qr', { token: owner.token })).body.data.id
  const tag = await makeTag({
    ownerId: owner.user.id,
    label: 'My jacket',
    action: 'follow',
    autoFollow: true,
    designId: (await makeDesign()).id,
  })
  await connect(owner.user.id, friend.user.id, { passId: qr })
  await meetStranger(owner.user.id, { passId: tag })
  expect((await get('/v1/meetpass', { token: friend.token })).body.data.totalConnections).toBe(1)
  expect((await leave(owner)).status).toBe(200)
  expect(await rowOf(qr)).toBeUndefined()
  expect(await rowOf(tag)).toMatchObject({
    ownerId: null,
    isActive: false,
    label: null,
    designId: null,
    action: 'profile',
    autoFollow: false,
  })
  expect((await get('/v1/meetpass', { token: friend.token })).body.data.totalConnections).toBe(0)
})

test('a QR pass that is made while its owner leaves goes with them', async () => {
  const person = await makeCaller(['read:meetpass'])
  const left = await meanwhile(
    (tx) => qrPassOf(tx, person.user.id),
    () => leave(person),
  )
  expect(left.status).toBe(200)
  expect(await db.$count(passes, eq(passes.ownerId, person.user.id))).toBe(0)
})

test('a QR pass that is asked for while its owner leaves is refused as any credential that ended', async () => {
  const { user, token } = await makeCaller(['read:meetpass'])
  const asked = await meanwhile(
    async (tx) => {
      await endPassesOf(tx, user.id)
      await tx.delete(users).where(eq(users.id, user.id))
    },
    () => get('/v1/meetpass', { token }),
  )
  expect([asked.status, asked.body.code]).toEqual([401, 'unauthorized'])
})
