import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { badgeAwards } from '@/db/tables/badges'
import { users } from '@/db/tables/users'
import { del, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeUser } from '../../../support/make'
import {
  eventsAbout,
  giveBadge,
  groupScoreOf,
  makeBadge,
  makeStaffedGroup,
  scoreEventsOf,
  scoreOf,
} from './fixtures'

describe('giving a badge of a group', () => {
  test('happens once, changes only the group score, and emits domain events', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const badge = await makeBadge({ groupId: group.id, points: 30 })
    const user = await makeUser()
    const path = `${at}/${badge.id}/award/${user.id}`
    const given = await post(path, { token: manager.token })
    expect([given.status, given.body]).toEqual([201, { data: { success: true } }])
    const again = await post(path, { token: manager.token })
    expect([again.status, again.body]).toEqual([
      409,
      { error: 'This person holds the badge already', code: 'conflict' },
    ])
    expect(await groupScoreOf(group.id, user.id)).toEqual({ xp: 30, badgeCount: 1 })
    expect(await scoreOf(user.id)).toEqual({ xp: 0, badgeCount: 0, at: null })
    const [row] = await db.select().from(badgeAwards).where(eq(badgeAwards.badgeId, badge.id))
    expect(row).toMatchObject({ userId: user.id, groupId: group.id, source: 'group', points: 30 })
    expect((await del(path, { token: manager.token })).status).toBe(204)
    const nothing = await del(path, { token: manager.token })
    expect([nothing.status, nothing.body]).toEqual([404, { error: 'Award not found', code: 'not_found' }])
    expect(await groupScoreOf(group.id, user.id)).toBeUndefined()
    const about = { badgeId: badge.id, groupId: group.id, userId: user.id, slug: badge.slug }
    expect(await eventsAbout(badge.id)).toEqual([
      { type: 'badge.awarded', data: { ...about, points: 30, source: 'group' } },
      { type: 'badge.revoked', data: about },
    ])
    expect(await scoreEventsOf(user.id)).toEqual([
      { userId: user.id, groupId: group.id, change: 30 },
      { userId: user.id, groupId: group.id, change: -30 },
    ])
  })

  test('takes a username as well as an id', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const badge = await makeBadge({ groupId: group.id, points: 0 })
    const user = await makeUser()
    const path = `${at}/${badge.id}/award/${user.username?.toUpperCase()}`
    expect((await post(path, { token: manager.token })).status).toBe(201)
    expect((await post(`${at}/${badge.id}/award/${user.id}`, { token: manager.token })).status).toBe(409)
    expect((await del(path, { token: manager.token })).status).toBe(204)
    // No points, nothing to say about the score.
    expect(await scoreEventsOf(user.id)).toEqual([])
  })

  test('answers private (by id), suspended and unknown people with the same 404', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const badge = await makeBadge({ groupId: group.id })
    const hiding = await makeUser({ profileVisibility: 'private' })
    const suspended = await makeUser({ suspendedAt: new Date() })
    const nameless = await makeUser({ username: null })
    const expected = [404, '{"error":"User not found","code":"not_found"}']
    for (const who of [hiding.id, suspended.id, suspended.username, newId(), 'nobody-of-that-name'])
      for (const ask of [post, del]) {
        const { status, text } = await ask(`${at}/${badge.id}/award/${who}`, { token: manager.token })
        expect([who, status, text]).toEqual([who, ...expected] as [string, number, string])
      }
    // A private member is found by those who know their exact username.
    expect((await post(`${at}/${badge.id}/award/${hiding.username}`, { token: manager.token })).status).toBe(
      201,
    )
    expect((await del(`${at}/${badge.id}/award/${hiding.username}`, { token: manager.token })).status).toBe(
      204,
    )
    // Somebody without a username is public all the same, and has an id.
    expect((await post(`${at}/${badge.id}/award/${nameless.id}`, { token: manager.token })).status).toBe(201)
    expect(
      (await post(`${at}/${badge.id}/award/${hiding.id}`, { token: (await makeAdmin()).token })).status,
    ).toBe(201)
  })

  test('a private manager may award it to themselves, and revoke it from people who became private', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const badge = await makeBadge({ groupId: group.id })
    await db.update(users).set({ profileVisibility: 'private' }).where(eq(users.id, manager.user.id))
    const { token } = manager
    expect((await post(`${at}/${badge.id}/award/${manager.user.id}`, { token })).status).toBe(201)
    const holder = await makeCaller(['user'])
    await giveBadge(badge.id, holder.user.id)
    await patch('/v1/profile', { token: holder.token, json: { profileVisibility: 'private' } })
    expect((await del(`${at}/${badge.id}/award/${holder.user.id}`, { token })).status).toBe(204)
    const gone = await del(`${at}/${badge.id}/award/${holder.user.id}`, { token })
    expect([gone.status, gone.body.error]).toEqual([404, 'User not found'])
    const suspended = await makeUser()
    await giveBadge(badge.id, suspended.id)
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.id))
    expect((await del(`${at}/${badge.id}/award/${suspended.id}`, { token })).status).toBe(404)
  })

  test('is done once for one idempotency key, and says so again', async () => {
    const { at, group, manager } = await makeStaffedGroup()
    const badge = await makeBadge({ groupId: group.id })
    const user = await makeUser()
    const ask = () =>
      post(`${at}/${badge.id}/award/${user.id}`, {
        token: manager.token,
        headers: { 'idempotency-key': 'once-only' },
      })
    const [first, second] = [await ask(), await ask()]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    expect(await db.$count(badgeAwards, eq(badgeAwards.badgeId, badge.id))).toBe(1)
  })
})

test('scores follow every change of an award: points, hiding, deletion, several badges', async () => {
  const admin = await makeAdmin()
  const { token } = admin
  const { user } = await makeCaller()
  const [one, two] = [await makeBadge({ points: 100 }), await makeBadge({ points: 20 })]
  const at = (badge: typeof one) => `/v1/admin/badges/${badge.id}`
  for (const badge of [one, two]) await post(`${at(badge)}/award/${user.id}`, { token })
  expect(await scoreOf(user.id)).toMatchObject({ xp: 120, badgeCount: 2 })
  await patch(at(one), { token, json: { points: 7 } })
  expect(await scoreOf(user.id)).toMatchObject({ xp: 27, badgeCount: 2 })
  const before = await scoreOf(user.id)
  await patch(at(one), { token, json: { name: 'Other' } })
  expect(await scoreOf(user.id)).toEqual(before)
  await patch(at(one), { token, json: { hidden: true } })
  expect(await scoreOf(user.id)).toMatchObject({ xp: 20, badgeCount: 1 })
  await patch(at(one), { token, json: { hidden: false } })
  expect(await scoreOf(user.id)).toMatchObject({ xp: 27, badgeCount: 2 })
  await del(at(two), { token })
  expect(await scoreOf(user.id)).toMatchObject({ xp: 7, badgeCount: 1 })
  await del(`${at(one)}/award/${user.id}`, { token })
  expect(await scoreOf(user.id)).toMatchObject({ xp: 0, badgeCount: 0 })
})

test('a hidden badge notifies its holder and changes no score', async () => {
  const { token } = await makeAdmin()
  const { user } = await makeCaller()
  const badge = await makeBadge({ points: 50, hidden: true })
  const at = `/v1/admin/badges/${badge.id}/award/${user.id}`
  expect((await post(at, { token })).status).toBe(201)
  expect(await scoreOf(user.id)).toEqual({ xp: 0, badgeCount: 0, at: null })
  expect((await del(at, { token })).status).toBe(204)
  expect(await scoreOf(user.id)).toEqual({ xp: 0, badgeCount: 0, at: null })
  expect((await eventsAbout(badge.id)).map(({ type }) => type)).toEqual(['badge.awarded', 'badge.revoked'])
  expect(await scoreEventsOf(user.id)).toEqual([])
})
