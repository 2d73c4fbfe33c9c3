import { describe, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { db } from '@/db/client'
import { groupClaims } from '@/db/tables/group-claims'
import { groups } from '@/db/tables/groups'
import { idempotencyKeys } from '@/db/tables/jobs'
import { users } from '@/db/tables/users'
import { lockStaff } from '@/modules/community/groups/staff/queries'
import { del, get, post } from '../../../support/api'
import { eventsAbout } from '../../../support/events'
import { makeAdmin, makeCaller, makeGroup, makeMember, makeUser } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { statementsOf } from '../../../support/statements'
import { inHours } from '../../../support/time'
import { walk } from '../../../support/walk'
import {
  domainEventsOf,
  entriesOf,
  inviteRow,
  makeClaimant,
  makeRequest,
  NOWHERE,
  requestsOf,
  roleIn,
} from './fixtures'

const at = (requestId: string, verb: 'approve' | 'reject') => `/v1/admin/group-claims/${requestId}/${verb}`
const DECIDED = { error: 'This request was decided already', code: 'conflict' }

describe('approving a request', () => {
  test('makes the person an owner, and shows who decided', async () => {
    const admin = await makeAdmin()
    const owner = await makeUser()
    const group = await makeGroup({ isListed: false }, owner.id)
    const person = await makeUser({ profileVisibility: 'private', avatarUrl: 'https://example.org/a.png' })
    const request = await makeRequest(group.id, person.id, { notes: 'Mine' })
    const answer = await post(at(request.id, 'approve'), { token: admin.token })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          id: request.id,
          group: { id: group.id, name: group.name, urlname: group.urlname },
          user: {
            id: person.id,
            username: person.username,
            name: person.name,
            avatarUrl: 'https://example.org/a.png',
          },
          notes: 'Mine',
          status: 'approved',
          createdAt: request.createdAt.toISOString(),
          decidedAt: expect.stringMatching(/Z$/),
          decidedBy: { id: admin.user.id, username: admin.user.username },
        },
      },
    ])
    expect([await roleIn(group.id, person.id), await roleIn(group.id, owner.id)]).toEqual(['owner', 'owner'])
    expect(await domainEventsOf(group.id)).toEqual([
      ['member.added', { groupId: group.id, memberId: expect.any(String), userId: person.id, role: 'owner' }],
      ['group.claimed', { groupId: group.id, userId: person.id }],
    ] as never)
    expect(await entriesOf(request.id)).toMatchObject([
      {
        actorId: admin.user.id,
        action: 'group_claim.approve',
        targetType: 'group_claim',
        changes: { groupId: group.id, userId: person.id, status: 'approved' },
        requestId: answer.headers.get('x-request-id') as string,
      },
    ])
  })

  test('raises a role, and leaves an owner as they are', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    const [manager, owner] = [await makeUser({ username: null }), await makeUser()]
    const member = await makeMember(group.id, manager.id, 'manager')
    await makeMember(group.id, owner.id, 'owner')
    const requests = [await makeRequest(group.id, manager.id), await makeRequest(group.id, owner.id)]
    for (const { id } of requests) {
      const answer = await post(at(id, 'approve'), { token })
      expect([answer.status, answer.body.data.status]).toEqual([200, 'approved'])
    }
    expect([await roleIn(group.id, manager.id), await roleIn(group.id, owner.id)]).toEqual(['owner', 'owner'])
    expect(await domainEventsOf(group.id)).toEqual([
      ['member.role_changed', { groupId: group.id, memberId: member.id, userId: manager.id, role: 'owner' }],
      ['group.claimed', { groupId: group.id, userId: manager.id }],
    ] as never)
  })

  test('of a suspended person is 409, and the request stays pending', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    const person = await makeUser({ suspendedAt: new Date() })
    const request = await makeRequest(group.id, person.id)
    const refused = await post(at(request.id, 'approve'), { token })
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error: 'This person is suspended: reject the request, or lift the suspension first',
        code: 'conflict',
      },
    ])
    expect([await requestsOf(group.id), await entriesOf(request.id), await domainEventsOf(group.id)]).toEqual(
      [[request], [], []],
    )
    expect(await roleIn(group.id, person.id)).toBeUndefined()
    expect((await post(at(request.id, 'reject'), { token })).status).toBe(200)
    // What is decided is decided, suspended or not.
    expect((await post(at(request.id, 'approve'), { token })).body).toEqual(DECIDED)
  })

  test('of a deleted person is 404', async () => {
    const { token } = await makeAdmin()
    const person = await makeUser()
    const request = await makeRequest((await makeGroup()).id, person.id)
    await db.delete(users).where(eq(users.id, person.id))
    for (const id of [request.id, NOWHERE])
      for (const verb of ['approve', 'reject'] as const) {
        const answer = await post(at(id, verb), { token })
        expect([answer.status, answer.body]).toEqual([
          404,
          { error: 'Claim request not found', code: 'not_found' },
        ])
      }
    expect((await post(at('no-id', 'approve'), { token })).status).toBe(404)
  })
})

describe('a decision', () => {
  test('respects a concurrent suspension or deletion', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    const [suspended, deleted] = [await makeUser(), await makeUser()]
    const requests = [await makeRequest(group.id, suspended.id), await makeRequest(group.id, deleted.id)]
    const approve = (index: number) => () => post(at(requests[index]?.id as string, 'approve'), { token })
    const first = await meanwhile(
      (tx) => tx.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.id)),
      approve(0),
    )
    expect([first.status, first.body.code]).toEqual([409, 'conflict'])
    const second = await meanwhile((tx) => tx.delete(users).where(eq(users.id, deleted.id)), approve(1))
    expect([second.status, second.body.code]).toEqual([404, 'not_found'])
    expect(await domainEventsOf(group.id)).toEqual([])
  })

  test('comes after changes of the group that began before', async () => {
    const { token } = await makeAdmin()
    for (const verb of ['approve', 'reject'] as const) {
      const group = await makeGroup()
      const request = await makeRequest(group.id, (await makeUser()).id)
      const decide = () => post(at(request.id, verb), { token })
      const gone = await meanwhile((tx) => tx.delete(groups).where(eq(groups.id, group.id)), decide)
      expect([gone.status, gone.body.code]).toEqual([404, 'not_found'])
      const other = await makeGroup()
      const waiting = await makeRequest(other.id, (await makeUser()).id)
      const later = await meanwhile(
        (tx) => lockStaff(tx, other.id),
        () => post(at(waiting.id, verb), { token }),
      )
      expect(later.status).toBe(200)
    }
  })
})

describe('rejecting a request', () => {
  test('keeps the reason, changes no role, and lets the person ask again', async () => {
    const admin = await makeAdmin()
    const group = await makeGroup()
    const me = await makeClaimant()
    const request = await makeRequest(group.id, me.user.id, { notes: 'Mine' })
    const answer = await post(at(request.id, 'reject'), {
      token: admin.token,
      json: { notes: 'It is not.\nSorry.', status: 'approved' },
    })
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      {
        id: request.id,
        notes: 'Mine',
        status: 'rejected',
        decidedBy: { id: admin.user.id, username: admin.user.username },
      },
    ])
    expect(await requestsOf(group.id)).toMatchObject([
      { status: 'rejected', decisionNotes: 'It is not.\nSorry.', decidedBy: admin.user.id },
    ])
    expect(await roleIn(group.id, me.user.id)).toBeUndefined()
    expect((await eventsAbout(request.id)).map(({ type, data }) => [type, data])).toEqual([
      ['group.claim_rejected', { requestId: request.id, groupId: group.id, userId: me.user.id }],
    ])
    const [entry] = await entriesOf(request.id)
    expect(entry).toMatchObject({ action: 'group_claim.reject', actorId: admin.user.id })
    // The log outlives the people in it, so it holds nothing that anybody wrote.
    expect(JSON.stringify(entry)).not.toContain('Sorry')
    expect((await post(`/v1/groups/${group.urlname}/claim`, { token: me.token })).status).toBe(201)
    const other = await makeRequest(group.id, (await makeUser()).id)
    const long = await post(at(other.id, 'reject'), { token: admin.token, json: { notes: 'x'.repeat(1001) } })
    expect(long.body.code).toBe('validation_error')
  })

  test('and approving come once, whichever was first', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    for (const first of ['approve', 'reject'] as const) {
      const person = await makeUser()
      const request = await makeRequest(group.id, person.id)
      expect((await post(at(request.id, first), { token })).status).toBe(200)
      for (const second of ['approve', 'reject'] as const) {
        const answer = await post(at(request.id, second), { token })
        expect([answer.status, answer.body]).toEqual([409, DECIDED])
      }
      expect(await entriesOf(request.id)).toHaveLength(1)
      expect(await roleIn(group.id, person.id)).toBe(first === 'approve' ? 'owner' : undefined)
    }
  })
})

describe('the list of requests', () => {
  /** Other tests leave requests too, so a walk through the list keeps to some groups. */
  const walkIn = async (groupIds: string[], token: string, query: string) =>
    (await walk(`/v1/admin/group-claims?${query}`, token)).filter(({ group }) => groupIds.includes(group.id))

  test('has all of them, the newest first, and can be narrowed by status', async () => {
    const admin = await makeAdmin()
    const [here, there] = [await makeGroup(), await makeGroup()]
    const groupIds = [here.id, there.id]
    const decided = { decidedAt: new Date(), decidedBy: admin.user.id }
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const made: Awaited<ReturnType<typeof makeRequest>>[] = []
    for (const [i, [groupId, fields]] of (
      [
        [here.id, { status: 'rejected', ...decided }],
        [there.id, {}],
        [here.id, { status: 'approved', ...decided, decidedBy: null }],
        [here.id, {}],
      ] as const
    ).entries())
      made.push(
        await makeRequest(groupId, (await makeUser()).id, { ...fields, createdAt: minutesAgo(9 - i) }),
      )
    const ids = (indexes: number[]) => indexes.map((index) => made[index]?.id as string)
    const found = async (query: string) => (await walkIn(groupIds, admin.token, query)).map(({ id }) => id)
    expect(await found('limit=2')).toEqual(ids([3, 2, 1, 0]))
    expect(await found('limit=1&status=pending')).toEqual(ids([3, 1]))
    expect(await found('status=approved')).toEqual(ids([2]))
    expect(await found('status=rejected')).toEqual(ids([0]))
    const whole = await walkIn(groupIds, admin.token, 'limit=100')
    expect(whole[1]).toMatchObject({ status: 'approved', decidedBy: null, decidedAt: expect.any(String) })
    expect(whole[3]).toMatchObject({ decidedBy: { id: admin.user.id, username: admin.user.username } })
    expect(Object.keys(whole[0] as object).sort()).toEqual(
      ['createdAt', 'decidedAt', 'decidedBy', 'group', 'id', 'notes', 'status', 'user'].sort(),
    )
    const first = await get('/v1/admin/group-claims?limit=1', { token: admin.token })
    const mixed = await get(
      `/v1/admin/group-claims?limit=1&status=pending&cursor=${first.body.pagination.nextCursor}`,
      { token: admin.token },
    )
    expect(mixed.body.code).toBe('bad_request')
    expect((await get('/v1/admin/group-claims?status=open', { token: admin.token })).status).toBe(400)
    const cost = (limit: number) =>
      statementsOf(() => get(`/v1/admin/group-claims?limit=${limit}`, { token: admin.token }))
    expect([await cost(1), await cost(4)]).toEqual([1, 1])
    await db.delete(groupClaims).where(inArray(groupClaims.groupId, groupIds))
  })

  test('and everything about it is for administrators', async () => {
    const group = await makeGroup()
    const request = await makeRequest(group.id, (await makeUser()).id)
    const modest = await makeCaller(['manage:groups', 'user'], { role: 'admin' })
    for (const answer of [
      await get('/v1/admin/group-claims', { token: modest.token }),
      await post(at(request.id, 'approve'), { token: modest.token }),
      await post(at(request.id, 'reject'), { token: modest.token }),
      await post(`/v1/admin/groups/${group.id}/claim-invites`, { token: modest.token }),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope'])
    expect(await requestsOf(group.id)).toEqual([request])
  })
})

describe('inviting a person', () => {
  const invite = (groupId: string, token: string, json?: unknown, headers = {}) =>
    post(`/v1/admin/groups/${groupId}/claim-invites`, { token, json, headers })

  test('gives a token once, of which only a hash is kept', async () => {
    const admin = await makeAdmin()
    const group = await makeGroup()
    const expiresAt = inHours(2).toISOString()
    const made = await invite(group.id, admin.token, { autoApprove: true, expiresAt, usedAt: expiresAt })
    const { id, token } = made.body.data
    expect([made.status, made.body]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          token: expect.stringMatching(/^[0-9a-f]{32}$/),
          url: `http://localhost/groups/claim/${token}`,
          groupId: group.id,
          autoApprove: true,
          expiresAt,
          createdAt: expect.stringMatching(/Z$/),
        },
      },
    ])
    expect(made.headers.get('cache-control')).toBe('no-store')
    const row = await inviteRow(id)
    expect(Buffer.from(row?.hash as Uint8Array).equals(Buffer.from(hashSecret(token)))).toBe(true)
    expect(row).toMatchObject({ usedAt: null, usedBy: null, autoApprove: true })
    const [entry] = await entriesOf(id)
    expect(entry).toMatchObject({
      actorId: admin.user.id,
      action: 'group_claim_invite.create',
      targetType: 'group_claim_invite',
      changes: { groupId: group.id, autoApprove: true, expiresAt },
    })
    expect(JSON.stringify(entry)).not.toContain(token)
    const me = await makeClaimant()
    expect((await get(`/v1/groups/claim/${token}`)).body.data.claimable).toBe(true)
    expect((await post(`/v1/groups/claim/${token}`, { token: me.token })).body.data.status).toBe('approved')
  })

  test('without saying more waits for approval, for ever', async () => {
    const admin = await makeAdmin()
    const group = await makeGroup({ isListed: false })
    for (const json of [undefined, {}, { autoApprove: false, expiresAt: null }])
      expect((await invite(group.id, admin.token, json)).body.data).toMatchObject({
        autoApprove: false,
        expiresAt: null,
      })
  })

  test('is refused for times past, for what is no answer, and for groups that are not there', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    for (const json of [
      { expiresAt: new Date(Date.now() - 1000).toISOString() },
      { expiresAt: 'tomorrow' },
      { autoApprove: 'yes' },
      { autoApprove: null },
    ])
      expect([json, (await invite(group.id, token, json)).body.code]).toEqual([json, 'validation_error'])
    const missing = await invite(NOWHERE, token)
    expect([missing.status, missing.body]).toEqual([404, { error: 'Group not found', code: 'not_found' }])
  })

  test('to a group that is deleted meanwhile is 404', async () => {
    const { token } = await makeAdmin()
    const group = await makeGroup()
    const answer = await meanwhile(
      (tx) => tx.delete(groups).where(eq(groups.id, group.id)),
      () => invite(group.id, token),
    )
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })

  test('is not replayed: a secret is shown once and stored nowhere', async () => {
    const admin = await makeAdmin()
    const group = await makeGroup()
    const key = { 'idempotency-key': 'invite' }
    const [first, second] = [
      await invite(group.id, admin.token, {}, key),
      await invite(group.id, admin.token, {}, key),
    ]
    expect([first.status, second.status]).toEqual([201, 409])
    const stored = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, admin.user.id))
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(first.body.data.token)
  })

  test('and requests go with the group', async () => {
    const admin = await makeAdmin()
    const owner = await makeClaimant()
    const group = await makeGroup({}, owner.user.id)
    const { token } = (await invite(group.id, admin.token)).body.data
    const request = await makeRequest(group.id, (await makeUser()).id)
    const gone = await del(`/v1/manage/groups/${group.id}?confirm=${group.urlname}`, { token: owner.token })
    expect(gone.status).toBe(204)
    expect((await get(`/v1/groups/claim/${token}`)).status).toBe(404)
    expect((await post(at(request.id, 'approve'), { token: admin.token })).status).toBe(404)
  })
})
