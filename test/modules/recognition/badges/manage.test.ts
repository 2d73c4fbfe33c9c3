import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { badgeAwards, badges, claimLinks } from '@/db/tables/badges'
import { groups } from '@/db/tables/groups'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { walk } from '../../../support/walk'
import { eventsAbout, giveBadge, groupScoreOf, makeBadge, makeStaffedGroup, newBadge } from './fixtures'

describe("a group's badges", () => {
  test('are made, listed in their order, changed and deleted', async () => {
    const { at, group, manager, volunteer, owner } = await makeStaffedGroup()
    const { token } = manager
    const full = newBadge({
      name: ' Hundred Miles ',
      icon: '🚲',
      description: 'Rode\na lot.',
      color: '#16A34a',
      points: 50,
      sortOrder: 3,
    })
    const made = await post(at, { token, json: full })
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Hundred Miles',
        slug: full.slug,
        description: 'Rode\na lot.',
        icon: '🚲',
        iconUrl: 'http://localhost/assets/emoji/1f6b2.svg',
        color: '#16A34a',
        points: 50,
        sortOrder: 3,
        createdAt: expect.any(String),
        awardedCount: 0,
      },
    ])
    const bare = await post(at, { token, json: newBadge() })
    expect(bare.body.data).toMatchObject({ description: null, color: '#64748b', points: 0, sortOrder: 0 })
    await giveBadge(made.body.data.id, owner.user.id)
    const listed = await get(at, { token: volunteer.token })
    expect(listed.body).toEqual({
      data: [bare.body.data, { ...made.body.data, awardedCount: 1 }],
      pagination: { limit: 20, offset: 0, hasMore: false, total: 2 },
    })
    expect((await walk(`${at}?limit=1`, volunteer.token)).map(({ slug }) => slug)).toEqual(
      listed.body.data.map(({ slug }: { slug: string }) => slug),
    )
    const change = { name: 'Thousand Miles', description: null, points: 40, slug: 'something-else' }
    const changed = await patch(`${at}/${made.body.data.id}`, { token, json: change })
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { ...made.body.data, name: 'Thousand Miles', description: null, points: 40, awardedCount: 1 },
    ])
    expect(await groupScoreOf(group.id, owner.user.id)).toEqual({ xp: 40, badgeCount: 1 })
    const untouched = await patch(`${at}/${made.body.data.id}`, { token, json: {} })
    expect(untouched.body.data).toEqual(changed.body.data)
    expect((await del(`${at}/${made.body.data.id}`, { token: owner.token })).status).toBe(204)
    expect((await del(`${at}/${made.body.data.id}`, { token: owner.token })).status).toBe(404)
    const about = { badgeId: made.body.data.id, groupId: group.id, slug: full.slug }
    expect(await eventsAbout(made.body.data.id)).toEqual([
      { type: 'badge.created', data: about },
      { type: 'badge.updated', data: { ...about, fields: ['name', 'description', 'points'] } },
      { type: 'badge.deleted', data: about },
    ])
  })

  test('keep to their limits', async () => {
    const { at, manager } = await makeStaffedGroup()
    const { token } = manager
    const wrong: Record<string, unknown>[] = [
      { name: '' },
      { name: 'x'.repeat(101) },
      { name: 'two\nlines' },
      { name: null },
      { slug: '' },
      { slug: 'Upper' },
      { slug: 'a_b' },
      { slug: 'x'.repeat(101) },
      { description: 'x'.repeat(501) },
      { color: 'red' },
      { color: '#12345' },
      { color: '#1234567' },
      { color: null },
      { points: -1 },
      { points: 1.5 },
      { points: '5' },
      { points: 1001 },
      { sortOrder: -1 },
    ]
    for (const fields of wrong) {
      const refused = await post(at, { token, json: newBadge(fields) })
      expect([fields, refused.status, refused.body.code]).toEqual([fields, 400, 'validation_error'])
    }
    for (const missing of ['name', 'slug', 'icon'])
      expect((await post(at, { token, json: newBadge({ [missing]: undefined }) })).body.error).toBe(
        `${missing} is required`,
      )
    const { id } = (await post(at, { token, json: newBadge({ name: '👍'.repeat(100) }) })).body.data
    for (const fields of wrong.filter((one) => !('slug' in one)))
      expect([fields, (await patch(`${at}/${id}`, { token, json: fields })).status]).toEqual([fields, 400])
  })

  test('have as many points as the group may give, and no more', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const { token } = manager
    const over = await post(at, { token, json: newBadge({ points: 51 }) })
    expect([over.status, over.body]).toEqual([
      400,
      { error: 'points must be at most 50 in this group', code: 'validation_error' },
    ])
    const { id } = (await post(at, { token, json: newBadge({ points: 50 }) })).body.data
    expect((await patch(`${at}/${id}`, { token, json: { points: 51 } })).status).toBe(400)
    await db.update(groups).set({ maxBadgePoints: 200 }).where(eq(groups.id, group.id))
    expect((await patch(`${at}/${id}`, { token, json: { points: 200 } })).body.data.points).toBe(200)
    expect((await patch(`${at}/${id}`, { token, json: { points: 201 } })).status).toBe(400)
    await db.update(groups).set({ maxBadgePoints: 5 }).where(eq(groups.id, group.id))
    expect((await patch(`${at}/${id}`, { token, json: { name: 'Renamed' } })).status).toBe(200)
    expect((await post(at, { token, json: newBadge({ points: 6 }) })).status).toBe(400)
  })

  test('are ten at most, unless an administrator allows more', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const make = () => post(at, { token: manager.token, json: newBadge() })
    for (let i = 0; i < 10; i += 1) expect((await make()).status).toBe(201)
    const refused = await make()
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'This group has as many badges as it may have', code: 'conflict' },
    ])
    await db.update(groups).set({ maxBadges: 11 }).where(eq(groups.id, group.id))
    expect([(await make()).status, (await make()).status]).toEqual([201, 409])
    expect((await get(at, { token: manager.token })).body.pagination.total).toBe(11)
  })

  test('have a slug that no other badge has, of whichever group', async () => {
    const [here, there] = [await makeStaffedGroup(), await makeStaffedGroup()]
    const platform = await makeBadge()
    const { slug } = (await post(there.at, { token: there.manager.token, json: newBadge() })).body.data
    for (const taken of [slug, platform.slug]) {
      const refused = await post(here.at, { token: here.manager.token, json: newBadge({ slug: taken }) })
      expect([refused.status, refused.body]).toEqual([409, { error: 'That slug is taken', code: 'conflict' }])
    }
  })

  test('take nothing from a body but what a manager may say', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const other = await makeStaffedGroup()
    const { token } = manager
    const mine = {
      id: newId(),
      groupId: other.group.id,
      group_id: other.group.id,
      hidden: true,
      awardedCount: 99,
      createdAt: '2001-01-01T00:00:00.000Z',
      constructor: { name: 'x' },
    }
    const made = await post(at, { token, json: newBadge({ ...mine, points: 50 }) })
    expect(made.status).toBe(201)
    const row = async () =>
      (
        await db.select().from(badges).where(eq(badges.id, made.body.data.id))
      )[0] as typeof badges.$inferSelect
    const kept = await row()
    expect(kept).toMatchObject({ groupId: group.id, hidden: false, points: 50 })
    expect(made.body.data).toMatchObject({ awardedCount: 0 })
    expect(kept.id).not.toBe(mine.id)
    expect(kept.createdAt.getFullYear()).toBeGreaterThan(2001)
    for (const json of [{ points: 1000 }, { ...mine, points: 1000 }])
      expect((await patch(`${at}/${kept.id}`, { token, json })).status).toBe(400)
    const changed = await patch(`${at}/${kept.id}`, { token, json: { ...mine, slug: 'other', name: 'Mine' } })
    expect([changed.status, changed.body.data.awardedCount]).toEqual([200, 0])
    expect(await row()).toEqual({ ...kept, name: 'Mine' })
    expect((await post(at, { token, json: newBadge({ ...mine, points: 1000 }) })).status).toBe(400)
  })

  test('go with everything that hangs on them', async () => {
    const { at, group, owner } = await makeStaffedGroup()
    const [badge, other] = [
      await makeBadge({ groupId: group.id, points: 30 }),
      await makeBadge({ groupId: group.id, points: 5 }),
    ]
    const { user } = await makeCaller()
    await giveBadge(badge.id, user.id)
    await giveBadge(other.id, user.id)
    await db.insert(claimLinks).values({ id: newId(), badgeId: badge.id, code: newId() })
    expect((await del(`${at}/${badge.id}`, { token: owner.token })).status).toBe(204)
    expect(await db.$count(badgeAwards, eq(badgeAwards.badgeId, badge.id))).toBe(0)
    expect(await db.$count(claimLinks, eq(claimLinks.badgeId, badge.id))).toBe(0)
    expect(await groupScoreOf(group.id, user.id)).toEqual({ xp: 5, badgeCount: 1 })
  })

  test('have a constant number of statements', async () => {
    const { at, group, volunteer } = await makeStaffedGroup()
    for (let i = 0; i < 5; i += 1) await makeBadge({ groupId: group.id })
    const cost = (limit: number) =>
      statementsOf(() => get(`${at}?limit=${limit}`, { token: volunteer.token }))
    expect([await cost(1), await cost(5)]).toEqual([3, 3])
  })
})

test('each role may do what the table says; without one the group is not there', async () => {
  const { at, group, owner, manager, volunteer } = await makeStaffedGroup({ maxBadges: 50 })
  const elsewhere = await makeStaffedGroup()
  const [stranger, admin] = [await makeCaller(['manage:badges']), await makeAdmin()]
  const badge = await makeBadge({ groupId: group.id })
  const nobody = newId()
  // Those with 404 name things that are not there, so that the role alone decides between 403 and 404.
  const asked: [string, (token: string) => Promise<{ status: number; text: string }>, number[]][] = [
    ['list', (token) => get(at, { token }), [200, 200, 200, 200]],
    ['create', (token) => post(at, { token, json: newBadge() }), [403, 201, 201, 201]],
    ['change', (token) => patch(`${at}/${badge.id}`, { token, json: { name: 'X' } }), [403, 200, 200, 200]],
    ['delete', (token) => del(`${at}/${nobody}`, { token }), [403, 403, 404, 404]],
    [
      'award',
      async (token) => post(`${at}/${badge.id}/award/${(await makeCaller()).user.id}`, { token }),
      [403, 201, 201, 201],
    ],
    ['revoke', (token) => del(`${at}/${badge.id}/award/${nobody}`, { token }), [403, 404, 404, 404]],
  ]
  for (const [name, ask, expected] of asked) {
    const statuses: number[] = []
    for (const { token } of [volunteer, manager, owner, admin]) statuses.push((await ask(token)).status)
    expect([name, statuses]).toEqual([name, expected])
    for (const { token } of [stranger, elsewhere.owner]) {
      const refused = await ask(token)
      expect([name, refused.status, refused.text]).toEqual([
        name,
        404,
        '{"error":"Group not found","code":"not_found"}',
      ])
    }
  }
  // Another group's badge, and the platform's, is none of ours.
  for (const foreign of [await makeBadge({ groupId: elsewhere.group.id }), await makeBadge()]) {
    const { token } = owner
    for (const { status, body } of [
      await patch(`${at}/${foreign.id}`, { token, json: { name: 'Ours' } }),
      await del(`${at}/${foreign.id}`, { token }),
      await post(`${at}/${foreign.id}/award/${owner.user.id}`, { token }),
      await del(`${at}/${foreign.id}/award/${owner.user.id}`, { token }),
    ])
      expect([status, body.error]).toEqual([404, 'Badge not found'])
  }
})
