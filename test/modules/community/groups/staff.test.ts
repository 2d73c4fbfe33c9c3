import { describe, expect, test } from 'bun:test'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeGroup, makeMember, makeToken, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'

type Role = 'owner' | 'manager' | 'volunteer'
const ROLES: Role[] = ['owner', 'manager', 'volunteer']
const NOWHERE = '01890000-0000-7000-8000-000000000000'

/** A group whose only owner is somebody else, and a caller with a role there. */
async function makeStaffed(role: Role) {
  const group = await makeGroup({}, (await makeUser()).id)
  const me = await makeCaller(['manage:groups'])
  const own = await makeMember(group.id, me.user.id, role)
  return { group, me, own, path: `/v1/manage/groups/${group.id}/members` }
}

const domainEventsOf = async (groupId: string) =>
  (await db.select().from(outbox).orderBy(outbox.id))
    .filter(({ payload }) => (payload as { groupId?: string }).groupId === groupId)
    .map(({ type, payload }) => [type, payload])

describe('the staff of a group', () => {
  test('is listed, oldest first, with who they are, at a constant cost', async () => {
    const { group, me, own, path } = await makeStaffed('volunteer')
    const shy = await makeUser({ profileVisibility: 'private', username: null })
    const added = await makeMember(group.id, shy.id, 'manager')
    const whole = await get(path, { token: me.token })
    expect(whole.body.data.map(({ role }: { role: string }) => role)).toEqual([
      'owner',
      'volunteer',
      'manager',
    ])
    expect(whole.body.data.slice(1)).toEqual([
      {
        id: own.id,
        userId: me.user.id,
        role: 'volunteer',
        createdAt: own.createdAt.toISOString(),
        user: { username: me.user.username, name: me.user.name, avatarUrl: null, isPublic: true },
      },
      {
        id: added.id,
        userId: shy.id,
        role: 'manager',
        createdAt: added.createdAt.toISOString(),
        user: { username: null, name: shy.name, avatarUrl: null, isPublic: false },
      },
    ])
    expect(whole.body.pagination.total).toBe(3)
    expect(whole.text).not.toContain(shy.email as string)
    const first = await get(`${path}?limit=2`, { token: me.token })
    const second = await get(`${path}?limit=2&cursor=${first.body.pagination.nextCursor}`, {
      token: me.token,
    })
    expect([...first.body.data, ...second.body.data]).toEqual(whole.body.data)
    const cost = (limit: number) => statementsOf(() => get(`${path}?limit=${limit}`, { token: me.token }))
    expect([await cost(1), await cost(100)]).toEqual([3, 3])
  })
})

describe('adding to the staff', () => {
  test('takes an id or a username in any case, and a volunteer unless a role is given', async () => {
    const { group, me, path } = await makeStaffed('owner')
    const [one, two] = [await makeUser(), await makeUser()]
    const first = await post(path, { token: me.token, json: { userId: one.id } })
    const { id } = first.body.data
    expect([first.status, first.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        userId: one.id,
        role: 'volunteer',
        createdAt: expect.stringMatching(/Z$/),
        user: { username: one.username, name: one.name, avatarUrl: null, isPublic: true },
      },
    ])
    const second = await post(path, {
      token: me.token,
      json: { userId: two.username?.toUpperCase(), role: 'owner', id: NOWHERE, createdAt: 'x' },
    })
    expect([second.status, second.body.data.userId, second.body.data.role]).toEqual([201, two.id, 'owner'])
    const again = await post(path, { token: me.token, json: { userId: one.username, role: 'manager' } })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect((await domainEventsOf(group.id))[0]).toEqual([
      'member.added',
      { groupId: group.id, memberId: id, userId: one.id, role: 'volunteer' },
    ])
  })

  test('takes a private member by their exact username, and not by their id', async () => {
    const { me, path } = await makeStaffed('owner')
    const shy = await makeUser({ profileVisibility: 'private' })
    expect((await post(path, { token: me.token, json: { userId: shy.id } })).status).toBe(404)
    const partly = shy.username?.slice(0, -1)
    expect((await post(path, { token: me.token, json: { userId: partly } })).status).toBe(404)
    const added = await post(path, { token: me.token, json: { userId: shy.username?.toUpperCase() } })
    expect([added.status, added.body.data.userId]).toEqual([201, shy.id])
    // Nobody asked them, so their name and picture stay private: in the answer, in the list and after another role.
    const hidden = { username: shy.username, name: shy.username, avatarUrl: null, isPublic: false }
    expect(added.body.data.user).toEqual(hidden)
    const users = async (token: string) =>
      (await get(path, { token })).body.data
        .filter(({ userId }: { userId: string }) => userId === shy.id)
        .map(({ user }: { user: unknown }) => user)
    expect(await users(me.token)).toEqual([hidden])
    const json = { role: 'manager' }
    const changed = await patch(`${path}/${added.body.data.id}`, { token: me.token, json })
    expect([changed.status, changed.body.data.user]).toEqual([200, hidden])
    const own = await makeToken(shy.id, ['manage:groups'])
    for (const token of [own.token, (await makeAdmin()).token])
      expect(await users(token)).toEqual([{ ...hidden, name: shy.name }])
  })

  test('answers private and unknown people with the same 404', async () => {
    const { me, path } = await makeStaffed('owner')
    const shy = await makeUser({ profileVisibility: 'private' })
    const banned = await makeUser({ suspendedAt: new Date() })
    const missing = await post(path, { token: me.token, json: { userId: NOWHERE } })
    expect(missing.body).toEqual({
      error: 'No member has that username: it comes after the @ on their profile',
      code: 'not_found',
    })
    for (const userId of ['nobody-of-that-name', shy.id, banned.id, banned.username]) {
      const answer = await post(path, { token: me.token, json: { userId } })
      expect([answer.status, answer.text]).toEqual([404, missing.text])
    }
    const admin = await makeAdmin()
    expect((await post(path, { token: admin.token, json: { userId: shy.id } })).status).toBe(201)
    for (const json of [{}, { userId: '' }, { userId: 5 }, { userId: 'x', role: 'boss' }])
      expect((await post(path, { token: me.token, json })).body.code).toBe('validation_error')
  })
})

describe('who may touch whom', () => {
  for (const [own, reach] of [
    ['owner', ROLES],
    ['manager', ['volunteer']],
    ['volunteer', []],
  ] as [Role, Role[]][])
    test(`${own}: ${reach.join(', ') || 'no one'}`, async () => {
      const { group, me, path } = await makeStaffed(own)
      for (const theirs of ROLES) {
        const added = await post(path, {
          token: me.token,
          json: { userId: (await makeUser()).id, role: theirs },
        })
        expect([own, 'adds', theirs, added.status]).toEqual([
          own,
          'adds',
          theirs,
          reach.includes(theirs) ? 201 : 403,
        ])
        for (const next of ROLES) {
          const member = await makeMember(group.id, (await makeUser()).id, theirs)
          const allowed = reach.includes(theirs) && reach.includes(next)
          const changed = await patch(`${path}/${member.id}`, { token: me.token, json: { role: next } })
          expect([own, theirs, next, changed.status]).toEqual([own, theirs, next, allowed ? 200 : 403])
          if (allowed) expect(changed.body.data).toMatchObject({ id: member.id, role: next })
          const listed = (await get(`${path}?limit=100`, { token: me.token })).body.data.find(
            ({ id }: { id: string }) => id === member.id,
          )
          expect(listed.role).toBe(allowed ? next : theirs)
        }
        const member = await makeMember(group.id, (await makeUser()).id, theirs)
        const removed = await del(`${path}/${member.id}`, { token: me.token })
        expect([own, 'removes', theirs, removed.status]).toEqual([
          own,
          'removes',
          theirs,
          reach.includes(theirs) ? 204 : 403,
        ])
      }
    })

  test('removing a person emits a domain event', async () => {
    const { group, me, path } = await makeStaffed('manager')
    const { id: userId } = await makeUser()
    const member = await makeMember(group.id, userId, 'volunteer')
    await del(`${path}/${member.id}`, { token: me.token })
    expect(await domainEventsOf(group.id)).toEqual([
      ['member.removed', { groupId: group.id, memberId: member.id, userId, role: 'volunteer' }],
    ])
  })

  test('people cannot promote themselves', async () => {
    for (const role of ['manager', 'volunteer'] as const) {
      const { me, own, path } = await makeStaffed(role)
      for (const next of ['owner', 'manager'])
        expect((await patch(`${path}/${own.id}`, { token: me.token, json: { role: next } })).status).toBe(403)
    }
  })

  test("a member of another group's staff is not found here, even by an owner", async () => {
    const [here, there] = [await makeStaffed('owner'), await makeStaffed('owner')]
    const options = { token: here.me.token }
    const missing = await del(`${here.path}/${NOWHERE}`, options)
    expect(missing.status).toBe(404)
    const foreign = [
      await del(`${here.path}/${there.own.id}`, options),
      await patch(`${here.path}/${there.own.id}`, { ...options, json: { role: 'volunteer' } }),
    ]
    for (const answer of foreign) expect([answer.status, answer.text]).toEqual([404, missing.text])
    const staff = (await get(there.path, { token: there.me.token })).body.data
    expect(staff.map(({ role }: { role: string }) => role)).toEqual(['owner', 'owner'])
  })
})

describe('the last owner', () => {
  test('stays, whichever way they go; a second one makes it possible', async () => {
    const me = await makeCaller(['manage:groups'])
    const group = await makeGroup()
    const own = await makeMember(group.id, me.user.id, 'owner')
    const other = await makeMember(group.id, (await makeUser()).id, 'manager')
    const path = `/v1/manage/groups/${group.id}`
    const admin = await makeAdmin()
    for (const { token } of [me, admin]) {
      const refused = [
        await patch(`${path}/members/${own.id}`, { token, json: { role: 'volunteer' } }),
        await del(`${path}/members/${own.id}`, { token }),
      ]
      for (const answer of refused) expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    }
    expect((await post(`${path}/leave`, { token: me.token })).body.code).toBe('conflict')
    expect((await post(`${path}/leave`, { token: admin.token })).status).toBe(404)
    expect(await domainEventsOf(group.id)).toEqual([])
    await patch(`${path}/members/${other.id}`, { token: me.token, json: { role: 'owner' } })
    const left = await post(`${path}/leave`, { token: me.token })
    expect([left.status, left.body]).toEqual([200, { data: { success: true } }])
    expect((await post(`${path}/leave`, { token: me.token })).status).toBe(404)
    const { userId } = other
    expect(await domainEventsOf(group.id)).toEqual([
      ['member.role_changed', { groupId: group.id, memberId: other.id, userId, role: 'owner' }],
      ['member.removed', { groupId: group.id, memberId: own.id, userId: me.user.id, role: 'owner' }],
    ])
  })

  test('has company when anyone else leaves, and a change to the same role is none', async () => {
    for (const role of ['manager', 'volunteer'] as const) {
      const { group, me, own, path } = await makeStaffed(role)
      if (role === 'manager') {
        const peer = await makeMember(group.id, (await makeUser()).id, 'volunteer')
        const same = await patch(`${path}/${peer.id}`, { token: me.token, json: { role: 'volunteer' } })
        expect(same.status).toBe(200)
      }
      expect((await post(`/v1/manage/groups/${group.id}/leave`, { token: me.token })).status).toBe(200)
      expect(await domainEventsOf(group.id)).toEqual([
        ['member.removed', { groupId: group.id, memberId: own.id, userId: me.user.id, role }],
      ])
    }
  })
})
