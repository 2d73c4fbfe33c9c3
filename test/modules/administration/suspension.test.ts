import { describe, expect, test } from 'bun:test'
import { and, desc, eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { personalTokens, sessions } from '@/db/tables/credentials'
import { outbox } from '@/db/tables/outbox'
import { get, patch, post } from '../../support/api'
import {
  makeAdmin,
  makeCaller,
  makeEvent,
  makeGroup,
  makeMember,
  makeSession,
  makeToken,
  makeUser,
} from '../../support/make'

const suspend = (token: string, who: string, suspended = true) =>
  patch(`/v1/admin/users/${who}`, { token, json: { suspended } })

const domainEventsOf = async (userId: string) =>
  (
    await db
      .select()
      .from(outbox)
      .where(
        and(
          sql`${outbox.payload}->>'userId' = ${userId}`,
          sql`${outbox.type} in ('user.suspended', 'user.updated')`,
        ),
      )
      .orderBy(desc(outbox.id))
  ).map(({ type, payload }) => ({ type, payload }))

describe('a suspended person', () => {
  test('has no credential any more, and gets none of them back', async () => {
    const { token } = await makeAdmin()
    const { user, token: first } = await makeCaller(['user'])
    const { token: second } = await makeToken(user.id, ['read:user'])
    const session = await makeSession(user.id)
    const shown = [{ token: first }, { token: second }, { session }]
    const statuses = async () => Promise.all(shown.map(async (one) => (await get('/v1/me', one)).status))
    expect(await statuses()).toEqual([200, 200, 200])
    const answer = await suspend(token, user.username as string)
    expect([answer.status, answer.body.data]).toEqual([
      200,
      expect.objectContaining({ id: user.id, suspended: true, role: 'user' }),
    ])
    expect(await statuses()).toEqual([401, 401, 401])
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0)
    expect(await db.$count(personalTokens, eq(personalTokens.userId, user.id))).toBe(0)
    expect(await domainEventsOf(user.id)).toEqual([{ type: 'user.suspended', payload: { userId: user.id } }])
    // One that was being made at that moment is good for nothing, neither now nor later.
    const { token: late } = await makeToken(user.id, ['user'])
    const lateSession = await makeSession(user.id)
    shown.push({ token: late }, { session: lateSession })
    expect(await statuses()).toEqual([401, 401, 401, 401, 401])
    expect((await suspend(token, user.id, false)).body.data.suspended).toBe(false)
    expect(await statuses()).toEqual([401, 401, 401, 401, 401])
    expect((await domainEventsOf(user.id))[0]).toEqual({
      type: 'user.updated',
      payload: { userId: user.id, fields: ['suspended'] },
    })
    const { token: fresh } = await makeToken(user.id, ['user'])
    expect((await get('/v1/me', { token: fresh })).status).toBe(200)
  })

  test('is in no list and no count, and comes back into all of them', async () => {
    const { token } = await makeAdmin()
    const [viewer, other] = [await makeCaller(['user', 'read:groups', 'read:events']), await makeCaller()]
    const person = await makeCaller(['user', 'write:favorites', 'write:events'])
    const name = person.user.username as string
    const group = await makeGroup()
    const event = await makeEvent(group.id)
    await post(`/v1/users/${name}/follow`, { token: other.token })
    await post(`/v1/users/${other.user.username}/follow`, { token: person.token })
    await post(`/v1/favorites/${group.urlname}`, { token: person.token })
    await post(`/v1/events/${event.id}/rsvp`, { token: person.token })

    const listed = async (path: string) => {
      const { body } = await get(path, { token: viewer.token })
      return body.data.some(({ username }: { username: string }) => username === name)
    }
    const everywhere = async () => {
      const beside = (await get(`/v1/users/${other.user.username}`, { token: viewer.token })).body.data
      return {
        profile: (await get(`/v1/users/${name}`, { token: viewer.token })).status,
        directory: await listed(`/v1/users?search=${name}`),
        followers: await listed(`/v1/users/${other.user.username}/followers`),
        following: await listed(`/v1/users/${other.user.username}/following`),
        favoriters: await listed(`/v1/groups/${group.urlname}/members`),
        guests: await listed(`/v1/events/${event.id}/attendees`),
        counts: [beside.followerCount, beside.followingCount],
      }
    }
    const there = {
      profile: 200,
      directory: true,
      followers: true,
      following: true,
      favoriters: true,
      guests: true,
      counts: [1, 1],
    }
    const gone = {
      profile: 404,
      directory: false,
      followers: false,
      following: false,
      favoriters: false,
      guests: false,
      counts: [0, 0],
    }
    // Twice each: cached answers must change as well.
    for (let round = 0; round < 2; round += 1) {
      expect([await everywhere(), await everywhere()]).toEqual([there, there])
      await suspend(token, person.user.id)
      expect([await everywhere(), await everywhere()]).toEqual([gone, gone])
      const missing = await get(`/v1/users/${name}`, { token: viewer.token })
      const nobody = await get('/v1/users/nobody-of-that-name', { token: viewer.token })
      expect(missing.text).toBe(nobody.text)
      // Administrators still see whom they suspended.
      expect((await get(`/v1/users/${name}`, { token })).status).toBe(200)
      await suspend(token, person.user.id, false)
    }
    expect(await everywhere()).toEqual(there)
  })

  test('who was private is no less and no more counted than before', async () => {
    const { token } = await makeAdmin()
    const person = await makeCaller(['user'], { profileVisibility: 'private' })
    const [other, fan] = [await makeCaller(), await makeCaller()]
    for (const { token } of [person, fan]) await post(`/v1/users/${other.user.username}/follow`, { token })
    const count = async () =>
      (await get(`/v1/users/${other.user.username}`, { token })).body.data.followerCount
    expect(await count()).toBe(1)
    for (const suspended of [true, false]) {
      expect((await suspend(token, person.user.id, suspended)).status).toBe(200)
      expect(await count()).toBe(1)
    }
  })

  test('cannot be followed or added to a staff by those who may not know of them', async () => {
    const { token } = await makeAdmin()
    const owner = await makeCaller(['user', 'manage:groups'])
    const group = await makeGroup({}, owner.user.id)
    const { id, username } = await makeUser()
    await get(`/v1/users/${username}`, { token: owner.token })
    await suspend(token, id)
    expect((await post(`/v1/users/${username}/follow`, { token: owner.token })).status).toBe(404)
    const added = await post(`/v1/manage/groups/${group.id}/members`, {
      token: owner.token,
      json: { userId: id },
    })
    expect(added.status).toBe(404)
  })

  test('keeps their roles, so that a group is not left without its owner', async () => {
    const { token } = await makeAdmin()
    const { user } = await makeCaller()
    await makeGroup({}, user.id)
    await makeMember((await makeGroup()).id, user.id, 'manager')
    expect((await suspend(token, user.id)).body.data.groupCount).toBe(2)
  })

  test('can be demoted in the same request, and both are recorded', async () => {
    const { token } = await makeAdmin()
    const { user } = await makeAdmin()
    const answer = await patch(`/v1/admin/users/${user.id}`, {
      token,
      json: { role: 'user', suspended: true },
    })
    expect(answer.body.data).toMatchObject({ role: 'user', suspended: true })
    expect(await domainEventsOf(user.id)).toEqual([
      { type: 'user.updated', payload: { userId: user.id, fields: ['role'] } },
      { type: 'user.suspended', payload: { userId: user.id } },
    ])
    await patch(`/v1/admin/users/${user.id}`, { token, json: { role: 'admin', suspended: false } })
    expect((await domainEventsOf(user.id))[0]).toEqual({
      type: 'user.updated',
      payload: { userId: user.id, fields: ['role', 'suspended'] },
    })
  })
})

test('administrators may suspend and demote themselves, and that is their last word', async () => {
  const [suspended, demoted] = [await makeAdmin(), await makeAdmin()]
  expect((await suspend(suspended.token, suspended.user.id)).body.data.suspended).toBe(true)
  expect((await get('/v1/me', { token: suspended.token })).status).toBe(401)
  const lowered = await patch(`/v1/admin/users/${demoted.user.id}`, {
    token: demoted.token,
    json: { role: 'user' },
  })
  expect(lowered.body.data.role).toBe('user')
  expect((await get('/v1/admin/users', { token: demoted.token })).body.code).toBe('insufficient_scope')
})
