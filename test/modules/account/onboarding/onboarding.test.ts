import { expect, test } from 'bun:test'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller, makeEvent, makeGroup } from '../../../support/make'
import { connect } from '../../passes/fixtures'

const KEYS = [
  'add_profile_content',
  'join_group',
  'follow_user',
  'rsvp_event',
  'connect_meetpass',
  'reach_10_xp',
]

test('steps come in order, complete by what people do and never lie', async () => {
  const { user, token } = await makeCaller([
    'user',
    'write:portfolio',
    'write:favorites',
    'write:events',
    'write:meetpass',
  ])
  const other = await makeCaller()
  const completed = async () => {
    const { body } = await get('/v1/me/onboarding', { token })
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data.map((step: { key: string }) => step.key)).toEqual(KEYS)
    return body.data
      .filter((step: { completed: boolean }) => step.completed)
      .map((step: { key: string }) => step.key)
  }
  expect(await completed()).toEqual([])
  await patch('/v1/profile', { token, json: { bio: 'Hello' } })
  expect(await completed()).toEqual(['add_profile_content'])
  await post(`/v1/users/${other.user.username}/follow`, { token })
  expect(await completed()).toEqual(['add_profile_content', 'follow_user'])
  await patch('/v1/profile', { token, json: { bio: null } })
  expect(await completed()).toEqual(['follow_user'])
  const group = await makeGroup()
  const event = await makeEvent(group.id)
  await post(`/v1/favorites/${group.urlname}`, { token })
  expect(await completed()).toEqual(['join_group', 'follow_user'])
  await post(`/v1/events/${event.id}/rsvp`, { token })
  expect(await completed()).toEqual(['join_group', 'follow_user', 'rsvp_event'])
  await connect(other.user.id, user.id)
  expect(await completed()).toEqual(['join_group', 'follow_user', 'rsvp_event', 'connect_meetpass'])
  const [connection] = (await get('/v1/meetpass/connections', { token })).body.data
  await del(`/v1/meetpass/connections/${connection.id}`, { token })
  await del(`/v1/favorites/${group.urlname}`, { token })
  await del(`/v1/events/${event.id}/rsvp`, { token })
  await post('/v1/profile/portfolio', { token, json: { title: 'x' } })
  expect(await completed()).toEqual(['add_profile_content', 'follow_user'])
})

test('a step is dismissed once; all are dismissed together; an unknown one is 404', async () => {
  const { token } = await makeCaller()
  const first = await post('/v1/me/onboarding/follow_user/dismiss', { token })
  expect(first.status).toBe(200)
  expect(first.body.data).toEqual({
    key: 'follow_user',
    title: expect.any(String),
    description: expect.any(String),
    completed: false,
    dismissedAt: expect.any(String),
  })
  expect((await post('/v1/me/onboarding/follow_user/dismiss', { token })).body).toEqual(first.body)
  const unknown = await post('/v1/me/onboarding/fly/dismiss', { token })
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  expect((await post('/v1/me/onboarding/dismiss-all', { token })).body).toEqual({ data: { success: true } })
  const { data } = (await get('/v1/me/onboarding', { token })).body
  expect(data.every((step: { dismissedAt: string | null }) => step.dismissedAt !== null)).toBe(true)
  expect(data.find((step: { key: string }) => step.key === 'follow_user').dismissedAt).toBe(
    first.body.data.dismissedAt,
  )
})
