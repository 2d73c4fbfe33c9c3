import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { groupMembers } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { del, post } from '../../../support/api'
import { makeCaller, makeGroup, makeMember, makeSession, makeUser } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'

test('of two owners who delete their accounts at once, one stays', async () => {
  const [first, second] = [await makeUser(), await makeUser()]
  const group = await makeGroup({}, first.id)
  await makeMember(group.id, second.id, 'owner')
  const session = await makeSession(second.id)
  const answer = await meanwhile(
    (tx) => tx.delete(users).where(eq(users.id, first.id)),
    () => del(`/v1/profile?confirm=${second.username}`, { session }),
  )
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  const left = await db.select().from(groupMembers).where(eq(groupMembers.groupId, group.id))
  expect(left.map(({ userId, role }) => [userId, role])).toEqual([[second.id, 'owner']])
})

test('an owner who is being demoted waits, and can no longer add people', async () => {
  const first = await makeCaller(['manage:groups'])
  const group = await makeGroup({}, first.user.id)
  await makeMember(group.id, (await makeUser()).id, 'owner')
  const { id: userId } = await makeUser()
  const answer = await meanwhile(
    (tx) => tx.update(groupMembers).set({ role: 'volunteer' }).where(eq(groupMembers.userId, first.user.id)),
    () =>
      post(`/v1/manage/groups/${group.id}/members`, { token: first.token, json: { userId, role: 'owner' } }),
  )
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  expect(await db.$count(groupMembers, eq(groupMembers.userId, userId))).toBe(0)
})
