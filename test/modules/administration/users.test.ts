import { describe, expect, test } from 'bun:test'
import { randomHex } from '@/core/codes'
import { type Answer, del, get, patch, post } from '../../support/api'
import { makeAdmin, makeCaller, makeGroup, makeMember, makeSession, makeUser } from '../../support/make'
import { walk } from '../../support/walk'
import { auditOf } from './fixtures'

const ids = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

describe('the list of everyone', () => {
  test('shows each person whole, with their mail address and how many groups they have a role in', async () => {
    const { token } = await makeAdmin()
    const mark = randomHex(8)
    const lastLoginAt = new Date('2026-01-02T03:04:05.678Z')
    const user = await makeUser({ name: `Whole ${mark}`, bio: 'Hello', lastLoginAt })
    const [one, two] = [await makeGroup({}, user.id), await makeGroup()]
    await makeMember(two.id, user.id, 'volunteer')
    await makeMember(one.id, (await makeUser()).id, 'manager')
    const { status, body } = await get(`/v1/admin/users?search=${mark}`, { token })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        id: user.id,
        name: user.name,
        username: user.username,
        avatarUrl: null,
        heroImageUrl: null,
        themeColor: null,
        bio: 'Hello',
        location: null,
        socialLinks: null,
        role: 'user',
        profileVisibility: 'public',
        showOnLeaderboard: null,
        createdAt: user.createdAt.toISOString(),
        email: user.email,
        suspended: false,
        lastLoginAt: lastLoginAt.toISOString(),
        groupCount: 2,
      },
    ])
    expect(body.pagination).toEqual({ limit: 20, hasMore: false, offset: 0 })
  })

  test('finds parts of names, usernames and mail addresses in any case, and takes them literally', async () => {
    const { token } = await makeAdmin()
    const mark = randomHex(8)
    const people = [
      await makeUser({ name: `Ann O'${mark}` }),
      await makeUser({ username: `x-${mark}-x`.slice(0, 30) }),
      await makeUser({ email: `a.${mark}@example.org` }),
      await makeUser({ email: null, username: null, name: `${mark}_%` }),
    ]
    const found = ids(await get(`/v1/admin/users?search=${mark.toUpperCase()}`, { token }))
    expect(found.sort()).toEqual(people.map(({ id }) => id).sort())
    const literally = encodeURIComponent(`${mark}_%`)
    expect(ids(await get(`/v1/admin/users?search=${literally}`, { token }))).toEqual([
      people[3]?.id as string,
    ])
    expect(ids(await get(`/v1/admin/users?search=${encodeURIComponent('%_%_')}${mark}`, { token }))).toEqual(
      [],
    )
  })

  test('holds private, suspended and nameless people, newest first, page by page, and by role', async () => {
    const { token } = await makeAdmin()
    const mark = randomHex(8)
    const name = `Paged ${mark}`
    const people = [
      await makeUser({ name, profileVisibility: 'private' }),
      await makeUser({ name, suspendedAt: new Date() }),
      await makeUser({ name, username: null }),
      await makeUser({ name, role: 'admin' }),
      await makeUser({ name }),
    ]
    const newestFirst = people.map(({ id }) => id).reverse()
    const seen = await walk(`/v1/admin/users?limit=2&search=${mark}`, token)
    expect(seen.map(({ id }) => id)).toEqual(newestFirst)
    const { body } = await get(`/v1/admin/users?search=${mark}&role=admin`, { token })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([people[3]?.id])
    const suspended = await get(`/v1/admin/users?search=${mark}&offset=3&limit=1`, { token })
    expect(suspended.body.data[0]).toMatchObject({ id: people[1]?.id, suspended: true })
    const foreign = (await get(`/v1/admin/users?limit=2&search=${mark}`, { token })).body.pagination
      .nextCursor
    expect((await get(`/v1/admin/users?limit=2&cursor=${foreign}`, { token })).status).toBe(400)
    expect((await get('/v1/admin/users?role=owner', { token })).body.code).toBe('validation_error')
  })
})

describe('changing a person', () => {
  test('gives a role and takes it, by id or username, and is felt by the very next request', async () => {
    const { token, user: admin } = await makeAdmin()
    const person = await makeCaller(['admin'])
    const session = await makeSession(person.user.id)
    const tries = async () => [
      (await get('/v1/admin/users?limit=1', { token: person.token })).status,
      (await get('/v1/admin/users?limit=1', { session })).status,
      (await get('/v1/me', { session })).status,
    ]
    expect(await tries()).toEqual([403, 403, 200])
    const raised = await patch(`/v1/admin/users/${person.user.username?.toUpperCase()}`, {
      token,
      json: { role: 'admin' },
    })
    expect([raised.status, raised.body.data.role, raised.body.data.id]).toEqual([
      200,
      'admin',
      person.user.id,
    ])
    expect(await tries()).toEqual([200, 200, 200])
    const lowered = await patch(`/v1/admin/users/${person.user.id}`, { token, json: { role: 'user' } })
    expect([lowered.status, lowered.body.data.role]).toEqual([200, 'user'])
    expect(await tries()).toEqual([403, 403, 200])
    const refused = await get('/v1/admin/users?limit=1', { token: person.token })
    expect(refused.body.code).toBe('insufficient_scope')
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="admin"')
    expect(await auditOf(person.user.id)).toMatchObject([
      {
        actorId: admin.id,
        action: 'user.update',
        targetType: 'user',
        changes: { role: { from: 'admin', to: 'user' } },
        requestId: lowered.headers.get('x-request-id'),
      },
      { changes: { role: { from: 'user', to: 'admin' } }, requestId: raised.headers.get('x-request-id') },
    ])
  })

  test('to what they are already, or not at all, answers how it stands and writes nothing down', async () => {
    const { token } = await makeAdmin()
    const user = await makeUser()
    for (const json of [{}, { role: 'user' }, { suspended: false }, { role: 'user', suspended: false }]) {
      const answer = await patch(`/v1/admin/users/${user.id}`, { token, json })
      expect([answer.status, answer.body.data.id, answer.body.data.groupCount]).toEqual([200, user.id, 0])
    }
    expect(await auditOf(user.id)).toEqual([])
    await patch(`/v1/admin/users/${user.id}`, { token, json: { suspended: true } })
    await patch(`/v1/admin/users/${user.id}`, { token, json: { suspended: true, role: 'user' } })
    expect(await auditOf(user.id)).toMatchObject([{ changes: { suspended: { from: false, to: true } } }])
  })

  test('cannot set anything but role and standing', async () => {
    const { token } = await makeAdmin()
    const user = await makeUser()
    const before = (await get(`/v1/admin/users?search=${user.username}`, { token })).body.data[0]
    const json = {
      id: '01890000-0000-7000-8000-000000000000',
      email: 'taken@example.org',
      username: 'taken-over',
      name: 'Another',
      xp: 9999,
      points: 9999,
      badgeCount: 7,
      followerCount: 7,
      suspendedAt: '2026-01-01T00:00:00Z',
      isPublic: false,
      createdAt: '2020-01-01T00:00:00Z',
    }
    expect((await patch(`/v1/admin/users/${user.id}`, { token, json })).body.data).toEqual(before)
    expect((await get(`/v1/users/${user.username}`, { token })).body.data.xpScore).toBe(0)
    expect(await auditOf(user.id)).toEqual([])
  })

  test("cannot be done through one's own profile", async () => {
    const { user, token } = await makeCaller(['user'])
    const json = {
      role: 'admin',
      suspended: false,
      suspendedAt: null,
      xp: 9999,
      points: 9999,
      badgeCount: 9,
      followerCount: 9,
      id: '01890000-0000-7000-8000-000000000000',
    }
    const before = (await get('/v1/profile', { token })).body
    expect((await patch('/v1/profile', { token, json })).body).toEqual(before)
    expect((await get('/v1/profile', { token })).body.data).toMatchObject({ id: user.id, role: 'user' })
    expect((await get(`/v1/users/${user.username}`, { token })).body.data).toMatchObject({
      xpScore: 0,
      followerCount: 0,
    })
  })

  test('refuses what is no role, and people who do not exist', async () => {
    const { token } = await makeAdmin()
    const { id } = await makeUser()
    for (const json of [{ role: 'owner' }, { role: null }, { suspended: 'yes' }, { suspended: null }])
      expect((await patch(`/v1/admin/users/${id}`, { token, json })).body.code).toBe('validation_error')
    for (const who of ['01890000-0000-7000-8000-000000000000', 'nobody-of-that-name']) {
      expect((await patch(`/v1/admin/users/${who}`, { token, json: { role: 'admin' } })).status).toBe(404)
      expect((await del(`/v1/admin/users/${who}`, { token })).status).toBe(404)
    }
  })
})

describe('deleting a person', () => {
  test('by id or username removes them and what they could show, and is written down', async () => {
    const { token, user: admin } = await makeAdmin()
    for (const by of ['id', 'username'] as const) {
      const person = await makeCaller(['user'])
      const session = await makeSession(person.user.id)
      expect((await get('/v1/me', { token: person.token })).status).toBe(200)
      const gone = await del(`/v1/admin/users/${person.user[by]}`, { token })
      expect([gone.status, gone.text]).toEqual([204, ''])
      expect((await get('/v1/me', { token: person.token })).status).toBe(401)
      expect((await get('/v1/me', { session })).status).toBe(401)
      expect((await get(`/v1/users/${person.user.username}`, { token })).status).toBe(404)
      expect((await get(`/v1/admin/users?search=${person.user.username}`, { token })).body.data).toEqual([])
      expect((await del(`/v1/admin/users/${person.user.id}`, { token })).status).toBe(404)
      expect(await auditOf(person.user.id)).toMatchObject([
        { actorId: admin.id, action: 'user.delete', targetType: 'user', changes: {} },
      ])
    }
  })

  test('who is the last owner of a group is a conflict, and changes nothing', async () => {
    const { token } = await makeAdmin()
    const { user, token: own } = await makeCaller(['user'])
    const fan = await makeCaller(['user'])
    const group = await makeGroup({}, user.id)
    await makeMember(group.id, (await makeUser()).id, 'manager')
    await post(`/v1/users/${user.username}/follow`, { token: fan.token })
    const refused = await del(`/v1/admin/users/${user.id}`, { token })
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'A group needs an owner: make another person an owner first', code: 'conflict' },
    ])
    expect((await get('/v1/me', { token: own })).status).toBe(200)
    const followed = async () =>
      (await get(`/v1/users/${fan.user.username}`, { token })).body.data.followingCount
    expect(await followed()).toBe(1)
    expect(await auditOf(user.id)).toEqual([])
    await makeMember(group.id, (await makeUser()).id, 'owner')
    expect((await del(`/v1/admin/users/${user.id}`, { token })).status).toBe(204)
    expect(await followed()).toBe(0)
  })
})
