import { expect } from 'bun:test'
import { randomHex } from '@/core/codes'
import { SCOPE_NAMES } from '@/core/scopes'
import { call, type Json } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import { makeUpload } from '../../../support/make-upload'
import { inHours } from '../../../support/time'
import { makeClient, makeTokens } from '../../access/oauth/fixtures'
import { newAddress, signIn } from '../../access/sign-in/fixtures'

/** Does one of nearly everything that can be done, as an administrator and two guests. */
export async function doEverything(token: string) {
  const [guest, second] = [await makeCaller([...SCOPE_NAMES]), await makeCaller([...SCOPE_NAMES])]
  const as =
    (token: string) =>
    async (method: string, path: string, json?: object): Promise<Json> => {
      const answer = await call(method, path, { token, ...(json && { json }) })
      expect([method, path, answer.status < 300, answer.text]).toEqual([method, path, true, answer.text])
      return answer.body?.data
    }
  const [me, they, others] = [as(token), as(guest.token), as(second.token)]

  await signIn(newAddress())
  await they('PATCH', '/v1/profile', { bio: 'Changed' })
  await they('POST', `/v1/users/${second.user.username}/follow`)
  await they('DELETE', `/v1/users/${second.user.username}/follow`)
  const upload = await makeUpload(guest.user.id)
  await they('DELETE', `/v1/uploads/${upload.key}`)
  await they('GET', '/v1/profile/feed-token')
  await they('POST', '/v1/profile/feed-token/rotate')
  const { id: tokenId } = await they('POST', '/v1/profile/tokens', { name: 'x', scopes: ['user'] })
  await they('DELETE', `/v1/profile/tokens/${tokenId}`)

  const urlname = `everything-${randomHex(6)}`
  const group = await me('POST', '/v1/manage/groups', { urlname, name: 'Everything' })
  const groups = `/v1/manage/groups/${group.id}`
  await me('PATCH', groups, {
    description: 'All of it',
    photoUrl: 'https://example.org/groups.png',
    tags: ['all'],
  })
  await they('POST', `/v1/favorites/${urlname}`)
  const member = await me('POST', `${groups}/members`, { userId: second.user.id, role: 'volunteer' })
  await me('PATCH', `${groups}/members/${member.id}`, { role: 'manager' })
  await me('DELETE', `${groups}/members/${member.id}`)

  const plan = {
    title: 'Everything at once',
    description: 'Two lines\nof text',
    startTime: inHours(0.2).toISOString(),
    endTime: inHours(2).toISOString(),
    timezone: 'Europe/Lisbon',
    eventType: 'physical',
    maxAttendees: 1,
    venue: { name: 'The hall', city: 'Lisbon', latitude: 38.7, longitude: -9.1 },
    photoUrl: 'https://example.org/ereignis-für-alle.png',
    tags: ['all'],
    status: 'draft',
  }
  const event = await me('POST', `${groups}/events`, plan)
  const events = `${groups}/events/${event.id}`
  await me('PATCH', events, { status: 'published' })
  await me('PATCH', events, { title: 'Everything, again' })
  await they('POST', `/v1/events/${event.id}/rsvp`)
  await others('POST', `/v1/events/${event.id}/rsvp`)
  await they('DELETE', `/v1/events/${event.id}/rsvp`)
  await me('POST', `${events}/attendees/${second.user.id}/checkin`)
  await me('DELETE', `${events}/attendees/${second.user.id}/checkin`)
  const { venue: _, endTime: __, maxAttendees: ___, ...online } = plan
  const bare = await me('POST', `${groups}/events`, { ...online, eventType: 'online', status: 'published' })
  const cancelled = await me('POST', `${groups}/events`, { ...plan, status: 'published' })
  await me('POST', `${groups}/events/${cancelled.id}/cancel`, { reason: 'Rain' })

  const badge = await me('POST', `${groups}/badges`, { name: 'All', slug: `all-${randomHex(6)}`, icon: '🎈' })
  await me('PATCH', `${groups}/badges/${badge.id}`, { points: 7 })
  await me('POST', `${groups}/badges/${badge.id}/award/${guest.user.id}`)
  await me('DELETE', `${groups}/badges/${badge.id}/award/${guest.user.id}`)
  const link = await me('POST', `${groups}/badges/${badge.id}/claim-links`, {})
  await others('POST', `/v1/claim/${link.code}`)
  await me('DELETE', `${groups}/badges/${badge.id}`)

  const orphan = await me('POST', '/v1/manage/groups', { urlname: `${urlname}-2`, name: 'Claimed' })
  const invite = await me('POST', `/v1/admin/groups/${orphan.id}/claim-invites`, { autoApprove: true })
  await they('POST', `/v1/groups/claim/${invite.token}`)
  const request = await others('POST', `/v1/groups/${urlname}-2/claim`, {})
  await me('POST', `/v1/admin/group-claims/${request.requestId}/reject`, {})
  await me('DELETE', `/v1/manage/groups/${orphan.id}?confirm=${urlname}-2`)
  await they('DELETE', `/v1/favorites/${urlname}`)

  const app = await they('POST', '/v1/developer/apps', {
    name: 'App',
    redirectUris: ['https://app.example/back'],
  })
  await they('DELETE', `/v1/developer/apps/${app.clientId}`)
  const { access } = await makeTokens(await makeClient(), { scope: 'user' })
  const [grant] = await as(access)('GET', '/v1/profile/grants')
  await as(access)('DELETE', `/v1/profile/grants/${grant.grantId}`)

  const pass = await they('GET', '/v1/meetpass/qr')
  await others('GET', `/pass/${pass.id}`)
  await they('PATCH', `/v1/meetpass/${pass.id}`, { label: 'Jacket' })
  await they('POST', `/v1/meetpass/${pass.id}/rotate`)
  const { tags } = await me('POST', '/v1/admin/meetpass/tags', { count: 1 })
  await they('POST', `/v1/meetpass/${tags[0].id}/claim`)
  await they('POST', `/v1/meetpass/${tags[0].id}/release`)

  const [suspended, deleted] = [await makeUser(), await makeUser()]
  await me('PATCH', `/v1/admin/users/${suspended.id}`, { suspended: true })
  const session = await makeSession(deleted.id)
  const gone = await call('DELETE', `/v1/profile?confirm=${deleted.username}`, { session })
  expect(gone.status).toBe(200)
  return { urlname, eventIds: [event.id, bare.id, cancelled.id] as string[] }
}
