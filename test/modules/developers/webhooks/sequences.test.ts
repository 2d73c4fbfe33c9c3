import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { EVENTS } from '@/core/domain-events'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { objectSequences, outbox } from '@/db/tables/outbox'
import { transaction } from '@/db/transaction'
import { emit, emitAll } from '@/outbox/emit'
import { runSweeps } from '../../../../workers/sweeps'
import { del, post } from '../../../support/api'
import { deliverDue, leaveOthersOut } from '../../../support/deliveries'
import { makeUser } from '../../../support/make'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { makeListening } from './fixtures'

leaveOthersOut()

type Addressed = { type: string; data: { sequence: number; userId: string } }

const bodiesOf = (receiver: ReturnType<typeof openReceiver>): Addressed[] =>
  receiver.received.map(({ body }) => JSON.parse(body))

const rising = (numbers: number[]) =>
  numbers.every((number, i) => i === 0 || number > (numbers[i - 1] as number))

/** The domain events about a person, the first written first. */
const domainEventsOf = (userId: string) =>
  db
    .select({ sequence: outbox.sequence, createdAt: outbox.createdAt, payload: outbox.payload })
    .from(outbox)
    .where(sql`type = 'user.updated' and payload ->> 'userId' = ${userId}`)
    .orderBy(sql`payload -> 'fields' ->> 0`)

const objectOf = (userId: string) => sql`hashtextextended(${`user:${userId}`}, 0)`

const change = (userId: string, field: string) => ({ userId, fields: [field] })

describe('the sequence of a payload', () => {
  test('rises with the changes of one object, and is the same on every attempt', async () => {
    const receiver = openReceiver((_, count) => new Response(null, { status: count === 1 ? 500 : 200 }))
    const { happen, id, token } = await makeListening(receiver.url)
    for (let i = 0; i < 3; i += 1) await happen()
    await deliverDue()
    const [failed] = receiver.received
    await post(`/v1/developer/webhooks/${id}/messages/${failed?.id}/retry`, { token })
    await deliverDue()
    const again = receiver.received.filter((one) => one.id === failed?.id)
    expect([again.length, new Set(again.map(({ body }) => body)).size]).toEqual([2, 1])
    const sequences = [...new Set(bodiesOf(receiver).map(({ data }) => data.sequence))]
    expect(sequences.length).toBe(3)
    expect(sequences.every(Number.isSafeInteger)).toBe(true)
    receiver.close()
  })

  test('says which of many changes at once was the last', async () => {
    const receiver = openReceiver()
    const { user, token } = await makeListening(receiver.url, ['user.followed', 'user.unfollowed'])
    const followed = await makeUser()
    const path = `/v1/users/${followed.username}/follow`
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? del : post)(path, { token })))
      await deliverDue()
      const told = bodiesOf(receiver).toSorted((a, b) => a.data.sequence - b.data.sequence)
      // In this order they make sense: nobody begins or ends twice.
      expect(new Set(told.map(({ type }, i) => type === told[i - 1]?.type))).toEqual(new Set([false]))
      const [row] = await db.execute<{ follows: boolean }>(sql`select exists (
        select from follows where follower_id = ${user.id} and followee_id = ${followed.id}) as follows`)
      expect(told.at(-1)?.type).toBe(row?.follows ? 'user.followed' : 'user.unfollowed')
    }
    receiver.close()
  })

  test('has the order of the commits, also where a change begins first and ends last', async () => {
    const { id: userId } = await makeUser()
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = transaction(async (tx) => {
      // It has a time before all of the others.
      await tx.execute(sql`select pg_current_xact_id()`)
      begun.resolve()
      await go.promise
      await emit(tx, 'user.updated', change(userId, 'b-begun-first'))
    })
    await begun.promise
    await transaction((tx) => emit(tx, 'user.updated', change(userId, 'a-committed-first')))
    go.resolve()
    await slow
    const domainEvents = await domainEventsOf(userId)
    expect(rising(domainEvents.map(({ sequence }) => sequence as number))).toBe(true)
    // Control: by their times they come the other way round.
    expect(rising(domainEvents.map(({ createdAt }) => createdAt.getTime()))).toBe(false)
  })

  test('is taken in turn: who comes later waits for the commit, but not for another object', async () => {
    const [{ id: userId }, { id: otherId }] = [await makeUser(), await makeUser()]
    const [taken, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = transaction(async (tx) => {
      await emit(tx, 'user.updated', change(userId, 'a'))
      taken.resolve()
      await go.promise
    })
    await taken.promise
    const second = transaction((tx) => emit(tx, 'user.updated', change(userId, 'b')))
    // Control: the other object is told of at once.
    await transaction((tx) => emit(tx, 'user.updated', change(otherId, 'c')))
    await until('the second waits', async () => {
      const [row] = await db.execute<{
        waiting: number
      }>(sql`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%object_sequences%'`)
      return row?.waiting === 1
    })
    expect((await domainEventsOf(userId)).length).toBe(0)
    go.resolve()
    await Promise.all([first, second])
    expect(rising((await domainEventsOf(userId)).map(({ sequence }) => sequence as number))).toBe(true)
  })

  test('rises when the clock of a server is behind that of another', async () => {
    const { id: userId } = await makeUser()
    await transaction((tx) => emit(tx, 'user.updated', change(userId, 'a')))
    const ahead = (Date.now() + 3_600_000) * 1000
    await db
      .update(objectSequences)
      .set({ last: ahead })
      .where(eq(objectSequences.object, objectOf(userId)))
    await transaction((tx) => emit(tx, 'user.updated', change(userId, 'b')))
    expect((await domainEventsOf(userId))[1]?.sequence).toBe(ahead + 1)
  })

  test('rises within one statement', async () => {
    const { id: userId } = await makeUser()
    const fields = Array.from({ length: 1500 }, (_, i) => String(i).padStart(4, '0'))
    await transaction(async (tx) => {
      await emitAll(
        tx,
        'user.updated',
        fields.map((field) => change(userId, field)),
      )
      await emit(tx, 'user.updated', change(userId, '9999'))
    })
    const domainEvents = await domainEventsOf(userId)
    expect(domainEvents.length).toBe(1501)
    expect(rising(domainEvents.map(({ sequence }) => sequence as number))).toBe(true)
  })

  test('goes on above where it was for an object that was forgotten', async () => {
    const { id: userId } = await makeUser()
    const object = objectOf(userId)
    await transaction((tx) => emit(tx, 'user.updated', change(userId, 'a')))
    const yesterday = (Date.now() - 25 * 3_600_000) * 1000
    await db.update(objectSequences).set({ last: yesterday }).where(eq(objectSequences.object, object))
    await runSweeps()
    expect(await db.$count(objectSequences, eq(objectSequences.object, object))).toBe(0)
    await transaction((tx) => emit(tx, 'user.updated', change(userId, 'b')))
    expect(rising((await domainEventsOf(userId)).map(({ sequence }) => sequence as number))).toBe(true)
  })

  test('is there for a domain event of the release before, which wrote none', async () => {
    const receiver = openReceiver()
    const { user } = await makeListening(receiver.url)
    const payload = change(user.id, 'bio')
    await db.insert(outbox).values({ id: newId(), type: 'user.updated', payload })
    await deliverDue()
    expect(bodiesOf(receiver).map(({ data }) => Number.isSafeInteger(data.sequence))).toEqual([true])
    receiver.close()
  })
})

test('the catalogue knows the object of every event by fields that its data always has', () => {
  for (const [type, { object, data }] of Object.entries(EVENTS))
    expect([
      type,
      object.length > 0 && object.every((field) => (data.required as string[]).includes(field)),
    ]).toEqual([type, true])
})
