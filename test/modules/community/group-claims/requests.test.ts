import { describe, expect, test } from 'bun:test'
import { get, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeGroup, makeMember, makeUser } from '../../../support/make'
import { domainEventsOf, makeClaimant, makeInvite, makeRequest, NOWHERE, requestsOf } from './fixtures'

const claim = (slug: string, token: string, json: unknown = {}) =>
  post(`/v1/groups/${slug}/claim`, { token, json })

describe('asking for a group', () => {
  test('is 201 and waits for an administrator', async () => {
    const group = await makeGroup({}, (await makeUser()).id)
    const me = await makeClaimant()
    const answer = await claim(group.urlname.toUpperCase(), me.token, {
      notes: ' I run it.\nReally. ',
      status: 'approved',
      userId: NOWHERE,
      groupId: NOWHERE,
    })
    const [request, ...others] = await requestsOf(group.id)
    expect([answer.status, answer.body]).toEqual([
      201,
      { data: { success: true, status: 'pending', message: expect.any(String), requestId: request?.id } },
    ])
    expect([request, others]).toMatchObject([
      {
        userId: me.user.id,
        status: 'pending',
        notes: 'I run it.\nReally.',
        decidedAt: null,
        decidedBy: null,
      },
      [],
    ])
    expect(await domainEventsOf(group.id)).toEqual([
      ['group.claim_requested', { requestId: request?.id, groupId: group.id, userId: me.user.id }],
    ] as never)
  })

  test('takes notes of at most 1000 characters, or none', async () => {
    const me = await makeClaimant()
    for (const [notes, kept] of [
      ['ä'.repeat(1000), 'ä'.repeat(1000)],
      ['', null],
      [null, null],
      [undefined, null],
    ]) {
      const group = await makeGroup()
      expect((await claim(group.urlname, me.token, { notes })).status).toBe(201)
      expect((await requestsOf(group.id))[0]?.notes).toBe(kept as string)
    }
    const group = await makeGroup()
    for (const notes of ['x'.repeat(1001), 5, 'a\u0000b'])
      expect((await claim(group.urlname, me.token, { notes })).body.code).toBe('validation_error')
    // A body is not needed at all.
    expect((await post(`/v1/groups/${group.urlname}/claim`, { token: me.token })).status).toBe(201)
  })

  test('twice is 409, also at once; a decided request is no obstacle', async () => {
    const group = await makeGroup()
    const me = await makeClaimant()
    const answers = await Promise.all(Array.from({ length: 8 }, () => claim(group.urlname, me.token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict')
    expect(await requestsOf(group.id)).toHaveLength(1)
    expect(await domainEventsOf(group.id)).toHaveLength(1)
    const again = await makeClaimant()
    for (const status of ['rejected', 'approved'] as const)
      await makeRequest(group.id, again.user.id, { status, decidedAt: new Date() })
    expect((await claim(group.urlname, again.token)).status).toBe(201)
    expect((await claim(group.urlname, again.token)).status).toBe(409)
  })

  test('is for those who do not own it: 409 to owners, 201 to the rest of the staff', async () => {
    const [owner, manager, volunteer] = [await makeClaimant(), await makeClaimant(), await makeClaimant()]
    const group = await makeGroup({ isListed: false }, owner.user.id)
    await makeMember(group.id, manager.user.id, 'manager')
    await makeMember(group.id, volunteer.user.id, 'volunteer')
    const refused = await claim(group.urlname, owner.token)
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'You own this group already', code: 'conflict' },
    ])
    for (const { token } of [manager, volunteer]) expect((await claim(group.urlname, token)).status).toBe(201)
  })

  test('of an unlisted group is the same 404 to strangers as of none', async () => {
    const group = await makeGroup({ isListed: false }, (await makeUser()).id)
    const me = await makeClaimant()
    const missing = await claim('no-such-group', me.token)
    expect([missing.status, missing.body]).toEqual([404, { error: 'Group not found', code: 'not_found' }])
    const hidden = await claim(group.urlname, me.token)
    expect([hidden.status, hidden.text]).toEqual([404, missing.text])
    expect((await claim(group.urlname, (await makeAdmin()).token)).status).toBe(201)
  })

  test('wants manage:groups', async () => {
    const { urlname } = await makeGroup()
    const { token } = await makeCaller(['user', 'read:groups', 'manage:events'])
    expect((await claim(urlname, token)).body.code).toBe('insufficient_scope')
  })
})

test('names that begin like "claim" are groups, and what follows it is an invitation', async () => {
  const me = await makeClaimant()
  for (const stem of ['c', 'cl', 'claim-', 'claims', 'clai']) {
    const { urlname } = await makeGroup({ urlname: `${stem}${Bun.randomUUIDv7()}` })
    expect([urlname, (await claim(urlname, me.token)).status]).toEqual([urlname, 201])
    const { token } = await makeCaller(['read:groups'])
    expect((await get(`/v1/groups/${urlname}`, { token })).status).toBe(200)
    expect((await get(`/v1/groups/${urlname}/members`, { token })).status).toBe(200)
  }
  const group = await makeGroup({ urlname: 'claimants' })
  const { path } = await makeInvite(group.id)
  expect((await get(path)).body.data.group.id).toBe(group.id)
  expect((await claim('claim', me.token)).body.error).toBe('Invitation not found')
  expect((await claim('claimants', me.token)).status).toBe(201)
})
