import { describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { groupMembers, groups } from '@/db/tables/groups'
import { patch, post } from '../../../support/api'
import { makeCaller, makeGroup, makeMember } from '../../../support/make'

const MAX = 50

/** So many groups of which that person is an owner, made by themselves or given to them. */
async function fill(userId: string, count: number, isGiven: boolean) {
  const rows = Array.from({ length: count }, () => ({ id: newId(), urlname: `g-${randomHex(8)}`, name: 'x' }))
  await db.insert(groups).values(rows)
  await db
    .insert(groupMembers)
    .values(rows.map(({ id }) => ({ id: newId(), groupId: id, userId, role: 'owner' as const, isGiven })))
}

const create = (token: string) =>
  post('/v1/manage/groups', { token, json: { urlname: `g-${randomHex(8)}`, name: 'One more' } })

async function giver() {
  const { user, token } = await makeCaller(['manage:groups'])
  const group = await makeGroup({}, user.id)
  const at = `/v1/manage/groups/${group.id}/members`
  return { group, token, at, add: (userId: string) => post(at, { token, json: { userId, role: 'owner' } }) }
}

describe('being made an owner by another owner', () => {
  test('uses up nothing of what a person may make', async () => {
    const { user, token } = await makeCaller(['manage:groups'])
    await fill(user.id, MAX - 1, true)
    expect((await (await giver()).add(user.id)).status).toBe(201)
    expect((await create(token)).status).toBe(201)
  })

  test('is limited by a quota, whether added or promoted', async () => {
    const { user } = await makeCaller(['manage:groups'])
    await fill(user.id, MAX, true)
    const { add, at, token, group } = await giver()
    const refused = await add(user.id)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.stringContaining('owns 50 groups by appointment'),
    ])
    const member = await makeMember(group.id, user.id, 'manager')
    const raised = await patch(`${at}/${member.id}`, { token, json: { role: 'owner' } })
    expect([raised.status, raised.body.code]).toEqual([409, 'conflict'])
    const [row] = await db
      .select()
      .from(groupMembers)
      .where(and(eq(groupMembers.groupId, group.id), eq(groupMembers.userId, user.id)))
    expect(row?.role).toBe('manager')
  })

  test('leaves the bound of their own where it is', async () => {
    const { user, token } = await makeCaller(['manage:groups'])
    await fill(user.id, MAX, false)
    expect((await create(token)).status).toBe(409)
    expect((await (await giver()).add(user.id)).status).toBe(201)
  })
})
