import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { ago, DAY_MS } from '@/core/clock'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { outbox } from '@/db/tables/outbox'
import { removeUnusedClients } from '@/modules/access/oauth/area'
import { lockUnusedClients, stillUnused } from '@/modules/access/oauth/client-registration/queries'
import { deleteClients } from '@/modules/access/oauth/queries'
import { runSweeps } from '../../../../../workers/sweeps'
import { makeUser } from '../../../../support/make'
import { makeClient, makeGrant } from '../../developer-apps/fixtures'

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

const isThere = async (clientId: string) =>
  (await db.$count(oauthClients, eq(oauthClients.clientId, clientId))) === 1

test('a dynamically registered application is deleted after 30 days without use', async () => {
  const person = await makeUser()
  const never = await makeClient({ createdAt: daysAgo(31) })
  const once = await makeClient({ createdAt: daysAgo(90), lastUsedAt: daysAgo(31) })
  const expired = await makeClient({ createdAt: daysAgo(90), lastUsedAt: daysAgo(70) })
  await makeGrant(expired.clientId, person.id, ['read:user'], daysAgo(10))

  const young = await makeClient({ createdAt: daysAgo(29) })
  const used = await makeClient({ createdAt: daysAgo(90), lastUsedAt: daysAgo(29) })
  const held = await makeClient({ createdAt: daysAgo(90), lastUsedAt: daysAgo(40) })
  await makeGrant(held.clientId, person.id)
  const owned = await makeClient({ createdAt: daysAgo(90), ownerId: person.id })

  await runSweeps()

  for (const { clientId } of [never, once, expired]) expect(await isThere(clientId)).toBe(false)
  for (const { clientId } of [young, used, held, owned]) expect(await isThere(clientId)).toBe(true)
  const domainEvents = await db.select().from(outbox).where(eq(outbox.type, 'app.deleted'))
  const mine = domainEvents.filter(
    ({ payload }) => (payload as { clientId: string }).clientId === never.clientId,
  )
  expect(mine.map(({ payload }) => payload)).toEqual([{ clientId: never.clientId, userId: null }])
})

test('an application in a consent at that moment stays', async () => {
  const client = await makeClient({ createdAt: daysAgo(31) })
  const person = await makeUser()
  const [allowing, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const consent = db.transaction(async (tx) => {
    // What a grant's foreign key does to its application's row.
    await tx.select().from(oauthClients).where(eq(oauthClients.clientId, client.clientId)).for('key share')
    allowing.resolve()
    await allowed.promise
  })
  await allowing.promise
  await removeUnusedClients(ago(30 * DAY_MS))
  allowed.resolve()
  await consent
  expect(await isThere(client.clientId)).toBe(true)
  await makeGrant(client.clientId, person.id)
  await removeUnusedClients(ago(30 * DAY_MS))
  expect(await isThere(client.clientId)).toBe(true)
})

test('an application allowed between query and lock stays, and does not loop the sweep', async () => {
  const client = await makeClient({ createdAt: daysAgo(31) })
  await makeGrant(client.clientId, (await makeUser()).id)
  const now = new Date()
  expect(await db.transaction((tx) => lockUnusedClients(tx, now, now, 1000))).not.toContain(client.clientId)
  expect(await db.transaction((tx) => deleteClients(tx, stillUnused(tx, [client.clientId], now)))).toEqual([])
  expect(await isThere(client.clientId)).toBe(true)
})
