import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller, makeGroup, makeMember, makeSession, makeUser } from '../../../support/make'

describe('the own profile', () => {
  test('has every field of the specification, and the address only where it may be seen', async () => {
    const { user, token } = await makeCaller(['read:user'])
    const { body } = await get('/v1/profile', { token })
    expect(body.data).toEqual({
      id: user.id,
      name: user.name,
      username: user.username,
      avatarUrl: null,
      heroImageUrl: null,
      themeColor: null,
      bio: null,
      location: null,
      socialLinks: null,
      role: 'user',
      profileVisibility: 'public',
      showOnLeaderboard: null,
      createdAt: user.createdAt.toISOString(),
    })
    const wide = await makeCaller(['user'])
    expect((await get('/v1/profile', { token: wide.token })).body.data.email).toBe(wide.user.email)
  })

  test('changes what is sent, keeps what is not, and clears with null', async () => {
    const { token } = await makeCaller()
    const change = {
      name: '  Ada  Lovelace ',
      bio: 'Line one\r\nLine two',
      location: 'London',
      themeColor: 'ocean',
      avatarUrl: 'https://images.example/ada.png',
      socialLinks: ['https://example.org/ada', 'http://example.com'],
      showOnLeaderboard: false,
    }
    const first = await patch('/v1/profile', { token, json: change })
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({ ...change, name: 'Ada  Lovelace', bio: 'Line one\nLine two' })
    const second = await patch('/v1/profile', { token, json: { bio: null, socialLinks: null } })
    expect(second.body.data).toMatchObject({
      bio: null,
      socialLinks: null,
      location: 'London',
      themeColor: 'ocean',
    })
    expect((await patch('/v1/profile', { token, json: {} })).body).toEqual(second.body)
    // The process that made the change answers with it at once.
    expect((await get('/v1/profile', { token })).body).toEqual(second.body)
    expect((await get('/v1/me', { token })).body.data.name).toBe('Ada  Lovelace')
  })

  test('cannot be given a role, an id, a count or a verified address', async () => {
    const { user, token } = await makeCaller()
    const forged = {
      role: 'admin',
      id: Bun.randomUUIDv7(),
      email: 'x@y.z',
      xp: 500,
      followerCount: 9,
      suspendedAt: null,
      createdAt: '2000-01-01T00:00:00Z',
    }
    await patch('/v1/profile', { token, json: { ...forged, name: 'Same' } })
    const [row] = await db.select().from(users).where(eq(users.id, user.id))
    expect(row).toMatchObject({
      id: user.id,
      role: 'user',
      email: user.email as string,
      xp: 0,
      followerCount: 0,
      name: 'Same',
    })
  })

  test('refuses what the specification does not allow, with the name of the field', async () => {
    const { token } = await makeCaller()
    const bad: [Record<string, unknown>, string][] = [
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ bio: 'x'.repeat(501) }, 'bio'],
      [{ location: 'x'.repeat(101) }, 'location'],
      [{ themeColor: 'puce' }, 'themeColor'],
      [{ avatarUrl: 'javascript:alert(1)' }, 'avatarUrl'],
      [{ avatarUrl: 'https://user:pass@example.org/' }, 'avatarUrl'],
      [{ avatarUrl: `https://example.org/${'x'.repeat(2048)}` }, 'avatarUrl'],
      [{ socialLinks: Array(6).fill('https://example.org') }, 'socialLinks'],
      [{ socialLinks: ['data:text/html,x'] }, 'socialLinks.0'],
      [{ showOnLeaderboard: 'yes' }, 'showOnLeaderboard'],
      [{ profileVisibility: 'hidden' }, 'profileVisibility'],
      ...[
        'ab',
        'x'.repeat(31),
        '-abc',
        'abc-',
        'a b c',
        'ad\u00e4m',
        '\uff41\uff42\uff43',
        'a_b_c',
        null,
        '',
      ].map((username) => [{ username }, 'username'] as [Record<string, unknown>, string]),
    ]
    for (const [json, field] of bad) {
      const { status, body } = await patch('/v1/profile', { token, json })
      expect([json, status, body.code, body.error.split(' ')[0]]).toEqual([
        json,
        400,
        'validation_error',
        field,
      ])
    }
  })

  test('a change is a domain event that names its fields and holds none of them', async () => {
    const { user, token } = await makeCaller()
    await patch('/v1/profile', { token, json: { bio: 'private words' } })
    const domainEvents = (await db.select().from(outbox).where(eq(outbox.type, 'user.updated'))).filter(
      ({ payload }) => (payload as { userId: string }).userId === user.id,
    )
    expect(domainEvents.map(({ payload }) => payload)).toEqual([{ userId: user.id, fields: ['bio'] }])
  })
})

describe('usernames', () => {
  const check = async (token: string, name: string) =>
    (await get(`/v1/profile/check-username/${encodeURIComponent(name)}`, { token })).body.data

  test('are kept as typed and unique without regard to case', async () => {
    const [a, b] = [await makeCaller(), await makeCaller()]
    const name = `Mixed-${a.user.id.slice(-8)}`
    expect(
      (await patch('/v1/profile', { token: a.token, json: { username: name } })).body.data.username,
    ).toBe(name)
    const taken = await patch('/v1/profile', { token: b.token, json: { username: name.toUpperCase() } })
    expect([taken.status, taken.body]).toEqual([409, { error: 'That username is taken', code: 'conflict' }])
    expect(await check(b.token, name.toLowerCase())).toEqual({
      available: false,
      reason: 'That username is taken',
    })
    expect(await check(a.token, name)).toEqual({ available: true })
    expect((await get(`/v1/users/${name.toLowerCase()}`, { token: b.token })).body.data.username).toBe(name)
    // Its own holder may change the case of it.
    expect(
      (await patch('/v1/profile', { token: a.token, json: { username: name.toUpperCase() } })).status,
    ).toBe(200)
  })

  test('that are reserved or malformed are not available', async () => {
    const { token } = await makeCaller()
    for (const name of ['admin', 'Folkmoot', 'ME', 'Settings']) {
      expect((await check(token, name)).available).toBe(false)
      if (name.length > 2)
        expect((await patch('/v1/profile', { token, json: { username: name } })).status).toBe(409)
    }
    for (const name of ['ab', '-abc', 'a b', 'x'.repeat(31), 'adäm'])
      expect(await check(token, name)).toEqual({
        available: false,
        reason: expect.stringContaining('3 to 30'),
      })
    expect(await check(token, `free-${Date.now()}`)).toEqual({ available: true })
  })

  test('that were changed are available at once, and the old name is not found', async () => {
    const [a, b] = [await makeCaller(), await makeCaller()]
    const old = a.user.username as string
    await get(`/v1/users/${old}`, { token: b.token })
    await patch('/v1/profile', { token: a.token, json: { username: `${old}-new` } })
    expect((await get(`/v1/users/${old}`, { token: b.token })).status).toBe(404)
    expect((await patch('/v1/profile', { token: b.token, json: { username: old } })).status).toBe(200)
    expect((await get(`/v1/users/${old}`, { token: a.token })).body.data.name).toBe(b.user.name)
  })
})

describe('deleting an account', () => {
  test('needs a session and the username, and then nothing is left', async () => {
    const { user, token } = await makeCaller()
    const [session, fan] = [await makeSession(user.id), await makeCaller()]
    await post(`/v1/users/${user.username}/follow`, { token: fan.token })
    await post(`/v1/users/${fan.user.username}/follow`, { token })
    expect((await del(`/v1/profile?confirm=${user.username}`, { token })).body.code).toBe('forbidden')
    expect((await del('/v1/profile?confirm=wrong', { session })).body.code).toBe('bad_request')
    expect((await del('/v1/profile', { session })).body.code).toBe('validation_error')
    expect(
      (
        await del(`/v1/profile?confirm=${user.username}`, {
          session,
          headers: { 'sec-fetch-site': 'cross-site' },
        })
      ).status,
    ).toBe(403)
    const gone = await del(`/v1/profile?confirm=${user.username?.toUpperCase()}`, { session })
    expect([gone.status, gone.body]).toEqual([200, { data: { success: true } }])
    expect((await get('/v1/me', { token })).status).toBe(401)
    expect((await get('/v1/me', { session })).status).toBe(401)
    expect((await get(`/v1/users/${user.username}`, { token: fan.token })).status).toBe(404)
    expect((await get(`/v1/users/${fan.user.username}`, { token: fan.token })).body.data).toMatchObject({
      followerCount: 0,
      followingCount: 0,
    })
    expect(await db.select().from(users).where(eq(users.id, user.id))).toEqual([])
  })
})

test('the last owner of a group cannot delete their account, and anyone else in it can', async () => {
  const owner = await makeUser()
  const session = await makeSession(owner.id)
  const group = await makeGroup({}, owner.id)
  const refused = await del(`/v1/profile?confirm=${owner.username}`, { session })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect((await get('/v1/me', { session })).status).toBe(200)
  await makeMember(group.id, (await makeUser()).id, 'owner')
  expect((await del(`/v1/profile?confirm=${owner.username}`, { session })).status).toBe(200)
})

test('favorite groups show on the profile, and leave it at once', async () => {
  const { user, token } = await makeCaller(['user', 'write:favorites'])
  const [listed, unlisted] = [await makeGroup(), await makeGroup({}, user.id)]
  for (const { urlname } of [listed, unlisted]) await post(`/v1/favorites/${urlname}`, { token })
  const shown = async () => (await get(`/v1/users/${user.username}`, { token })).body.data.favoriteGroups
  expect(await shown()).toHaveLength(2)
  expect((await shown())[0]).toEqual({ slug: listed.urlname, name: listed.name, photoUrl: null })
  await del(`/v1/favorites/${listed.urlname}`, { token })
  expect(await shown()).toHaveLength(1)
})

describe('sessions', () => {
  test('are listed for their owner, the asking one marked, and end at once', async () => {
    const user = await makeUser()
    const [one, two] = [await makeSession(user.id), await makeSession(user.id)]
    const { body } = await get('/v1/profile/sessions', { session: one })
    expect(body.data).toHaveLength(2)
    expect(Object.keys(body.data[0]).sort()).toEqual([
      'createdAt',
      'current',
      'id',
      'lastSeenAt',
      'userAgent',
    ])
    const current = body.data.filter((row: { current: boolean }) => row.current)
    expect(current).toHaveLength(1)
    const other = body.data.find((row: { current: boolean }) => !row.current)
    expect((await get('/v1/me', { session: two })).status).toBe(200)
    expect((await del(`/v1/profile/sessions/${other.id}`, { session: one })).status).toBe(204)
    expect((await get('/v1/me', { session: two })).status).toBe(401)
    expect((await del(`/v1/profile/sessions/${other.id}`, { session: one })).status).toBe(404)
    const stranger = await makeSession((await makeUser()).id)
    expect((await del(`/v1/profile/sessions/${current[0].id}`, { session: stranger })).status).toBe(404)
    expect((await get('/v1/me', { session: one })).status).toBe(200)
  })
})
