import { afterEach, describe, expect, test } from 'bun:test'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { listeners } from '@/areas'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { outbox, reactions } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { achievementListener } from '@/modules/recognition/achievements/area'
import { award, revoke as takeAway } from '@/modules/recognition/badges/award'
import { react, relayEvents, sweepReactions } from '@/outbox/relay'
import { makeAdmin, makeBadge, makeGroup } from '../../../support/make'
import {
  awardsOf,
  change,
  define,
  domainEventsOf,
  happen,
  makePerson,
  progress,
  reactionsTo,
  revoke,
  scoreOf,
  seen,
  settle,
  undefineAll,
  values,
} from './fixtures'

afterEach(undefineAll)

const deliver = (outboxId: string) => react(listeners, outboxId, 'achievements')

/** Relays until nothing waits, without reacting to any of it. */
const relayAll = async () => {
  while ((await db.$count(outbox, sql`${outbox.relayedAt} is null`)) > 0) await relayEvents(listeners)
}

describe('a domain event counts once', () => {
  test('however often, and however many at once, its job is delivered', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const { key } = await define(admin, { targetValue: 1000 })
    const outboxId = await revoke(user.id)
    await relayAll()
    await Promise.all(Array.from({ length: 20 }, () => deliver(outboxId)))
    for (let i = 0; i < 5; i += 1) await deliver(outboxId)
    // The relay takes the domain event up a second time, and the sweep comes by.
    await db.update(outbox).set({ relayedAt: null }).where(eq(outbox.id, outboxId))
    await relayAll()
    await db
      .update(reactions)
      .set({ nextAttemptAt: new Date(0) })
      .where(eq(reactions.outboxId, outboxId))
    expect((await sweepReactions()).filter((due) => due.outboxId === outboxId)).toEqual([])
    await deliver(outboxId)
    expect((await progress(user.id, key))?.currentValue).toBe(1)
    expect(await reactionsTo(outboxId)).toMatchObject([{ status: 'done', attempts: 0 }])
  })

  test('when the job was lost and the sweep wakes a worker for it twice', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const { key } = await define(admin, { targetValue: 1000 })
    const outboxId = await revoke(user.id)
    await relayAll()
    const overdue = () =>
      db
        .update(reactions)
        .set({ nextAttemptAt: new Date(0) })
        .where(eq(reactions.outboxId, outboxId))
    for (let i = 0; i < 2; i += 1) {
      await overdue()
      expect((await sweepReactions()).some((due) => due.outboxId === outboxId)).toBe(true)
    }
    await Promise.all([deliver(outboxId), deliver(outboxId)])
    expect((await progress(user.id, key))?.currentValue).toBe(1)
  })

  test('and many of them side by side count exactly, and complete once', async () => {
    const [admin, { user }, badge] = [await makeAdmin(), await makePerson(), await makeBadge()]
    const { key } = await define(admin, { targetValue: 12, badgeSlug: badge.slug })
    const domainEvents: string[] = []
    for (let i = 0; i < 16; i += 1) domainEvents.push(await revoke(user.id))
    await relayAll()
    await Promise.all(domainEvents.slice(0, 11).flatMap((outboxId) => [deliver(outboxId), deliver(outboxId)]))
    expect(await progress(user.id, key)).toMatchObject({ currentValue: 11, completedAt: null })
    await Promise.all(domainEvents.slice(11).map(deliver))
    expect(await progress(user.id, key)).toMatchObject({ currentValue: 12, completedAt: expect.any(Date) })
    expect(await awardsOf(user.id)).toEqual([{ slug: badge.slug, source: 'achievement' }])
    expect(await domainEventsOf('achievement.unlocked', user.id)).toHaveLength(1)
    expect(await scoreOf(user.id)).toBe(badge.points)
  })

  test('a reaction that fails half-way leaves nothing and is tried again', async () => {
    const [admin, { user, token }, badge] = [await makeAdmin(), await makePerson(), await makeBadge()]
    const { key } = await define(admin, { targetValue: 1, badgeSlug: badge.slug })
    const outboxId = await revoke(user.id)
    await relayAll()
    const broken = sql.raw(`badge_awards_broken_${badge.slug.replace('-', '_')}`)
    await db.execute(sql`
      create function ${broken}() returns trigger language plpgsql as $$
      begin raise exception 'not this time'; end $$`)
    await db.execute(sql`
      create trigger ${broken} before insert on badge_awards for each row
      when (new.badge_id = ${sql.raw(`'${badge.id}'`)}) execute function ${broken}()`)
    await deliver(outboxId)
    await deliver(outboxId)
    expect(await progress(user.id, key)).toBeUndefined()
    expect(await domainEventsOf('achievement.unlocked', user.id)).toEqual([])
    expect(await reactionsTo(outboxId)).toMatchObject([{ status: 'pending', attempts: 2 }])
    await db.execute(sql`drop function ${broken} cascade`)
    await deliver(outboxId)
    expect(await reactionsTo(outboxId)).toMatchObject([{ status: 'done', attempts: 2 }])
    expect(await seen(token, key)).toMatchObject({ currentValue: 1, completedAt: expect.any(String) })
    expect(await awardsOf(user.id)).toHaveLength(1)
  })
})

describe('completing', () => {
  test('gives the badge once, also when an administrator gives it at the same moment', async () => {
    const [admin, badge] = [await makeAdmin(), await makeBadge()]
    const { key } = await define(admin, { targetValue: 1, badgeSlug: badge.slug })
    const people = await Promise.all(Array.from({ length: 12 }, makePerson))
    const domainEvents = new Map<string, string>()
    for (const { user } of people) domainEvents.set(user.id, await revoke(user.id))
    await relayAll()
    await Promise.all(
      people.flatMap(({ user }) => [
        deliver(domainEvents.get(user.id) as string),
        transaction((tx) => award(tx, badge, user.id, 'admin')),
      ]),
    )
    for (const { user } of people) {
      expect(await awardsOf(user.id)).toHaveLength(1)
      expect(await scoreOf(user.id)).toBe(badge.points)
      expect((await progress(user.id, key))?.completedAt).toBeInstanceOf(Date)
      expect(await domainEventsOf('badge.awarded', user.id)).toHaveLength(1)
      expect(await domainEventsOf('achievement.unlocked', user.id)).toHaveLength(1)
    }
    const failed = await db
      .select()
      .from(reactions)
      .where(and(inArray(reactions.outboxId, [...domainEvents.values()]), sql`attempts > 0`))
    expect(failed).toEqual([])
  })

  test('works for a person who holds the badge, and without a badge', async () => {
    const [admin, { user }, badge] = [await makeAdmin(), await makePerson(), await makeBadge()]
    const held = await define(admin, { targetValue: 1, badgeSlug: badge.slug })
    const bare = await define(admin, { targetValue: 1 })
    await transaction((tx) => award(tx, badge, user.id, 'admin'))
    await revoke(user.id)
    await settle()
    for (const { key } of [held, bare])
      expect((await progress(user.id, key))?.completedAt).toBeInstanceOf(Date)
    expect(await awardsOf(user.id)).toEqual([{ slug: badge.slug, source: 'admin' }])
    expect(
      (await domainEventsOf('achievement.unlocked', user.id)).map(({ badgeSlug }) => badgeSlug).sort(),
    ).toEqual([badge.slug, null])
  })

  test('is the end of counting: the value stays, and a badge that was taken away does not come back', async () => {
    const [admin, { user, token }, badge] = [await makeAdmin(), await makePerson(), await makeBadge()]
    const { key } = await define(admin, { targetValue: 2, badgeSlug: badge.slug })
    const distinct = await define(admin, {
      targetValue: 2,
      progressMode: 'distinct',
      progressField: 'tokenId',
    })
    for (let i = 0; i < 2; i += 1) await revoke(user.id)
    await settle()
    const before = [await seen(token, key), await seen(token, distinct.key)]
    expect(before).toMatchObject([
      { currentValue: 2, completedAt: expect.any(String) },
      { currentValue: 2, completedAt: expect.any(String) },
    ])
    await transaction((tx) => takeAway(tx, badge, user.id))
    for (let i = 0; i < 3; i += 1) await revoke(user.id)
    await settle()
    expect([await seen(token, key), await seen(token, distinct.key)]).toEqual(before)
    expect(await awardsOf(user.id)).toEqual([])
    expect(await values(user.id, distinct.key)).toHaveLength(2)
    expect(await domainEventsOf('achievement.unlocked', user.id)).toHaveLength(2)
  })

  test('of one thing may count for another', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const first = await define(admin, { targetValue: 1 })
    const collector = await define(admin, {
      targetValue: 1,
      eventType: 'achievement.unlocked',
      conditions: [{ field: 'key', op: 'eq', value: first.key }],
    })
    await revoke(user.id)
    await settle()
    expect((await progress(user.id, collector.key))?.completedAt).toBeInstanceOf(Date)
  })
})

describe('what counts', () => {
  test('is what fits the conditions', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const { key } = await define(admin, {
      eventType: 'badge.awarded',
      targetValue: 100,
      conditions: [
        { field: 'points', op: 'gte', value: 10 },
        { field: 'groupId', op: 'eq', value: null },
        { field: 'source', op: 'in', value: ['admin', 'claim'] },
      ],
    })
    const give = async (points: number, source: 'admin' | 'group', groupId: string | null = null) =>
      transaction(async (tx) => award(tx, await badgeWith(points, groupId), user.id, source))
    const badgeWith = (points: number, groupId: string | null) => made.get(`${points}${groupId}`) as never
    const group = await makeGroup()
    const made = new Map([
      ['10null', await makeBadge({ points: 10 })],
      ['9null', await makeBadge({ points: 9 })],
      ['20null', await makeBadge({ points: 20 })],
      [`30${group.id}`, await makeBadge({ points: 30, groupId: group.id })],
    ])
    await give(10, 'admin')
    await give(9, 'admin')
    await give(20, 'group')
    await give(30, 'admin', group.id)
    await settle()
    expect((await progress(user.id, key))?.currentValue).toBe(1)
  })

  test('is each different value once, where different values are counted', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const { key } = await define(admin, {
      targetValue: 100,
      progressMode: 'distinct',
      progressField: 'tokenId',
    })
    const [one, two] = [newId(), newId()]
    for (const id of [one, one, two, one, two]) await revoke(user.id, id)
    await relayAll()
    const domainEvents = await db.select().from(outbox).where(sql`${outbox.payload}->>'userId' = ${user.id}`)
    await Promise.all(domainEvents.flatMap(({ id }) => [deliver(id), deliver(id)]))
    for (const { id } of domainEvents)
      expect(await reactionsTo(id)).toMatchObject([{ status: 'done', attempts: 0 }])
    expect((await progress(user.id, key))?.currentValue).toBe(2)
    expect((await values(user.id, key)).sort()).toEqual([one, two].sort())
  })

  test('has a value: what is missing, a list or far too long breaks nothing', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const odd = { userId: user.id, fields: ['a', 'b'] }
    const counted = async (progressField: string, ...domainEvents: object[]) => {
      const { key } = await define(admin, {
        eventType: 'user.updated',
        targetValue: 100,
        progressMode: 'distinct',
        progressField,
      })
      for (const domainEvent of domainEvents) await happen('user.updated', { ...odd, ...domainEvent })
      await settle()
      return (await progress(user.id, key))?.currentValue ?? 0
    }
    expect(await counted('nowhere', {})).toBe(0)
    expect(await counted('__proto__', {})).toBe(0)
    expect(await counted('fields', {})).toBe(0)
    expect(await counted('gone', { gone: null })).toBe(0)
    // Random, so that no index could hold it by packing it.
    const huge = randomHex(50_000)
    expect(await counted('text', { text: huge }, { text: huge }, { text: `${huge}y` }, { text: '' })).toBe(3)
    expect(await counted('mixed', { mixed: 1 }, { mixed: 2 }, { mixed: 1 }, { mixed: true })).toBe(3)
  })

  test('is what the person did, not what was done to them', async () => {
    const [admin, follower, followee] = [await makeAdmin(), await makePerson(), await makePerson()]
    const { key } = await define(admin, { eventType: 'user.followed' })
    await happen('user.followed', { followerId: follower.user.id, followeeId: followee.user.id })
    await settle()
    expect((await progress(follower.user.id, key))?.currentValue).toBe(1)
    expect(await progress(followee.user.id, key)).toBeUndefined()
  })

  test('excludes events without an actor, or of a deleted or suspended one', async () => {
    const [admin, gone, suspended] = [await makeAdmin(), await makePerson(), await makePerson()]
    const { key } = await define(admin)
    await define(admin, { eventType: 'group.updated' })
    const domainEvents = [
      await revoke(gone.user.id),
      await revoke(suspended.user.id),
      await happen('group.updated', { groupId: newId(), fields: [] }),
    ]
    await db.delete(users).where(eq(users.id, gone.user.id))
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.user.id))
    await settle()
    for (const outboxId of domainEvents)
      expect(await reactionsTo(outboxId)).toMatchObject([{ status: 'done', attempts: 0 }])
    expect(await progress(suspended.user.id, key)).toBeUndefined()
  })

  test('is what happens while it is defined and enabled', async () => {
    const [admin, { user, token }] = [await makeAdmin(), await makePerson()]
    await revoke(user.id)
    await settle()
    const { key } = await define(admin, { targetValue: 100 })
    expect(await seen(token, key)).toMatchObject({ currentValue: 0 })
    await revoke(user.id)
    await settle()
    expect(await seen(token, key)).toMatchObject({ currentValue: 1 })
    // Whatever was relayed before it was switched off is looked at again when its turn comes.
    const late = await revoke(user.id)
    await relayAll()
    await change(admin, key, { enabled: false })
    await deliver(late)
    await revoke(user.id)
    await settle()
    expect(await reactionsTo(late)).toMatchObject([{ status: 'done' }])
    expect(await seen(token, key)).toBeUndefined()
    await change(admin, key, { enabled: true })
    expect(await seen(token, key)).toMatchObject({ currentValue: 1 })
    await revoke(user.id)
    await settle()
    expect(await seen(token, key)).toMatchObject({ currentValue: 2 })
  })

  test('alone creates reactions: other domain events create none', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const [before] = [await revoke(user.id), await relayAll()]
    expect(await reactionsTo(before)).toEqual([])
    const { key } = await define(admin)
    const [counted] = [await revoke(user.id), await relayAll()]
    expect(await reactionsTo(counted)).toMatchObject([{ listener: achievementListener.name }])
    await change(admin, key, { enabled: false })
    const [after] = [await revoke(user.id), await relayAll()]
    expect(await reactionsTo(after)).toEqual([])
    await settle()
  })
})
