import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { auditLog, entitlements } from '@/db/tables/administration'
import { users } from '@/db/tables/users'
import { del, get, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeUser } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { inHours } from '../../../support/time'
import { walk } from '../../../support/walk'

const NOWHERE = '01890000-0000-7000-8000-000000000000'

async function entitle(userId: string, fields: Partial<typeof entitlements.$inferInsert> = {}) {
  const [row] = await db
    .insert(entitlements)
    .values({ id: newId(), userId, entitlement: 'group.create', source: 'achievement', ...fields })
    .returning()
  return row as typeof entitlements.$inferSelect
}

const rowsOf = (userId: string) => db.select().from(entitlements).where(eq(entitlements.userId, userId))

const mine = (token: string, query = '') => get(`/v1/profile/entitlements${query}`, { token })

describe('what I am entitled to', () => {
  test('is what I hold now, the newest first', async () => {
    const me = await makeCaller(['read:user'])
    const old = await entitle(me.user.id, { entitlement: 'beta', grantedAt: inHours(-3), source: null })
    await entitle(me.user.id, { entitlement: 'over', expiresAt: new Date(Date.now() - 1) })
    const newer = await entitle(me.user.id, { grantedAt: inHours(-2), expiresAt: inHours(1) })
    await entitle((await makeUser()).id)
    const { status, body } = await mine(me.token)
    expect([status, body.data]).toEqual([
      200,
      [
        {
          id: newer.id,
          entitlement: 'group.create',
          grantedAt: newer.grantedAt.toISOString(),
          expiresAt: newer.expiresAt?.toISOString(),
          source: 'achievement',
        },
        {
          id: old.id,
          entitlement: 'beta',
          grantedAt: old.grantedAt.toISOString(),
          expiresAt: null,
          source: null,
        },
      ],
    ])
    expect(body.pagination).toEqual({ limit: 20, offset: 0, hasMore: false, total: 2 })
  })

  test('comes in pages that neither skip nor repeat', async () => {
    const me = await makeCaller(['read:user'])
    const same = inHours(-1)
    for (let i = 0; i < 5; i += 1) await entitle(me.user.id, { entitlement: `key-${i}`, grantedAt: same })
    const whole = (await mine(me.token)).body.data
    expect([whole.length, await walk('/v1/profile/entitlements?limit=2', me.token)]).toEqual([5, whole])
    const first = (await mine(me.token, '?limit=2')).body.pagination.nextCursor
    const other = await makeCaller(['read:user'])
    expect((await mine(other.token, `?cursor=${first}`)).body.code).toBe('bad_request')
  })
})

describe('entitling a person', () => {
  const grant = (who: string | null, token: string, json: unknown) =>
    post(`/v1/admin/users/${who}/entitlements`, { token, json })

  test('works by id and by username, for private and suspended people too', async () => {
    const admin = await makeAdmin()
    const people = [
      await makeUser(),
      await makeUser({ profileVisibility: 'private' }),
      await makeUser({ suspendedAt: new Date() }),
    ]
    for (const person of people)
      for (const [who, entitlement] of [
        [person.id, 'group.create'],
        [(person.username as string).toUpperCase(), 'beta_tester-2'],
      ] as const) {
        const expiresAt = inHours(4).toISOString()
        const answer = await grant(who, admin.token, {
          entitlement,
          expiresAt,
          source: 'mine',
          id: NOWHERE,
          grantedAt: '2000-01-01T00:00:00Z',
        })
        expect([answer.status, answer.body]).toEqual([
          201,
          {
            data: {
              id: expect.any(String),
              entitlement,
              grantedAt: expect.stringMatching(/^20[^0].*Z$/),
              expiresAt,
              source: 'admin',
            },
          },
        ])
        const { id } = answer.body.data
        expect(id).not.toBe(NOWHERE)
        const [entry] = await db.select().from(auditLog).where(eq(auditLog.targetId, id))
        expect(entry).toMatchObject({
          actorId: admin.user.id,
          action: 'entitlement.grant',
          targetType: 'entitlement',
          changes: { userId: person.id, entitlement, expiresAt },
        })
      }
    for (const { id } of people) expect(await rowsOf(id)).toHaveLength(2)
  })

  test('again is 409 while it is good, and takes its place once it has expired', async () => {
    const { token } = await makeAdmin()
    const person = await makeUser()
    const first = await grant(person.id, token, { entitlement: 'beta' })
    expect(first.body.data.expiresAt).toBeNull()
    const again = await grant(person.id, token, { entitlement: 'beta', expiresAt: inHours(1).toISOString() })
    expect([again.status, again.body]).toEqual([
      409,
      { error: 'This person holds that entitlement already', code: 'conflict' },
    ])
    expect(await rowsOf(person.id)).toMatchObject([{ id: first.body.data.id, expiresAt: null }])
    for (const expiresAt of [inHours(1), new Date(Date.now() - 1)]) {
      await db.update(entitlements).set({ expiresAt }).where(eq(entitlements.userId, person.id))
      const answer = await grant(person.id, token, { entitlement: 'beta', expiresAt: null })
      expect(answer.status).toBe(expiresAt > new Date() ? 409 : 201)
    }
    const rows = await rowsOf(person.id)
    expect(rows).toMatchObject([{ expiresAt: null, source: 'admin' }])
    expect(rows[0]?.id).not.toBe(first.body.data.id)
  })

  test('many times at once is once, also in the place of an expired one', async () => {
    const { token } = await makeAdmin()
    const [fresh, before] = [await makeUser(), await makeUser()]
    await entitle(before.id, { entitlement: 'beta', expiresAt: inHours(-1) })
    for (const { id } of [fresh, before]) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => grant(id, token, { entitlement: 'beta' })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
      expect(await rowsOf(id)).toHaveLength(1)
    }
  })

  test('who is deleted meanwhile is 404', async () => {
    const { token } = await makeAdmin()
    const { id } = await makeUser()
    const answer = await meanwhile(
      (tx) => tx.delete(users).where(eq(users.id, id)),
      () => grant(id, token, { entitlement: 'beta' }),
    )
    expect([answer.status, answer.body]).toEqual([404, { error: 'User not found', code: 'not_found' }])
  })

  test('wants a key, a time to come and a person', async () => {
    const { token } = await makeAdmin()
    const person = await makeUser()
    for (const json of [
      {},
      { entitlement: '' },
      { entitlement: 'Group' },
      { entitlement: 'group..create' },
      { entitlement: '.group' },
      { entitlement: 'group-' },
      { entitlement: 'group create' },
      { entitlement: 'x'.repeat(101) },
      { entitlement: 5 },
      { entitlement: 'ok', expiresAt: new Date(Date.now() - 1000).toISOString() },
      { entitlement: 'ok', expiresAt: 'never' },
    ])
      expect([json, (await grant(person.id, token, json)).body.code]).toEqual([json, 'validation_error'])
    expect((await grant(person.id, token, { entitlement: 'x'.repeat(100) })).status).toBe(201)
    for (const who of [NOWHERE, 'nobody-of-that-name']) {
      const missing = await grant(who, token, { entitlement: 'beta' })
      expect([missing.status, missing.body]).toEqual([404, { error: 'User not found', code: 'not_found' }])
    }
    const modest = await makeCaller(['user', 'manage:groups'], { role: 'admin' })
    expect((await grant(modest.user.id, modest.token, { entitlement: 'beta' })).body.code).toBe(
      'insufficient_scope',
    )
  })
})

describe('taking an entitlement away', () => {
  test('works by id and by username, once, and is written down', async () => {
    const admin = await makeAdmin()
    const person = await makeUser()
    for (const who of [person.id, person.username]) {
      const { id } = await entitle(person.id)
      const path = `/v1/admin/users/${who}/entitlements/${id}`
      const gone = await del(path, { token: admin.token })
      expect([gone.status, gone.text]).toEqual([204, ''])
      expect((await del(path, { token: admin.token })).status).toBe(404)
      const entries = await db.select().from(auditLog).where(eq(auditLog.targetId, id))
      expect(entries).toMatchObject([
        {
          actorId: admin.user.id,
          action: 'entitlement.revoke',
          changes: { userId: person.id, entitlement: 'group.create' },
        },
      ])
    }
    expect(await rowsOf(person.id)).toEqual([])
  })

  test("that is another person's or missing is 404", async () => {
    const admin = await makeAdmin()
    const [person, other] = [await makeCaller(['user']), await makeUser()]
    const { id } = await entitle(person.user.id)
    for (const who of [other.id, NOWHERE, 'nobody-of-that-name'])
      expect((await del(`/v1/admin/users/${who}/entitlements/${id}`, { token: admin.token })).status).toBe(
        404,
      )
    const own = await del(`/v1/admin/users/${person.user.id}/entitlements/${id}`, { token: person.token })
    expect(own.body.code).toBe('insufficient_scope')
    expect(await rowsOf(person.user.id)).toHaveLength(1)
  })
})
