import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { groups } from '@/db/tables/groups'
import { post } from '../../../support/api'
import { mailsAfter } from '../../../support/letters'
import { makeAdmin, makeGroup, makeUser } from '../../../support/make'
import { makeClaimant, makeInvite, makeRequest } from './fixtures'

const decide = async (requestId: string, verb: 'approve' | 'reject', json?: object) => {
  const { token } = await makeAdmin()
  const { status } = await post(`/v1/admin/group-claims/${requestId}/${verb}`, { token, json })
  expect(status).toBe(200)
}

describe('a person who requested ownership of a group', () => {
  test('hears that they may, and where to begin', async () => {
    const [ada, group] = [await makeUser(), await makeGroup({ isListed: false })]
    await decide((await makeRequest(group.id, ada.id)).id, 'approve')
    const [mail, ...more] = await mailsAfter(0, ada)
    expect([mail?.subject, more]).toEqual([`“${group.name}” is yours to run`, []])
    expect(mail?.text).toContain(`/manage/groups/${group.id}`)
    expect(mail?.text).toContain('/unsubscribe/claimDecided.')
  })

  test('hears that they may not, and nothing of what was noted', async () => {
    const [ada, group] = [await makeUser({ language: 'de' }), await makeGroup()]
    await decide((await makeRequest(group.id, ada.id)).id, 'reject', { notes: 'Not trusted by the board' })
    const [mail, ...more] = await mailsAfter(0, ada)
    expect([mail?.subject, more]).toEqual([`Dein Antrag für „${group.name}“`, []])
    expect(mail?.text).not.toContain('board')
  })

  test('hears nothing when they came by an invitation, or the group is gone', async () => {
    const [ada, group] = [await makeClaimant(), await makeGroup()]
    await makeRequest(group.id, ada.user.id)
    const { path } = await makeInvite(group.id, { autoApprove: true })
    expect((await post(path, { token: ada.token })).status).toBe(200)
    expect(await mailsAfter(0, ada.user)).toEqual([])
    const [ben, gone] = [await makeUser(), await makeGroup()]
    await decide((await makeRequest(gone.id, ben.id)).id, 'reject', {})
    await db.delete(groups).where(eq(groups.id, gone.id))
    expect(await mailsAfter(0, ben)).toEqual([])
  })
})
