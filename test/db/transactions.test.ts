import { describe, expect, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { eq, sql } from 'drizzle-orm'
import type { BusMessage } from '@/core/domain-events'
import { db, type Tx } from '@/db/client'
import { answers } from '@/db/pool/answers'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { subscribe } from '@/outbox/bus'
import { emit } from '@/outbox/emit'
import { eventsAbout } from '../support/events'
import { type MadeUser, makeUser } from '../support/make'

const rename = (tx: Tx, { id }: MadeUser, name: string) =>
  tx.update(users).set({ name }).where(eq(users.id, id))

const nameOf = async ({ id }: MadeUser) =>
  (await db.select({ name: users.name }).from(users).where(eq(users.id, id)))[0]?.name

/** Outside of any transaction that is running, as another request would be. */
const elsewhere = AsyncLocalStorage.snapshot()

describe('two conflicting changes', () => {
  test('both commit once, with one domain event each', async () => {
    const [one, two] = [await makeUser(), await makeUser()]
    const heard: BusMessage[] = []
    subscribe((domainEvents) => void heard.push(...domainEvents))
    const met = Promise.withResolvers<void>()
    let [inside, attempts] = [0, 0]
    const change = (first: MadeUser, second: MadeUser) =>
      transaction(async (tx) => {
        attempts += 1
        await emit(tx, 'user.updated', { userId: first.id, fields: ['name'] })
        await rename(tx, first, `first ${first.id}`)
        inside += 1
        if (inside === 2) met.resolve()
        await met.promise
        await rename(tx, second, `second ${second.id}`)
      })
    await Promise.all([change(one, two), change(two, one)])
    // Otherwise they have not met.
    expect(attempts).toBe(3)
    for (const person of [one, two]) {
      expect(await eventsAbout(person.id)).toHaveLength(1)
      expect(heard.filter(({ data }) => 'userId' in data && data.userId === person.id)).toHaveLength(1)
    }
  })

  test('with a stale read are serialized', async () => {
    const person = await makeUser({ name: 'before' })
    let attempts = 0
    await transaction(async (tx) => {
      attempts += 1
      await tx.execute(sql`set transaction isolation level repeatable read`)
      await tx.select().from(users).where(eq(users.id, person.id))
      if (attempts === 1)
        await elsewhere(() =>
          db.update(users).set({ name: 'other' }).where(eq(users.id, person.id)).execute(),
        )
      await rename(tx, person, 'mine')
    })
    expect([attempts, await nameOf(person)]).toEqual([2, 'mine'])
  })
})

test('a change that fails for another reason is not retried', async () => {
  let attempts = 0
  const failing = transaction(async (tx) => {
    attempts += 1
    await tx.execute(sql`select 1 / 0`)
  })
  await failing.catch(() => {})
  expect(attempts).toBe(1)
})

describe('a transaction', () => {
  test('with a failed statement rolls back, even if the error was caught', async () => {
    const person = await makeUser({ name: 'before' })
    const careless = transaction(async (tx) => {
      await rename(tx, person, 'after')
      await tx.execute(sql`select 1 / 0`).catch(() => {})
      return 'done'
    })
    expect(await careless.catch(() => 'refused')).toBe('refused')
    expect(await nameOf(person)).toBe('before')
  })

  test('that fails leaves a clean connection', async () => {
    const [one, two] = [await makeUser({ name: 'before' }), await makeUser({ name: 'before' })]
    for (let i = 0; i < 5; i += 1) {
      const failing = transaction(async (tx) => {
        await rename(tx, one, 'half')
        throw new Error('changed my mind')
      })
      expect(await failing.catch((error: Error) => error.message)).toBe('changed my mind')
      await transaction((tx) => rename(tx, two, `after ${i}`))
    }
    expect([await nameOf(one), await nameOf(two)]).toEqual(['before', 'after 4'])
  })

  test('that has ended accepts no more statements', async () => {
    const person = await makeUser({ name: 'before' })
    let late: Tx | undefined
    await transaction(async (tx) => {
      late = tx
    })
    const outcome = await rename(late as Tx, person, 'late').then(
      () => 'taken',
      () => 'refused',
    )
    expect([outcome, await nameOf(person)]).toEqual(['refused', 'before'])
  })
})

test('a cancelled statement is counted', async () => {
  const before = answers.cancelled
  const slow = transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 20`)
    await tx.execute(sql`select pg_sleep(5)`)
  })
  expect(await slow.catch(() => 'cancelled')).toBe('cancelled')
  expect(answers.cancelled).toBeGreaterThan(before)
})
