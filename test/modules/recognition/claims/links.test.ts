import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { badges, claimLinks } from '@/db/tables/badges'
import { del, get, post } from '../../../support/api'
import { makeAdmin, makeBadge, makeCaller } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { statementsOf } from '../../../support/statements'
import { inHours } from '../../../support/time'
import { walk } from '../../../support/walk'
import { holdersOf, makeFan, makeGroupWithBadge, makeLink } from './fixtures'

const NOWHERE = '01890000-0000-7000-8000-000000000000'
const BAD = [
  { maxUses: 0 },
  { maxUses: 1_000_001 },
  { maxUses: 1.5 },
  { maxUses: '5' },
  { expiresAt: new Date(Date.now() - 1000).toISOString() },
  { expiresAt: 'tomorrow' },
]

describe('claim links of a badge', () => {
  test('are made with what was asked, listed oldest first and deleted', async () => {
    const { at, manage, manager, badge } = await makeGroupWithBadge()
    const { token } = manager
    const expiresAt = inHours(5).toISOString()
    const full = await post(at, { token, json: { maxUses: 3, expiresAt } })
    expect([full.status, full.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        code: expect.stringMatching(/^[2-9a-hjkmnp-z]{12}$/),
        maxUses: 3,
        currentUses: 0,
        expiresAt,
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
    const bare = await post(at, { token })
    expect(bare.body.data).toMatchObject({ maxUses: null, expiresAt: null })
    const open = await post(at, { token, json: { maxUses: null, expiresAt: null } })
    expect(open.body.data).toMatchObject({ maxUses: null, expiresAt: null })
    const fan = await makeFan()
    expect((await post(`/v1/claim/${full.body.data.code}`, { token: fan.token })).status).toBe(201)
    const listed = await get(at, { token })
    expect(listed.body.data).toEqual([{ ...full.body.data, currentUses: 1 }, bare.body.data, open.body.data])
    expect(listed.body.pagination).toEqual({ limit: 20, offset: 0, hasMore: false, total: 3 })
    const path = `${manage}/claim-links/${full.body.data.id}`
    const gone = await del(path, { token })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await del(path, { token })).status).toBe(404)
    expect((await get(`/v1/claim/${full.body.data.code}`)).status).toBe(404)
    // What was claimed with it stays.
    expect(await holdersOf(badge.id)).toEqual([fan.user.id])
  })

  test('keep to their limits, and take nothing from the body that is not theirs to take', async () => {
    const { at, manager, badge } = await makeGroupWithBadge()
    const other = await makeGroupWithBadge()
    const { token } = manager
    for (const json of BAD)
      expect([json, (await post(at, { token, json })).body.code]).toEqual([json, 'validation_error'])
    const made = await post(at, {
      token,
      json: {
        id: NOWHERE,
        code: 'mine',
        currentUses: 9,
        badgeId: other.badge.id,
        groupId: other.group.id,
        maxUses: 1_000_000,
      },
    })
    expect(made.body.data).toMatchObject({ currentUses: 0, maxUses: 1_000_000 })
    const [row] = await db.select().from(claimLinks).where(eq(claimLinks.id, made.body.data.id))
    expect([row?.badgeId, row?.code === 'mine']).toEqual([badge.id, false])
  })

  test('are for managers, and for administrators', async () => {
    const { at, manage, owner, manager, volunteer, badge } = await makeGroupWithBadge()
    const outsider = await makeCaller(['manage:badges'])
    const admin = await makeAdmin()
    const wrongScope = await makeCaller(['manage:groups', 'manage:checkins', 'user'])
    const tries = [
      [owner, [200, 201, 204]],
      [manager, [200, 201, 204]],
      [admin, [200, 201, 204]],
      [volunteer, [403, 403, 403]],
      [outsider, [404, 404, 404]],
      [wrongScope, [403, 403, 403]],
    ] as const
    for (const [{ token }, expected] of tries) {
      const link = await makeLink(badge.id)
      const statuses = [
        (await get(at, { token })).status,
        (await post(at, { token })).status,
        (await del(`${manage}/claim-links/${link.id}`, { token })).status,
      ]
      expect(statuses).toEqual([...expected])
    }
  })

  test('of a badge that is not the group’s are the same 404 as those of none', async () => {
    const { at, manage, owner } = await makeGroupWithBadge()
    const foreign = await makeGroupWithBadge()
    const platform = await makeBadge()
    const { token } = owner
    const missing = await get(at.replace(/badges\/[^/]+/, `badges/${NOWHERE}`), { token })
    expect(missing.body).toEqual({ error: 'Badge not found', code: 'not_found' })
    for (const { id } of [foreign.badge, platform]) {
      const path = `${manage}/badges/${id}/claim-links`
      for (const answer of [await get(path, { token }), await post(path, { token })])
        expect([answer.status, answer.text]).toEqual([404, missing.text])
      const link = await makeLink(id)
      const answer = await del(`${manage}/claim-links/${link.id}`, { token })
      const none = await del(`${manage}/claim-links/${NOWHERE}`, { token })
      expect([answer.status, answer.text]).toEqual([404, none.text])
      expect((await get(`/v1/claim/${link.code}`)).status).toBe(200)
    }
    // An administrator reaches every group, and even so only its own badges.
    const admin = await makeAdmin()
    expect((await post(`${manage}/badges/${platform.id}/claim-links`, { token: admin.token })).status).toBe(
      404,
    )
  })

  test('of a badge that is deleted meanwhile are not made', async () => {
    const { at, badge, manager } = await makeGroupWithBadge()
    const answer = await meanwhile(
      (tx) => tx.delete(badges).where(eq(badges.id, badge.id)),
      () => post(at, { token: manager.token }),
    )
    expect([answer.status, answer.body]).toEqual([404, { error: 'Badge not found', code: 'not_found' }])
  })

  test('pages neither skip nor repeat, with a constant number of statements', async () => {
    const { at, badge, manager } = await makeGroupWithBadge()
    for (let i = 0; i < 5; i += 1) await makeLink(badge.id)
    const { token } = manager
    const whole = (await get(at, { token })).body.data
    expect(await walk(`${at}?limit=2`, token)).toEqual(whole)
    expect(whole).toHaveLength(5)
    const cost = (limit: number) => statementsOf(() => get(`${at}?limit=${limit}`, { token }))
    expect(await cost(1)).toBe(await cost(5))
    const first = await get(`${at}?limit=2`, { token })
    const elsewhere = await makeGroupWithBadge()
    const foreign = await get(`${elsewhere.at}?cursor=${first.body.pagination.nextCursor}`, {
      token: elsewhere.manager.token,
    })
    expect(foreign.body.code).toBe('bad_request')
  })
})

describe('claim links of platform badges', () => {
  const path = (badgeId: string) => `/v1/admin/badges/${badgeId}/claim-links`

  test('are made by administrators and written to the audit log', async () => {
    const admin = await makeAdmin()
    const badge = await makeBadge({ hidden: true })
    const expiresAt = inHours(1).toISOString()
    const made = await post(path(badge.id), {
      token: admin.token,
      json: { maxUses: 2, expiresAt, currentUses: 7 },
    })
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        code: expect.stringMatching(/^[2-9a-hjkmnp-z]{12}$/),
        maxUses: 2,
        currentUses: 0,
        expiresAt,
        createdAt: expect.any(String),
      },
    ])
    const [entry] = await db.select().from(auditLog).where(eq(auditLog.targetId, made.body.data.id))
    expect(entry).toMatchObject({
      actorId: admin.user.id,
      action: 'claim_link.create',
      targetType: 'claim_link',
      changes: { badgeId: badge.id, maxUses: 2, expiresAt },
      requestId: made.headers.get('x-request-id') as string,
    })
    const { token } = await makeFan()
    expect((await post(`/v1/claim/${made.body.data.code}`, { token })).status).toBe(201)
    for (const json of BAD)
      expect([json, (await post(path(badge.id), { token: admin.token, json })).body.code]).toEqual([
        json,
        'validation_error',
      ])
  })

  test('are for administrators only, and do not reach badges of groups', async () => {
    const admin = await makeAdmin()
    const { badge, owner } = await makeGroupWithBadge()
    for (const id of [badge.id, NOWHERE]) {
      const answer = await post(path(id), { token: admin.token })
      expect([answer.status, answer.body]).toEqual([404, { error: 'Badge not found', code: 'not_found' }])
    }
    const modest = await makeCaller(['manage:badges'], { role: 'admin' })
    for (const { token } of [owner, modest])
      expect((await post(path((await makeBadge()).id), { token })).body.code).toBe('insufficient_scope')
  })
})
