import { afterEach, describe, expect, test } from 'bun:test'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { achievementProgress } from '@/db/tables/achievements'
import { auditLog } from '@/db/tables/administration'
import { badges } from '@/db/tables/badges'
import { outbox } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { achievementListener } from '@/modules/recognition/achievements/area'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeBadge, makeCaller, makeGroup, makeSession } from '../../../support/make'
import { until } from '../../../support/processes'
import {
  ADMIN,
  awardsOf,
  change,
  define,
  definitionOf,
  domainEventsOf,
  makePerson,
  progress,
  revoke,
  scoreOf,
  settle,
  undefineAll,
  values,
} from './fixtures'

afterEach(undefineAll)

const uniqueKey = () => `test-${randomHex(6)}`
const least = () => ({ key: uniqueKey(), name: 'Least', targetValue: 1, eventType: 'rsvp.confirmed' })

const audited = (key: string) =>
  db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetType, 'achievement'), eq(auditLog.targetId, key)))
    .orderBy(auditLog.at, auditLog.id)

describe('an administrator', () => {
  test('defines, lists, changes and removes what can be achieved, and each change is written down', async () => {
    const [{ token, user }, badge] = [await makeAdmin(), await makeBadge()]
    const json = {
      key: uniqueKey(),
      name: ' Night owl ',
      description: 'Stay late.\nTwice.',
      icon: '🦉',
      color: '#112233',
      targetValue: 2,
      badgeSlug: badge.slug,
      eventType: 'checkin.created',
      conditions: [
        { field: 'method', op: 'in', value: ['link', 'scan', 5, true] },
        { field: 'late', op: 'eq', value: null },
      ],
      progressMode: 'distinct',
      progressField: 'eventId',
      hidden: true,
      enabled: false,
      sortOrder: 5,
    }
    const created = await post(ADMIN, { token, json })
    expect(created.status).toBe(201)
    expect(created.body.data).toEqual({ ...json, name: 'Night owl', createdAt: expect.any(String) })
    const path = `${ADMIN}/${json.key}`
    const changed = await patch(path, { token, json: { name: 'Owl', badgeSlug: null } })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({ ...created.body.data, name: 'Owl', badgeSlug: null })
    const listed = await get(`${ADMIN}?limit=100`, { token })
    expect(listed.body.data).toContainEqual(changed.body.data)
    // Nothing to change is no change.
    expect((await patch(path, { token, json: {} })).body.data).toEqual(changed.body.data)
    const gone = await del(path, { token })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await del(path, { token })).status).toBe(404)
    expect((await patch(path, { token, json: { name: 'x' } })).status).toBe(404)
    expect(
      (await audited(json.key)).map(({ action, actorId, changes, requestId }) => ({
        action,
        actorId,
        changes,
        requestId: requestId.length > 4,
      })),
    ).toEqual([
      {
        action: 'achievement.create',
        actorId: user.id,
        changes: {
          eventType: 'checkin.created',
          targetValue: 2,
          badgeSlug: badge.slug,
          enabled: false,
        },
        requestId: true,
      },
      {
        action: 'achievement.update',
        actorId: user.id,
        changes: { fields: ['name', 'badgeSlug'] },
        requestId: true,
      },
      { action: 'achievement.delete', actorId: user.id, changes: {}, requestId: true },
    ])
  })

  test('gets defaults where nothing was said, and only when creating', async () => {
    const admin = await makeAdmin()
    const created = await post(ADMIN, { token: admin.token, json: least() })
    const { key } = created.body.data
    expect(created.body.data).toMatchObject({
      description: null,
      icon: null,
      color: null,
      badgeSlug: null,
      conditions: [],
      progressMode: 'counter',
      progressField: null,
      hidden: false,
      enabled: true,
      sortOrder: 0,
    })
    const told = {
      conditions: [{ field: 'x', op: 'contains', value: 'y' }],
      progressMode: 'distinct',
      progressField: 'x',
      hidden: true,
      enabled: false,
      sortOrder: 9,
    }
    expect((await change(admin, key, told)).body.data).toMatchObject(told)
    expect((await change(admin, key, { name: 'Other' })).body.data).toMatchObject({ ...told, name: 'Other' })
    await del(`${ADMIN}/${key}`, { token: admin.token })
  })

  test('cannot set what is not theirs to set, nor change a key', async () => {
    const admin = await makeAdmin()
    const json = { ...least(), createdAt: '2000-01-01T00:00:00.000Z', currentValue: 7, completedAt: 'x' }
    const { body } = await post(ADMIN, { token: admin.token, json })
    expect(Object.keys(body.data)).not.toContain('currentValue')
    expect(Date.now() - Date.parse(body.data.createdAt)).toBeLessThan(60_000)
    const other = uniqueKey()
    const changed = await change(admin, json.key, { key: other, createdAt: json.createdAt, name: 'New' })
    expect(changed.body.data).toEqual({ ...body.data, name: 'New' })
    expect(await definitionOf(other)).toBeUndefined()
    await del(`${ADMIN}/${json.key}`, { token: admin.token })
  })

  test('cannot use a key twice, not even at once', async () => {
    const admin = await makeAdmin()
    const json = least()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(ADMIN, { token: admin.token, json })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toEqual({
      error: 'There is an achievement with this key already',
      code: 'conflict',
    })
    expect(await audited(json.key)).toHaveLength(1)
    await del(`${ADMIN}/${json.key}`, { token: admin.token })
  })

  test('may repeat a request with its key and gets the first answer', async () => {
    const admin = await makeAdmin()
    const json = least()
    const send = () =>
      post(ADMIN, { token: admin.token, json, headers: { 'idempotency-key': `k-${json.key}` } })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    await del(`${ADMIN}/${json.key}`, { token: admin.token })
  })

  test('pages through them in order', async () => {
    const admin = await makeAdmin()
    const keys: string[] = []
    for (const sortOrder of [900_002, 900_001, 900_001]) keys.push((await define(admin, { sortOrder })).key)
    const wanted = [...[keys[1], keys[2]].sort(), keys[0]]
    const found: string[] = []
    let cursor = ''
    for (;;) {
      const { body } = await get(`${ADMIN}?limit=2${cursor}`, { token: admin.token })
      found.push(...body.data.map(({ key }: { key: string }) => key))
      expect(body.pagination.total).toBeGreaterThanOrEqual(10)
      if (!body.pagination.hasMore) break
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
    expect(found.slice(-3)).toEqual(wanted as string[])
    expect(new Set(found).size).toBe(found.length)
  })

  test('is an administrator still: others get nowhere', async () => {
    const { token, user } = await makeCaller(['admin', 'user'])
    const session = await makeSession(user.id)
    for (const as of [{ token }, { session }]) {
      expect((await get(ADMIN, as)).status).toBe(403)
      expect((await post(ADMIN, { ...as, json: least() })).status).toBe(403)
      expect((await patch(`${ADMIN}/explorer`, { ...as, json: { targetValue: 1 } })).status).toBe(403)
      expect((await del(`${ADMIN}/explorer`, as)).status).toBe(403)
    }
    expect((await definitionOf('explorer'))?.targetValue).toBe(3)
  })
})

describe('a definition is refused', () => {
  const KEY =
    'key must be 1 to 100 lower-case letters and digits, with single hyphens or underscores between them'
  const FACT = 'eventType must be the name of a kind of fact, such as checkin.created'
  const BADGE = 'badgeSlug must be the slug of a badge of the platform'
  const condition = (op: string, value: unknown, field: unknown = 'x') => ({
    conditions: [{ field, op, value }],
  })
  const REFUSALS: [fields: Record<string, unknown>, sentence: string | RegExp][] = [
    [{ key: undefined }, 'key is required'],
    ...['', 'Upper', 'a b', '-a', 'a-', 'a--b', 'a_', 'ä', 'x'.repeat(101), 'a/b', '__proto__'].map(
      (key): [Record<string, unknown>, string] => [{ key }, KEY],
    ),
    [{ name: '' }, 'name must be 1 to 100 characters on one line'],
    [{ name: 'a\u2028b' }, 'name must be 1 to 100 characters on one line'],
    [{ name: 'a\u0085b' }, 'name must be 1 to 100 characters on one line'],
    [{ name: 'x'.repeat(101) }, 'name must be 1 to 100 characters on one line'],
    [{ name: null }, 'name must be 1 to 100 characters on one line'],
    [{ description: 'x'.repeat(501) }, /^description must be at most 500 characters/],
    [{ icon: 'x' }, 'icon must be one emoji'],
    [{ icon: '🦉🦉' }, 'icon must be one emoji'],
    [{ icon: '' }, /^icon must be/],
    [{ color: 'red' }, /^color must be a color such as #0ea5e9/],
    [{ color: '#12345' }, /^color must be a color such as #0ea5e9/],
    [{ color: '#12345g' }, /^color must be a color such as #0ea5e9/],
    [{ targetValue: 0 }, 'targetValue must be a whole number from 1 to 1000000'],
    [{ targetValue: 1_000_001 }, 'targetValue must be a whole number from 1 to 1000000'],
    [{ targetValue: 1.5 }, 'targetValue must be a whole number from 1 to 1000000'],
    [{ targetValue: '5' }, 'targetValue must be a whole number from 1 to 1000000'],
    [{ badgeSlug: 'there-is-no-such-badge' }, BADGE],
    [{ eventType: 'nonsense' }, FACT],
    [{ eventType: 'Check.in' }, FACT],
    [{ eventType: 'a.b.c' }, FACT],
    [{ eventType: `${'x'.repeat(60)}.${'y'.repeat(60)}` }, FACT],
    [{ conditions: {} }, 'conditions must be a list of at most 10 items'],
    [
      { conditions: Array.from({ length: 11 }, () => ({ field: 'x', op: 'eq', value: 1 })) },
      'conditions must be a list of at most 10 items',
    ],
    [condition('like', 1), 'conditions.0.op must be one of eq, neq, gt, gte, lt, lte, in, contains'],
    [condition('eq', 1, ''), 'conditions.0.field must be 1 to 100 characters on one line'],
    [condition('eq', 1, 'x'.repeat(101)), 'conditions.0.field must be 1 to 100 characters on one line'],
    [condition('eq', undefined), 'conditions.0.value is required'],
    [condition('eq', 'x'.repeat(501)), /^conditions\.0\.value must be at most 500 characters/],
    [condition('eq', {}), /^conditions\.0\.value must be at most 500 characters, or a number/],
    [condition('eq', ['x']), 'conditions.0.value must not be a list for eq'],
    [condition('contains', ['x']), 'conditions.0.value must not be a list for contains'],
    [condition('in', 'x'), 'conditions.0.value must be a list for in'],
    [condition('in', null), 'conditions.0.value must be a list for in'],
    [
      condition(
        'in',
        Array.from({ length: 101 }, () => 1),
      ),
      /^conditions\.0\.value/,
    ],
    [condition('in', [null]), /^conditions\.0\.value/],
    [condition('in', [['x']]), /^conditions\.0\.value/],
    [{ progressMode: 'sum' }, 'progressMode must be one of counter, distinct'],
    [{ progressMode: 'distinct' }, 'progressField is required to count different values'],
    [
      { progressMode: 'distinct', progressField: null },
      'progressField is required to count different values',
    ],
    [{ progressField: 'x'.repeat(101) }, /^progressField must be 1 to 100 characters on one line/],
    [{ hidden: 'yes' }, 'hidden must be true or false'],
    [{ enabled: 1 }, 'enabled must be true or false'],
    [{ sortOrder: -1 }, 'sortOrder must be a whole number from 0 to 9007199254740991'],
  ]

  test('with a sentence that says why, when it is made and when it is changed', async () => {
    const admin = await makeAdmin()
    const { key } = await define(admin)
    const before = await definitionOf(key)
    for (const [fields, sentence] of REFUSALS) {
      const answers = [await post(ADMIN, { token: admin.token, json: { ...least(), ...fields } })]
      if (!('key' in fields)) answers.push(await change(admin, key, fields))
      for (const { status, body } of answers)
        expect([fields, status, body]).toEqual([
          fields,
          400,
          {
            code: 'validation_error',
            error: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
          },
        ])
    }
    expect(await definitionOf(key)).toEqual(before)
    expect((await audited(key)).map(({ action }) => action)).toEqual(['achievement.create'])
  })

  test('when its badge belongs to a group', async () => {
    const admin = await makeAdmin()
    const { slug } = await makeBadge({ groupId: (await makeGroup()).id })
    const { key } = await define(admin)
    for (const { status, body } of [
      await post(ADMIN, { token: admin.token, json: { ...least(), badgeSlug: slug } }),
      await change(admin, key, { badgeSlug: slug }),
    ])
      expect([status, body.error]).toEqual([400, BADGE])
  })

  test('when a change would leave it without the field whose values it counts', async () => {
    const admin = await makeAdmin()
    const { key } = await define(admin, { progressMode: 'distinct', progressField: 'tokenId' })
    const refused = await change(admin, key, { progressField: null })
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_error'])
    expect((await change(admin, key, { progressMode: 'counter', progressField: null })).status).toBe(200)
    expect((await change(admin, key, { progressMode: 'distinct' })).status).toBe(400)
    expect((await change(admin, key, { progressMode: 'distinct', progressField: 'a' })).status).toBe(200)
  })

  test('but kinds of domain events that are still to come, and signs that look like text, are welcome', async () => {
    const admin = await makeAdmin()
    for (const eventType of ['meetpass.connected', 'user.account_linked', 'webhook.test'])
      await define(admin, { eventType })
    expect(await define(admin, { icon: '❤' })).toMatchObject({ icon: '❤️' })
    expect(await define(admin, { icon: '👩🏽‍🚀', color: '#ABCDEF' })).toMatchObject({ icon: '👩🏽‍🚀' })
  })
})

describe('a change', () => {
  const SLOW = { targetValue: 10 }

  test('that lowers the target completes it for those who have enough, once, and not for others', async () => {
    const [admin, badge] = [await makeAdmin(), await makeBadge()]
    const { key } = await define(admin, { ...SLOW, badgeSlug: badge.slug })
    const [ahead, behind, suspended] = [await makePerson(), await makePerson(), await makePerson()]
    for (let i = 0; i < 4; i += 1) for (const { user } of [ahead, suspended]) await revoke(user.id)
    await revoke(behind.user.id)
    await settle()
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.user.id))
    const answers = await Promise.all([3, 3, 3].map((targetValue) => change(admin, key, { targetValue })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await progress(ahead.user.id, key)).toMatchObject({
      currentValue: 3,
      completedAt: expect.any(Date),
    })
    expect([await awardsOf(ahead.user.id), await scoreOf(ahead.user.id)]).toEqual([
      [{ slug: badge.slug, source: 'achievement' }],
      badge.points,
    ])
    expect(await domainEventsOf('achievement.unlocked', ahead.user.id)).toHaveLength(1)
    for (const { user } of [behind, suspended]) expect((await progress(user.id, key))?.completedAt).toBeNull()
    // It stays completed when the target rises again.
    await change(admin, key, { targetValue: 50 })
    expect(await progress(ahead.user.id, key)).toMatchObject({
      currentValue: 3,
      completedAt: expect.any(Date),
    })
    // Who had enough but could not have it then gets it with the next thing that counts.
    await change(admin, key, { targetValue: 2 })
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, suspended.user.id))
    await revoke(suspended.user.id)
    await settle()
    expect(await progress(suspended.user.id, key)).toMatchObject({
      currentValue: 2,
      completedAt: expect.any(Date),
    })
  })

  test('waits for running counts, so that everyone who reached the target completes it', async () => {
    const [admin, { user }] = [await makeAdmin(), await makePerson()]
    const { key } = await define(admin, SLOW)
    const [counted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const domainEvent = { type: 'token.revoked', data: { userId: user.id, tokenId: newId() } } as const
    const counting = transaction(async (tx) => {
      for (let i = 0; i < 2; i += 1)
        await achievementListener.react(tx, { ...domainEvent, id: newId(), at: new Date() })
      counted.resolve()
      await mayCommit.promise
    })
    await counted.promise
    const changing = change(admin, key, { targetValue: 2 })
    const waits = until('the change waits', async () => {
      const [row] = await db.execute(
        sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
          where not granted and locktype = 'advisory' and datname = current_database()`,
      )
      return row !== undefined
    })
    await Promise.race([waits, changing])
    mayCommit.resolve()
    await counting
    expect((await changing).status).toBe(200)
    expect(await progress(user.id, key)).toMatchObject({ currentValue: 2, completedAt: expect.any(Date) })
    await waits
  })

  test('completes it for 200 people at most, and for the next when it is sent again', async () => {
    const admin = await makeAdmin()
    const { key } = await define(admin, SLOW)
    await db.execute(sql`
      with people as (
        insert into users (id, name) select gen_random_uuid(), ${key} from generate_series(1, 203) returning id)
      insert into achievement_progress (user_id, achievement_key, current_value) select id, ${key}, 5 from people`)
    const completed = () =>
      db.$count(
        achievementProgress,
        and(eq(achievementProgress.achievementKey, key), isNotNull(achievementProgress.completedAt)),
      )
    const counts: number[] = []
    for (let i = 0; i < 3; i += 1) {
      expect((await change(admin, key, { targetValue: 5 })).status).toBe(200)
      counts.push(await completed())
    }
    expect(counts).toEqual([200, 203, 203])
    const told = sql`${outbox.type} = 'achievement.unlocked' and ${outbox.payload}->>'key' = ${key}`
    expect(await db.$count(outbox, told)).toBe(203)
  })

  test('completes nothing while it is switched off', async () => {
    const admin = await makeAdmin()
    const { key } = await define(admin, SLOW)
    const { user } = await makePerson()
    for (let i = 0; i < 2; i += 1) await revoke(user.id)
    await settle()
    await change(admin, key, { targetValue: 1, enabled: false })
    expect((await progress(user.id, key))?.completedAt).toBeNull()
    await change(admin, key, { targetValue: 1, enabled: true })
    expect((await progress(user.id, key))?.completedAt).toBeInstanceOf(Date)
  })

  test('of what is counted lets those begin again who had not completed it', async () => {
    const admin = await makeAdmin()
    const [done, underway] = [await makePerson(), await makePerson()]
    const { key } = await define(admin, {
      targetValue: 3,
      progressMode: 'distinct',
      progressField: 'tokenId',
    })
    for (let i = 0; i < 3; i += 1) await revoke(done.user.id)
    for (let i = 0; i < 2; i += 1) await revoke(underway.user.id)
    await settle()
    await change(admin, key, { name: 'Same thing', conditions: [], progressField: 'tokenId' })
    expect((await progress(underway.user.id, key))?.currentValue).toBe(2)
    await change(admin, key, { progressField: 'userId' })
    expect(await progress(underway.user.id, key)).toBeUndefined()
    expect(await values(underway.user.id, key)).toEqual([])
    expect((await progress(done.user.id, key))?.completedAt).toBeInstanceOf(Date)
    for (let i = 0; i < 2; i += 1) await revoke(underway.user.id)
    await settle()
    expect((await progress(underway.user.id, key))?.currentValue).toBe(1)
    for (const other of [{ progressMode: 'counter' }, { eventType: 'token.created' }]) {
      await change(admin, key, other)
      expect([other, await progress(underway.user.id, key)]).toEqual([other, undefined])
      await revoke(underway.user.id)
      await settle()
    }
  })

  test('of the badge reaches the definition: its new slug, or none when it is gone', async () => {
    const [admin, badge, { user }] = [await makeAdmin(), await makeBadge(), await makePerson()]
    const { key } = await define(admin, { targetValue: 1, badgeSlug: badge.slug })
    const slug = `${badge.slug}-renamed`
    await db.update(badges).set({ slug }).where(eq(badges.id, badge.id))
    await revoke(user.id)
    await settle()
    expect(await domainEventsOf('achievement.unlocked', user.id)).toMatchObject([{ badgeSlug: slug }])
    expect(await awardsOf(user.id)).toEqual([{ slug, source: 'achievement' }])
    await db.delete(badges).where(eq(badges.id, badge.id))
    expect((await definitionOf(key))?.badgeSlug).toBeNull()
  })
})

test('a removed achievement takes its progress with it, and leaves its badges', async () => {
  const [admin, badge] = [await makeAdmin(), await makeBadge()]
  const [done, underway] = [await makePerson(), await makePerson()]
  const { key } = await define(admin, {
    targetValue: 2,
    badgeSlug: badge.slug,
    progressMode: 'distinct',
    progressField: 'tokenId',
  })
  for (let i = 0; i < 2; i += 1) await revoke(done.user.id)
  await revoke(underway.user.id)
  await settle()
  expect((await del(`${ADMIN}/${key}`, { token: admin.token })).status).toBe(204)
  for (const { user } of [done, underway]) {
    expect(await progress(user.id, key)).toBeUndefined()
    expect(await values(user.id, key)).toEqual([])
  }
  expect([await awardsOf(done.user.id), await scoreOf(done.user.id)]).toEqual([
    [{ slug: badge.slug, source: 'achievement' }],
    badge.points,
  ])
  // A new one by the same key has nothing to do with the old.
  await define(admin, { key, targetValue: 2 })
  await revoke(done.user.id)
  await settle()
  expect((await progress(done.user.id, key))?.currentValue).toBe(1)
})
