import { describe, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { sweeps } from '@/areas'
import { hashSecret } from '@/auth/secrets'
import { newId } from '@/core/ids'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { sessions } from '@/db/tables/credentials'
import { idempotencyKeys } from '@/db/tables/jobs'
import { heartbeats, outbox, reactions } from '@/db/tables/outbox'
import { runSweeps } from '../../workers/sweeps'
import { makeSession, makeUser } from '../support/make'
import { inHours } from '../support/time'

const DAY = 24

async function makeEvent(hoursAgo: number, status?: 'pending' | 'done' | 'dead') {
  const id = newId()
  const data = { tokenId: newId(), userId: newId() }
  const relayedAt = inHours(-hoursAgo)
  await db
    .insert(outbox)
    .values({ id, type: 'token.revoked', payload: data, createdAt: relayedAt, relayedAt })
  if (status)
    await db
      .insert(reactions)
      .values({ outboxId: id, listener: 'sweeping', status, nextAttemptAt: inHours(24) })
  return id
}

describe('the sweep', () => {
  test('keeps domain events for a week, and while a reaction is pending', async () => {
    const kept = [
      await makeEvent(6 * DAY),
      await makeEvent(6 * DAY, 'done'),
      await makeEvent(60 * DAY, 'pending'),
    ]
    const gone = [
      await makeEvent(8 * DAY),
      await makeEvent(8 * DAY, 'done'),
      await makeEvent(8 * DAY, 'dead'),
    ]
    await runSweeps()
    const left = await db
      .select({ id: outbox.id })
      .from(outbox)
      .where(inArray(outbox.id, [...kept, ...gone]))
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort())
    expect(await db.$count(reactions, inArray(reactions.outboxId, [...kept, ...gone]))).toBe(2)
    await db.delete(outbox).where(inArray(outbox.id, kept))
  })

  test('deletes ended sessions and heartbeats older than a day', async () => {
    const user = await makeUser()
    const [alive, ended] = [await makeSession(user.id), await makeSession(user.id)]
    await db
      .update(sessions)
      .set({ expiresAt: inHours(-1) })
      .where(eq(sessions.hash, hashSecret(ended)))
    const beats = [`young-${newId()}`, `old-${newId()}`] as const
    await db.insert(heartbeats).values([
      { worker: beats[0], at: inHours(-1) },
      { worker: beats[1], at: inHours(-25) },
    ])
    await runSweeps()
    const left = await db.select().from(sessions).where(eq(sessions.userId, user.id))
    expect(left.map(({ hash }) => Buffer.from(hash).toString('hex'))).toEqual([
      Buffer.from(hashSecret(alive)).toString('hex'),
    ])
    expect(
      (
        await db
          .select()
          .from(heartbeats)
          .where(inArray(heartbeats.worker, [...beats]))
      ).length,
    ).toBe(1)
  })

  test('continues after a failing part', async () => {
    const user = await makeUser()
    const ended = await makeSession(user.id)
    await db
      .update(sessions)
      .set({ expiresAt: inHours(-1) })
      .where(eq(sessions.hash, hashSecret(ended)))
    const failing = sweep({
      name: 'failing',
      run: async () => {
        throw new Error('not this time')
      },
    })
    await runSweeps([failing, ...sweeps])
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0)
  })

  test('keeps idempotent responses for a day', async () => {
    const user = await makeUser()
    const row = (hoursAgo: number, word: string) => ({
      id: newId(),
      userId: user.id,
      keyHash: new TextEncoder().encode(word),
      requestHash: new Uint8Array(32),
      claim: null,
      claimedUntil: inHours(-hoursAgo),
      createdAt: inHours(-hoursAgo),
    })
    const [young, old] = [row(23, 'young'), row(25, 'old')]
    await db.insert(idempotencyKeys).values([young, old])
    await runSweeps()
    const left = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, user.id))
    expect(left.map(({ id }) => id)).toEqual([young.id])
  })
})
