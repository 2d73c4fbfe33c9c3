import { expect, test } from 'bun:test'
import { and, eq, isNotNull } from 'drizzle-orm'
import { db } from '@/db/client'
import { connections, passStrangers } from '@/db/tables/passes'
import { connectionsArea, deleteExpiredStrangers } from '@/modules/passes/connections/area'
import { makeUser } from '../../../support/make'
import { isAnyoneWaiting } from '../../../support/meanwhile'
import { until } from '../../../support/processes'
import { connect, makeTag, meetStranger } from '../fixtures'

const DAY_MS = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => ({ createdAt: new Date(Date.now() - days * DAY_MS) })

const sweep = () => connectionsArea.sweeps[0]?.run()

const left = (passId: string) => db.$count(connections, eq(connections.passId, passId))

const kept = async (passId: string) =>
  (await db.select().from(passStrangers).where(eq(passStrangers.passId, passId)))[0]?.kept

/** A tag of somebody with records of strangers of these ages in days. */
async function makeTapped(...ages: number[]) {
  const ownerId = (await makeUser()).id
  const passId = await makeTag({ ownerId })
  for (const age of ages) await meetStranger(ownerId, { passId, ...daysAgo(age) })
  await db.insert(passStrangers).values({ passId, kept: ages.length })
  return { ownerId, passId }
}

test('records of strangers go after 90 days, out of the count of their pass too; people stay', async () => {
  const [one, other] = [await makeTapped(100, 91, 89, 1), await makeTapped(400)]
  await connect(one.ownerId, (await makeUser()).id, { passId: one.passId, ...daysAgo(1000) })
  await sweep()
  expect([await left(one.passId), await kept(one.passId)]).toEqual([3, 2])
  expect([await left(other.passId), await kept(other.passId)]).toEqual([0, 0])
  await sweep()
  expect([await left(one.passId), await kept(one.passId)]).toEqual([3, 2])
})

test('they go in slices, each with its count', async () => {
  const tapped = await Promise.all([makeTapped(101, 102, 103, 104, 1), makeTapped(101, 102, 103)])
  await deleteExpiredStrangers(new Date(Date.now() - 90 * DAY_MS), 2)
  expect(await Promise.all(tapped.map(({ passId }) => kept(passId)))).toEqual([1, 0])
  expect(await Promise.all(tapped.map(({ passId }) => left(passId)))).toEqual([1, 0])
})

test('a stranger who signs in at that moment stays, and leaves the count once', async () => {
  const { ownerId, passId } = await makeTapped(100, 101)
  const visitor = await makeUser()
  let swept: unknown
  await db.transaction(async (tx) => {
    await tx.update(passStrangers).set({ kept: 1 }).where(eq(passStrangers.passId, passId))
    const [record] = await tx
      .select()
      .from(connections)
      .where(and(eq(connections.ownerId, ownerId), isNotNull(connections.strangerHash)))
    await tx
      .update(connections)
      .set({ visitorId: visitor.id, strangerHash: null })
      .where(eq(connections.id, record?.id as string))
    swept = sweep()
    await until('the sweep waits', isAnyoneWaiting, 4000)
  })
  await swept
  expect([await left(passId), await kept(passId)]).toEqual([1, 0])
})
