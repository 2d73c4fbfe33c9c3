import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { groupClaims } from '@/db/tables/group-claims'
import { groups } from '@/db/tables/groups'
import { insertMember, lockStaff } from '@/modules/community/groups/staff/queries'
import { get, post } from '../../../support/api'
import { makeCaller, makeGroup, makeMember, makeUser } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { inHours } from '../../../support/time'
import {
  domainEventsOf,
  inviteRow,
  makeClaimant,
  makeInvite,
  makeRequest,
  NOWHERE,
  requestsOf,
  roleIn,
} from './fixtures'

const UNKNOWN = { error: 'Invitation not found', code: 'not_found' }
const NOW_OWNER = { success: true, status: 'approved', message: 'You are an owner of this group now' }
const OWNER_ALREADY = { success: true, status: 'approved', message: 'You own this group already' }
const USED = { error: 'This invitation has already been used', code: 'gone' }
const EXPIRED = { error: 'This invitation has expired', code: 'gone' }

describe('looking at an invitation', () => {
  test('shows the group to anyone who has it, also an unlisted one', async () => {
    for (const autoApprove of [true, false]) {
      const group = await makeGroup({ isListed: false, photoUrl: 'https://example.org/g.png' })
      const { path } = await makeInvite(group.id, { autoApprove, expiresAt: inHours(1) })
      const answer = await get(path)
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          data: {
            group: {
              id: group.id,
              name: group.name,
              urlname: group.urlname,
              photoUrl: 'https://example.org/g.png',
            },
            autoApprove,
            claimable: true,
          },
        },
      ])
    }
  })

  test('says of a used or expired one that it cannot be claimed', async () => {
    const group = await makeGroup()
    const dead = [
      await makeInvite(group.id, { usedAt: new Date(), usedBy: (await makeUser()).id }),
      await makeInvite(group.id, { expiresAt: new Date(Date.now() - 1) }),
    ]
    for (const { path } of dead) {
      const { status, body } = await get(path)
      expect([status, body.data.claimable]).toEqual([200, false])
    }
  })

  test('an unknown one is 404, and so is that of a group that is gone', async () => {
    const group = await makeGroup()
    const { path } = await makeInvite(group.id)
    await db.delete(groups).where(eq(groups.id, group.id))
    const { token } = await makeClaimant()
    for (const one of [path, '/v1/groups/claim/nothing', `/v1/groups/claim/${'a'.repeat(100)}`]) {
      const [seen, used] = [await get(one), await post(one, { token })]
      expect([seen.status, seen.body, used.status, used.body]).toEqual([404, UNKNOWN, 404, UNKNOWN])
    }
  })
})

describe('claiming by an invitation that approves by itself', () => {
  test('makes a stranger an owner beside the others, once', async () => {
    const owner = await makeUser()
    const group = await makeGroup({ isListed: false }, owner.id)
    const invite = await makeInvite(group.id, { autoApprove: true })
    const me = await makeClaimant()
    const answer = await post(invite.path, { token: me.token, json: { userId: NOWHERE, role: 'volunteer' } })
    expect([answer.status, answer.body]).toEqual([200, { data: NOW_OWNER }])
    expect([await roleIn(group.id, me.user.id), await roleIn(group.id, owner.id)]).toEqual(['owner', 'owner'])
    expect(await inviteRow(invite.id)).toMatchObject({ usedBy: me.user.id, usedAt: expect.any(Date) })
    expect(await domainEventsOf(group.id)).toEqual([
      [
        'member.added',
        { groupId: group.id, memberId: expect.any(String), userId: me.user.id, role: 'owner' },
      ],
      ['group.claimed', { groupId: group.id, userId: me.user.id }],
    ] as never)
    const late = await makeClaimant()
    const refused = await post(invite.path, { token: late.token })
    expect([refused.status, refused.body]).toEqual([410, USED])
    expect(await roleIn(group.id, late.user.id)).toBeUndefined()
    expect((await get(invite.path)).body.data.claimable).toBe(false)
    // Whoever asks again is told that it has worked.
    const again = await post(invite.path, { token: me.token })
    expect([again.status, again.body.data]).toEqual([200, OWNER_ALREADY])
    expect((await get(`/v1/manage/groups/${group.id}`, { token: me.token })).body.data.userRole).toBe('owner')
  })

  test('raises the role of a staff member', async () => {
    for (const role of ['volunteer', 'manager'] as const) {
      const group = await makeGroup()
      const me = await makeClaimant()
      const member = await makeMember(group.id, me.user.id, role)
      const { path } = await makeInvite(group.id, { autoApprove: true })
      expect((await post(path, { token: me.token })).body.data).toEqual(NOW_OWNER)
      expect(await roleIn(group.id, me.user.id)).toBe('owner')
      expect(await domainEventsOf(group.id)).toEqual([
        [
          'member.role_changed',
          { groupId: group.id, memberId: member.id, userId: me.user.id, role: 'owner' },
        ],
        ['group.claimed', { groupId: group.id, userId: me.user.id }],
      ] as never)
    }
  })

  test('by an owner changes nothing and leaves the invitation unused', async () => {
    const me = await makeClaimant()
    const group = await makeGroup({}, me.user.id)
    for (const autoApprove of [true, false]) {
      const invite = await makeInvite(group.id, { autoApprove })
      const answer = await post(invite.path, { token: me.token })
      expect([answer.status, answer.body.data]).toEqual([200, OWNER_ALREADY])
      expect(await inviteRow(invite.id)).toMatchObject({ usedAt: null, usedBy: null })
      expect((await get(invite.path)).body.data.claimable).toBe(true)
    }
    expect([await domainEventsOf(group.id), await requestsOf(group.id)]).toEqual([[], []])
  })

  test('answers what the person had asked for before', async () => {
    const group = await makeGroup()
    const [me, other] = [await makeClaimant(), await makeUser()]
    const mine = await makeRequest(group.id, me.user.id)
    const theirs = await makeRequest(group.id, other.id)
    const { path } = await makeInvite(group.id, { autoApprove: true })
    expect((await post(path, { token: me.token })).body.data).toEqual(NOW_OWNER)
    expect(await requestsOf(group.id)).toEqual([
      { ...mine, status: 'approved', decidedAt: expect.any(Date) },
      theirs,
    ])
  })

  test('is 410 after its time, and then nothing has happened', async () => {
    for (const autoApprove of [true, false]) {
      const group = await makeGroup()
      const me = await makeClaimant()
      const invite = await makeInvite(group.id, { autoApprove, expiresAt: new Date(Date.now() - 1) })
      const answer = await post(invite.path, { token: me.token })
      expect([answer.status, answer.body]).toEqual([410, EXPIRED])
      expect(await inviteRow(invite.id)).toMatchObject({ usedAt: null, usedBy: null })
      expect([await domainEventsOf(group.id), await requestsOf(group.id)]).toEqual([[], []])
    }
  })

  test('comes after a change of the staff that began before', async () => {
    const group = await makeGroup()
    const me = await makeClaimant()
    const invite = await makeInvite(group.id, { autoApprove: true })
    const answer = await meanwhile(
      async (tx) => {
        await lockStaff(tx, group.id)
        await insertMember(tx, { id: newId(), groupId: group.id, userId: me.user.id, role: 'owner' })
      },
      () => post(invite.path, { token: me.token }),
    )
    expect(answer.body.data).toEqual(OWNER_ALREADY)
    expect((await inviteRow(invite.id))?.usedAt).toBeNull()
    const gone = await meanwhile(
      (tx) => tx.delete(groups).where(eq(groups.id, group.id)),
      async () => post(invite.path, { token: (await makeClaimant()).token }),
    )
    expect([gone.status, gone.body]).toEqual([404, UNKNOWN])
  })

  test('wants manage:groups', async () => {
    const { path } = await makeInvite((await makeGroup()).id, { autoApprove: true })
    expect((await post(path)).status).toBe(401)
    const { token } = await makeCaller(['user', 'read:groups', 'manage:events'])
    expect((await post(path, { token })).body.code).toBe('insufficient_scope')
  })

  test('by many at once makes one of them an owner', async () => {
    const group = await makeGroup()
    const { path } = await makeInvite(group.id, { autoApprove: true })
    const people = await Promise.all(Array.from({ length: 12 }, makeClaimant))
    const answers = await Promise.all(people.map(({ token }) => post(path, { token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(410)])
    const roles = await Promise.all(people.map(({ user }) => roleIn(group.id, user.id)))
    expect(roles.filter((role) => role === 'owner')).toHaveLength(1)
  })
})

describe('claiming by an invitation that does not', () => {
  test('asks the administrators, once', async () => {
    const group = await makeGroup()
    const invite = await makeInvite(group.id)
    const me = await makeClaimant()
    const answer = await post(invite.path, { token: me.token })
    const [request] = await requestsOf(group.id)
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { success: true, status: 'pending', message: expect.any(String), requestId: request?.id },
    ])
    expect(request).toMatchObject({ userId: me.user.id, status: 'pending', notes: null, decidedAt: null })
    expect(await roleIn(group.id, me.user.id)).toBeUndefined()
    expect((await inviteRow(invite.id))?.usedBy).toBe(me.user.id)
    expect(await domainEventsOf(group.id)).toEqual([
      ['group.claim_requested', { requestId: request?.id, groupId: group.id, userId: me.user.id }],
    ] as never)
    for (const { token } of [me, await makeClaimant()]) {
      const again = await post(invite.path, { token })
      expect([again.status, again.body]).toEqual([410, USED])
    }
    expect(await requestsOf(group.id)).toHaveLength(1)
  })

  test('returns an existing pending request instead of a second one', async () => {
    const group = await makeGroup()
    // Somebody else waits too, and is first in every order.
    await makeRequest(group.id, (await makeUser()).id)
    const me = await makeClaimant()
    const mine = await makeRequest(group.id, me.user.id, { notes: 'Mine' })
    const invite = await makeInvite(group.id)
    const answer = await post(invite.path, { token: me.token })
    expect([answer.status, answer.body.data.status, answer.body.data.requestId]).toEqual([
      200,
      'pending',
      mine.id,
    ])
    expect((await inviteRow(invite.id))?.usedBy).toBe(me.user.id)
    expect(await db.select().from(groupClaims).where(eq(groupClaims.id, mine.id))).toEqual([mine])
    expect(await domainEventsOf(group.id)).toEqual([])
    // One that was turned down is no obstacle.
    const rejected = await makeClaimant()
    await makeRequest(group.id, rejected.user.id, { status: 'rejected', decidedAt: new Date() })
    const second = await makeInvite(group.id)
    expect((await post(second.path, { token: rejected.token })).body.data.status).toBe('pending')
    expect(await requestsOf(group.id)).toHaveLength(4)
  })

  test('with an idempotency key is answered as the first time', async () => {
    const { path } = await makeInvite((await makeGroup()).id)
    const { token } = await makeClaimant()
    const claim = () => post(path, { token, headers: { 'idempotency-key': 'claim' } })
    const [first, second] = [await claim(), await claim()]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })
})
