import { afterEach, describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { unavailableBy } from '@/core/errors'
import { db } from '@/db/client'
import { heartbeats, outbox, reactions } from '@/db/tables/outbox'
import { transaction } from '@/db/transaction'
import { subscribe } from '@/outbox/bus'
import { emit, emitAll } from '@/outbox/emit'
import { listener } from '@/outbox/listener'
import { react, relayEvents, sweepReactions } from '@/outbox/relay'
import { drain } from '../support/drain'
import { until } from '../support/processes'

afterEach(() => drain([]))

/** A reaction whose effect can be counted: a row in a table that nothing else reads. */
const counting = (name: string, fail: () => boolean = () => false) =>
  listener({
    name,
    on: ['token.revoked'],
    react: async (tx, { data }) => {
      await tx.insert(heartbeats).values({
        worker: `${name}:${crypto.randomUUID()}:${(data as { userId: string }).userId}`,
        at: new Date(),
      })
      if (fail()) throw new Error('not this time')
    },
  })

const effects = async (name: string, userId: string) =>
  (await db.select().from(heartbeats)).filter(
    ({ worker }) => worker.startsWith(`${name}:`) && worker.endsWith(userId),
  ).length

const happen = async () => {
  const userId = Bun.randomUUIDv7()
  await transaction((tx) => emit(tx, 'token.revoked', { tokenId: Bun.randomUUIDv7(), userId }))
  const rows = await db.select().from(outbox)
  return {
    userId,
    outboxId: rows.find(({ payload }) => (payload as { userId: string }).userId === userId)?.id as string,
  }
}

const reactionTo = async (outboxId: string) =>
  (await db.select().from(reactions).where(eq(reactions.outboxId, outboxId)))[0]

test('inside a transaction the pool is unavailable', async () => {
  const waiting = transaction(async () => {
    await db.$count(outbox)
  })
  const fault = await waiting.catch((error: Error) => (error.cause as Error).message)
  expect(fault).toBe('Inside a transaction every statement goes through its tx')
})

describe('a domain event', () => {
  test('reaches each listener once, even if its job is delivered repeatedly', async () => {
    const both = [counting('first'), counting('second')]
    const { userId, outboxId } = await happen()
    const jobs = await relayEvents(both)
    expect(jobs.filter((job) => job.outboxId === outboxId).map(({ listener }) => listener)).toEqual([
      'first',
      'second',
    ])
    await Promise.all(Array.from({ length: 10 }, () => react(both, outboxId, 'first')))
    await react(both, outboxId, 'second')
    expect([await effects('first', userId), await effects('second', userId)]).toEqual([1, 1])
    expect((await relayEvents(both)).filter((job) => job.outboxId === outboxId)).toEqual([])
  })

  test('is delayed by its own failure, not by a busy database', async () => {
    const { outboxId } = await happen()
    const event = async () => (await db.select().from(outbox).where(eq(outbox.id, outboxId)))[0]
    const failing = (error: Error) => relayEvents([], () => Promise.reject(error))
    await expect(failing(unavailableBy('POOL_BUSY'))).rejects.toMatchObject({ appCode: 'unavailable' })
    expect(await event()).toMatchObject({ tries: 0, retryAt: null })
    await failing(new Error('this one'))
    expect(await event()).toMatchObject({ tries: 1, retryAt: expect.any(Date) })
    await db.update(outbox).set({ retryAt: null }).where(eq(outbox.id, outboxId))
  })

  test('has one effect if its job is delivered again while it runs', async () => {
    const [inside, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let effects = 0
    const slow = [
      listener({
        name: 'slow',
        on: ['token.revoked'],
        react: async () => {
          effects += 1
          inside.resolve()
          await release.promise
        },
      }),
    ]
    const { outboxId } = await happen()
    await relayEvents(slow)
    const first = react(slow, outboxId, 'slow')
    await inside.promise
    let isBack = false
    const again = react(slow, outboxId, 'slow').then(() => {
      isBack = true
    })
    await until('the second has gone its way', () => isBack || effects > 1)
    release.resolve()
    await Promise.all([first, again])
    expect(effects).toBe(1)
  })

  test('that another relay holds does not block the others', async () => {
    const heard = [counting('patient')]
    const [held, other] = [await happen(), await happen()]
    const taken = async () => (await relayEvents(heard)).map(({ outboxId }) => outboxId)
    await db.transaction(async (tx) => {
      await tx.select().from(outbox).where(eq(outbox.id, held.outboxId)).for('update')
      const meanwhile = await taken()
      expect([meanwhile.includes(other.outboxId), meanwhile.includes(held.outboxId)]).toEqual([true, false])
    })
    expect(await taken()).toContain(held.outboxId)
  })

  test('does not exist if its change was rolled back', async () => {
    const userId = Bun.randomUUIDv7()
    const failing = transaction(async (tx) => {
      await emit(tx, 'token.revoked', { tokenId: Bun.randomUUIDv7(), userId })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await failing.catch(() => {})
    expect(
      (await db.select().from(outbox)).some(
        ({ payload }) => (payload as { userId: string }).userId === userId,
      ),
    ).toBe(false)
  })

  test('with a failed reaction leaves no partial effect and is retried when due', async () => {
    let failures = 2
    const stubborn = [counting('stubborn', () => failures-- > 0)]
    const { userId, outboxId } = await happen()
    await relayEvents(stubborn)
    await react(stubborn, outboxId, 'stubborn')
    const row = async () =>
      (
        await db
          .select()
          .from(reactions)
          .where(and(eq(reactions.outboxId, outboxId), eq(reactions.listener, 'stubborn')))
      )[0]
    expect(await row()).toMatchObject({ status: 'pending', attempts: 1, lastError: 'Error: not this time' })
    expect(await effects('stubborn', userId)).toBe(0)
    expect((await row())?.nextAttemptAt.getTime()).toBeGreaterThan(Date.now())
    await react(stubborn, outboxId, 'stubborn')
    await react(stubborn, outboxId, 'stubborn')
    expect(await row()).toMatchObject({ status: 'done', attempts: 2 })
    expect(await effects('stubborn', userId)).toBe(1)
  })

  test('is retried if its effect fails', async () => {
    let failures = 1
    const effects: string[] = []
    const mailing = [
      listener({
        name: 'mailing',
        on: ['token.revoked'],
        effect: async (event) => {
          if (failures-- > 0) throw new Error('not this time')
          effects.push(event.id)
        },
      }),
    ]
    const { outboxId } = await happen()
    await relayEvents(mailing)
    await react(mailing, outboxId, 'mailing')
    expect(await reactionTo(outboxId)).toMatchObject({ status: 'pending', attempts: 1 })
    await react(mailing, outboxId, 'mailing')
    await react(mailing, outboxId, 'mailing')
    expect(await reactionTo(outboxId)).toMatchObject({ status: 'done', attempts: 1 })
    expect(effects).toEqual([outboxId])
  })

  test('runs its effect once at a time, and again if the process died', async () => {
    const [inside, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let begun = 0
    const slow = [
      listener({
        name: 'slow-effect',
        on: ['token.revoked'],
        effect: async () => {
          begun += 1
          inside.resolve()
          if (begun === 1) await release.promise
        },
      }),
    ]
    const { outboxId } = await happen()
    await relayEvents(slow)
    const first = react(slow, outboxId, 'slow-effect')
    await inside.promise
    await react(slow, outboxId, 'slow-effect')
    expect(begun).toBe(1)
    expect((await sweepReactions()).map((job) => job.outboxId)).not.toContain(outboxId)
    // As if it had died: its lease runs out.
    await db.update(reactions).set({ nextAttemptAt: new Date() }).where(eq(reactions.outboxId, outboxId))
    expect((await sweepReactions()).map((job) => job.outboxId)).toContain(outboxId)
    await react(slow, outboxId, 'slow-effect')
    expect(begun).toBe(2)
    expect((await reactionTo(outboxId))?.status).toBe('done')
    release.resolve()
    await first
  })

  test('with a lost job is found by the sweep, once per round', async () => {
    const lost = [counting('lost')]
    const { outboxId } = await happen()
    await relayEvents(lost)
    await db
      .update(reactions)
      .set({ nextAttemptAt: new Date(Date.now() - 1000) })
      .where(eq(reactions.outboxId, outboxId))
    const [one, two] = await Promise.all([sweepReactions(), sweepReactions()])
    expect([...one, ...two].filter((job) => job.outboxId === outboxId)).toHaveLength(1)
    await react(lost, outboxId, 'lost')
  })

  test('of a cancellation is relayed first, also if its job was lost', async () => {
    const [eventId, groupId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const promotions = Array.from({ length: 500 }, () => {
      const [rsvpId, userId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
      return { eventId, groupId, rsvpId, userId }
    })
    await transaction((tx) => emitAll(tx, 'rsvp.promoted', promotions))
    await transaction((tx) => emit(tx, 'event.cancelled', { eventId, groupId }))
    const heard = [
      listener({ name: 'promoted', on: ['rsvp.promoted'], react: async () => {} }),
      listener({ name: 'cancelled', isUrgent: true, on: ['event.cancelled'], react: async () => {} }),
    ]
    const relayed = await relayEvents(heard)
    expect(relayed.filter((job) => job.listener === 'cancelled')).toHaveLength(1)
    while ((await relayEvents(heard)).length > 0) {}
    await db.update(reactions).set({ nextAttemptAt: sql`now() - interval '1 minute'` })
    await db
      .update(reactions)
      .set({ nextAttemptAt: sql`now() - interval '1 second'` })
      .where(eq(reactions.listener, 'cancelled'))
    const again = await sweepReactions()
    expect(again.filter((job) => job.listener === 'cancelled')).toHaveLength(1)
    await db.update(reactions).set({ status: 'done' })
  })

  test('of a process that died before publishing is published by another relay', async () => {
    const heard: string[] = []
    subscribe(
      (messages) =>
        void heard.push(...messages.map(({ data }) => (data as { userId?: string }).userId ?? '')),
    )
    const [old, young] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    for (const [userId, ageMs] of [
      [old, 5000],
      [young, 0],
    ] as const)
      await db.insert(outbox).values({
        id: Bun.randomUUIDv7(),
        type: 'token.revoked',
        payload: { tokenId: Bun.randomUUIDv7(), userId },
        createdAt: new Date(Date.now() - ageMs),
      })
    await relayEvents([])
    expect([heard.includes(old), heard.includes(young)]).toEqual([true, false])
  })

  test('is dead after twenty failures', async () => {
    const hopeless = [counting('hopeless', () => true)]
    const { outboxId } = await happen()
    await relayEvents(hopeless)
    for (let i = 0; i < 22; i += 1) await react(hopeless, outboxId, 'hopeless')
    const [row] = await db.select().from(reactions).where(eq(reactions.outboxId, outboxId))
    expect(row).toMatchObject({ status: 'dead', attempts: 20 })
  })
})
