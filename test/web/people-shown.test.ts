import { expect, test } from 'bun:test'
import { get, patch, post } from '../support/api'
import { makeAdmin, makeBadge, makeCaller, makeEvent, makeGroup } from '../support/make'

/** Somebody who is on every page that lists people. */
async function world() {
  const [admin, other] = [await makeAdmin(), await makeCaller()]
  const shown = await makeCaller(['user', 'write:events', 'write:favorites'])
  const group = await makeGroup()
  const event = await makeEvent(group.id)
  const badge = await makeBadge()
  const { token, user } = shown
  await post(`/v1/events/${event.id}/rsvp`, { token, json: {} })
  await post(`/v1/favorites/${group.urlname}`, { token })
  await post(`/v1/users/${other.user.username}/follow`, { token })
  await post(`/v1/admin/badges/${badge.id}/award/${user.id}`, { token: admin.token })
  const pages = [
    `/events/${event.id}`,
    `/groups/${group.urlname}`,
    `/groups/${group.urlname}/members`,
    `/badges/${badge.slug}`,
    `/u/${other.user.username}/followers`,
  ]
  const shownOn = async () => {
    const read = pages.map(async (page) => [page, (await get(page)).text.includes(`/u/${user.username}"`)])
    return Object.fromEntries(await Promise.all(read))
  }
  const everywhere = (is: boolean) => Object.fromEntries(pages.map((page) => [page, is]))
  return { admin, user, token, shownOn, everywhere }
}

test('a person who becomes public appears on cached pages at once', async () => {
  const { token, shownOn, everywhere } = await world()
  expect(await shownOn()).toEqual(everywhere(true))
  for (const [profileVisibility, is] of [
    ['private', false],
    ['public', true],
  ] as const) {
    expect((await patch('/v1/profile', { token, json: { profileVisibility } })).status).toBe(200)
    expect(await shownOn()).toEqual(everywhere(is))
  }
})

test('a reinstated person appears again at once', async () => {
  const { admin, user, shownOn, everywhere } = await world()
  for (const suspended of [true, false]) {
    await patch(`/v1/admin/users/${user.id}`, { token: admin.token, json: { suspended } })
    expect(await shownOn()).toEqual(everywhere(!suspended))
  }
})
