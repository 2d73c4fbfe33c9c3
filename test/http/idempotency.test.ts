import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { conflict, rateLimited, unavailable } from '@/core/errors'
import { line } from '@/core/fields'
import { db } from '@/db/client'
import { liveProcessId } from '@/db/process-life'
import { idempotencyKeys } from '@/db/tables/jobs'
import { outbox } from '@/db/tables/outbox'
import { transaction } from '@/db/transaction'
import { runOnce } from '@/http/idempotency'
import { emit } from '@/outbox/emit'
import { post } from '../support/api'
import { makeCaller, makeEvent, makeGroup } from '../support/make'
import { until } from '../support/processes'
import { silenceCommits } from '../support/silent-commits'
import { usualDeadlines } from '../support/usual-deadlines'

const json = { name: 'x', scopes: ['read:user'] }

describe('over HTTP', () => {
  test('the same key with the same request is done once; a secret is not shown twice', async () => {
    const { token } = await makeCaller()
    const headers = { 'idempotency-key': 'one' }
    expect((await post('/v1/profile/tokens', { token, json, headers })).status).toBe(201)
    const again = await post('/v1/profile/tokens', { token, json, headers })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(again.body.error).toContain('shown only once')
  })

  test('a request whose commit was not answered is not done twice', async () => {
    using _ = usualDeadlines()
    const { token, user } = await makeCaller(['manage:badges'])
    const group = await makeGroup({}, user.id)
    const ask = () =>
      post(`/v1/manage/groups/${group.id}/badges`, {
        token,
        json: { name: 'Once', slug: 'once', description: 'Once', icon: '🏅', color: '#336699' },
        headers: { 'idempotency-key': 'silent' },
      })
    const { answer } = await silenceCommits('badges')
    const lost = await ask()
    await answer()
    expect(lost.status).toBe(503)
    const again = await ask()
    expect([again.status, again.body.data?.name]).toEqual([201, 'Once'])
  })

  test('the same key with another request is 409, and keys of two people do not meet', async () => {
    const [a, b] = [await makeCaller(), await makeCaller()]
    const headers = { 'idempotency-key': 'two' }
    await post('/v1/profile/tokens', { token: a.token, json, headers })
    expect(
      (await post('/v1/profile/tokens', { token: a.token, json: { ...json, name: 'y' }, headers })).body
        .error,
    ).toContain('another request')
    expect((await post('/v1/profile/tokens', { token: b.token, json, headers })).status).toBe(201)
  })

  test('the same key at another path is 409', async () => {
    const { token, user } = await makeCaller(['manage:events', 'manage:checkins'])
    const group = await makeGroup({}, user.id)
    const event = await makeEvent(group.id)
    const headers = { 'idempotency-key': 'path' }
    const at = `/v1/manage/groups/${group.id}/events/${event.id}`
    expect((await post(`${at}/cancel`, { token, headers })).status).toBe(200)
    const elsewhere = await post(`${at}/attendees/export`, { token, headers })
    expect([elsewhere.status, elsewhere.body.error]).toEqual([
      409,
      expect.stringContaining('another request'),
    ])
  })

  test('a refusal is replayed; bad input and bad keys are refused as ever', async () => {
    const { token } = await makeCaller(['user'])
    const headers = { 'idempotency-key': 'three' }
    const wide = { name: 'x', scopes: ['developer'] }
    const [first, second] = [
      await post('/v1/profile/tokens', { token, json: wide, headers }),
      await post('/v1/profile/tokens', { token, json: wide, headers }),
    ]
    expect([first.status, second.status]).toEqual([403, 403])
    expect(second.text).toBe(first.text)
    for (const key of ['', 'a b', 'é', 'x'.repeat(256)]) {
      const answer = await post('/v1/profile/tokens', { token, json, headers: { 'idempotency-key': key } })
      expect([key.slice(0, 5), answer.status]).toEqual([key.slice(0, 5), 400])
    }
  })

  test('under any host name', async () => {
    const { token } = await makeCaller()
    for (const host of ['a b', '[', '', 'a?b', 'a/b', '%', 'a:99999']) {
      const headers = { host, 'idempotency-key': `at ${host}`.replaceAll(' ', '-') }
      const first = await post('/v1/profile/tokens', { token, json, headers })
      const again = await post('/v1/profile/tokens', { token, json, headers })
      expect([host, first.status, again.status]).toEqual([host, 201, 409])
      expect(again.body.error).toContain('shown only once')
    }
  })

  test('ten at once: one is done, the others receive that it is under way or done', async () => {
    const { token } = await makeCaller()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        post('/v1/profile/tokens', { token, json, headers: { 'idempotency-key': 'race' } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })
})

/** Whether those who are in a hurry are asked to come back later, and what the slow ones wait for. */
let hurry = true
let slow = Promise.withResolvers<void>()

/** An action whose answer is no secret, bound to nothing: the rule lives below HTTP. */
const remember = action({
  name: 'remember',
  access: 'user',
  summary: 'For this test',
  input: Type.Object({ word: line(1, 20) }),
  output: Type.Object({ id: Type.String(), word: Type.String() }),
  errors: ['conflict'],
  run: async (caller, { word }) => {
    const result = await transaction(async (tx) => {
      if (word === 'taken') throw conflict('Taken')
      if (word === 'hurried' && hurry) throw rateLimited(7)
      if (word === 'away' && hurry) throw unavailable()
      if (word === 'slow') await slow.promise
      await emit(tx, 'token.revoked', { tokenId: Bun.randomUUIDv7(), userId: caller.userId })
      if (word === 'crash') throw new Error('crash')
      return { id: crypto.randomUUID(), word: word === 'large' ? 'x'.repeat(65_536) : word }
    })
    if (word === 'die') throw new Error('died before it could answer')
    return result
  },
})

async function ask(userId: string, key: string, word: string) {
  const caller: Caller = {
    userId,
    role: 'user',
    scopes: new Set(['user']),
    credential: { kind: 'session', id: 'x' },
  }
  const once = runOnce({ key, asked: 'POST /v1/remember' }, caller, { word })
  return remember.run({ id: 'test', visitor: caller, onSite: false }, { word }, once)
}

const domainEvents = async (userId: string) =>
  (await db.select().from(outbox)).filter(({ payload }) => (payload as { userId: string }).userId === userId)
    .length

describe('the outcome', () => {
  test('is replayed as it was and the change is made once', async () => {
    const { user } = await makeCaller()
    const first = await ask(user.id, 'k', 'hello')
    expect(await ask(user.id, 'k', 'hello')).toEqual(first)
    expect(await domainEvents(user.id)).toBe(1)
  })

  test('commits with the change: both are there or neither', async () => {
    const { user } = await makeCaller()
    await expect(ask(user.id, 'k', 'crash')).rejects.toThrow('crash')
    await Bun.sleep(0)
    const rows = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, user.id))
    expect([rows.filter(({ claim }) => claim === null).length, await domainEvents(user.id)]).toEqual([0, 0])
  })

  test('is there even when the process dies between the commit and the answer', async () => {
    const { user } = await makeCaller()
    await expect(ask(user.id, 'k', 'die')).rejects.toThrow('died before it could answer')
    expect(await ask(user.id, 'k', 'die')).toMatchObject({ word: 'die' })
    expect(await domainEvents(user.id)).toBe(1)
  })

  test('of a process that died is taken over once its claim has run out', async () => {
    const { user } = await makeCaller()
    await ask(user.id, 'k', 'hello')
    const dead = { claim: crypto.randomUUID(), outcome: null }
    await db
      .update(idempotencyKeys)
      .set({ ...dead, claimedUntil: new Date(Date.now() + 10_000) })
      .where(eq(idempotencyKeys.userId, user.id))
    await expect(ask(user.id, 'k', 'hello')).rejects.toThrow('still being answered')
    await db
      .update(idempotencyKeys)
      .set({ ...dead, claimedUntil: new Date(Date.now() - 1000) })
      .where(eq(idempotencyKeys.userId, user.id))
    expect(await ask(user.id, 'k', 'hello')).toMatchObject({ word: 'hello' })
  })

  test('of a process that died stays unknown to another request', async () => {
    const { user } = await makeCaller()
    await ask(user.id, 'k', 'hello')
    await db
      .update(idempotencyKeys)
      .set({ claim: crypto.randomUUID(), outcome: null, claimedUntil: new Date(Date.now() - 1000) })
      .where(eq(idempotencyKeys.userId, user.id))
    await expect(ask(user.id, 'k', 'good day')).rejects.toThrow('another request')
    expect(await domainEvents(user.id)).toBe(1)
  })

  test('of a lost claim is rolled back', async () => {
    const { user } = await makeCaller()
    slow = Promise.withResolvers()
    const first = ask(user.id, 'k', 'slow')
    const row = async () =>
      (await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, user.id)))[0]
    await until('it is under way', async () => (await row()) !== undefined)
    const taken = crypto.randomUUID()
    await db.update(idempotencyKeys).set({ claim: taken }).where(eq(idempotencyKeys.userId, user.id))
    slow.resolve()
    const fault = await first.catch((error) => error)
    expect(fault).toMatchObject({ appCode: 'unavailable' })
    expect([(await row())?.claim, await domainEvents(user.id)]).toEqual([taken, 0])
  })

  test('is not remembered where it was only too soon, or the database away', async () => {
    const { user } = await makeCaller()
    for (const [word, code] of [
      ['hurried', 'rate_limited'],
      ['away', 'unavailable'],
    ] as const) {
      hurry = true
      expect(await ask(user.id, word, word).catch((error) => error)).toMatchObject({ appCode: code })
      hurry = false
      expect(await ask(user.id, word, word)).toMatchObject({ word })
    }
    expect(await domainEvents(user.id)).toBe(2)
  })

  test('is forgotten after a day', async () => {
    const { user } = await makeCaller()
    const first = await ask(user.id, 'k', 'hello')
    await db
      .update(idempotencyKeys)
      .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
      .where(eq(idempotencyKeys.userId, user.id))
    expect(await ask(user.id, 'k', 'hello')).not.toEqual(first)
  })

  test('that is larger than 64 KiB is not kept: its replay is refused, and the change is made once', async () => {
    const { user } = await makeCaller()
    expect(await ask(user.id, 'k', 'large')).toMatchObject({ word: expect.any(String) })
    await expect(ask(user.id, 'k', 'large')).rejects.toThrow('too large to be kept')
    expect(await domainEvents(user.id)).toBe(1)
    const [row] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, user.id))
    expect(row?.outcome?.length).toBeLessThan(100)
  })
})

describe('a key whose holder', () => {
  const hold = async (holder: number | null) => {
    const { user, token } = await makeCaller()
    const send = () => post('/v1/profile/tokens', { token, json, headers: { 'idempotency-key': 'held' } })
    expect((await send()).status).toBe(201)
    await db
      .update(idempotencyKeys)
      .set({ claim: crypto.randomUUID(), outcome: null, holder, claimedUntil: new Date(Date.now() + 25_000) })
      .where(eq(idempotencyKeys.userId, user.id))
    return send
  }

  test('is at work is in use: 409 that says when to ask again', async () => {
    await until('this process can be seen to live', () => liveProcessId() !== null)
    for (const holder of [liveProcessId(), null]) {
      const answer = await (await hold(holder))()
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        409,
        'conflict',
        '1',
      ])
    }
  })

  test('is a process that is gone is free at once', async () => {
    for (const holder of [1, -1, 2 ** 31 - 1, -(2 ** 31)])
      expect((await (await hold(holder))()).status).toBe(201)
  })

  test('ended in a failure is free at once, even where that could not be written down at first', async () => {
    using _ = usualDeadlines()
    const { user } = await makeCaller()
    await expect(ask(user.id, 'k', 'crash')).rejects.toThrow('crash')
    expect(await db.$count(idempotencyKeys, eq(idempotencyKeys.userId, user.id))).toBe(0)
    // Somebody holds the row of the claim, so that it cannot be given back for longer than a statement waits.
    const locked = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const failed = Promise.withResolvers<void>()
    const asked = asking(user.id, 'held', async () => {
      void db.transaction(async (tx) => {
        await tx.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, user.id)).for('update')
        locked.resolve()
        await letGo.promise
      })
      await locked.promise
      failed.resolve()
      throw new Error('crash')
    })
    await failed.promise
    await expect(asked).rejects.toThrow('crash')
    expect(await db.$count(idempotencyKeys, eq(idempotencyKeys.userId, user.id))).toBe(1)
    letGo.resolve()
    await until(
      'it is given back',
      async () => (await db.$count(idempotencyKeys, eq(idempotencyKeys.userId, user.id))) === 0,
    )
  })
})

function asking(userId: string, key: string, run: () => Promise<unknown>) {
  const caller: Caller = {
    userId,
    role: 'user',
    scopes: new Set(['user']),
    credential: { kind: 'session', id: 'x' },
  }
  return runOnce({ key, asked: 'POST /v1/x' }, caller, {})(false, run)
}
