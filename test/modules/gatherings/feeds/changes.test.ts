import { describe, expect, test } from 'bun:test'
import { randomHex } from '@/core/codes'
import { patch, post } from '../../../support/api'
import { idsIn, ownFeed, readFeed } from '../../../support/feeds'
import { makeAdmin, makeCaller, makeEvent, makeStaffedGroup } from '../../../support/make'
import { inHours } from '../../../support/time'

const PERSON = ['user', 'read:events', 'write:events', 'read:favorites', 'write:favorites'] as const

/** Two groups, feeds that contain the event of the first one, and feeds that do not. */
async function stage() {
  const tag = `tag-${randomHex(4)}`
  const [here, there] = [
    await makeStaffedGroup(['manage:events', 'manage:groups']),
    await makeStaffedGroup(['manage:events', 'manage:groups']),
  ]
  // Soon, since other tests leave more events behind than a feed of all of them can hold.
  const event = await makeEvent(here.group.id, { tags: [tag], startTime: inHours(0.05) })
  const beside = await makeEvent(here.group.id, { eventType: 'online', startTime: inHours(40) })
  const elsewhere = await makeEvent(there.group.id, { tags: [tag], eventType: 'online' })
  const [fan, guest, stranger] = [
    await makeCaller([...PERSON]),
    await makeCaller([...PERSON]),
    await makeCaller([...PERSON]),
  ]
  await post(`/v1/favorites/${here.group.urlname}`, { token: fan.token })
  await post(`/v1/favorites/${there.group.urlname}`, { token: stranger.token })
  await post(`/v1/events/${event.id}/rsvp`, { token: guest.token, json: {} })
  const feeds: Record<string, string> = {
    all: '/feeds/events.json',
    here: `/feeds/groups/${here.group.urlname}.json`,
    there: `/feeds/groups/${there.group.urlname}.json`,
    tagged: `/feeds/events.json?tag=${tag}`,
    online: `/feeds/groups/${here.group.urlname}.json?type=online`,
    later: `/feeds/events.json?from=${inHours(35).toISOString()}&group=${here.group.urlname}`,
    fan: await ownFeed(fan.token),
    guest: await ownFeed(guest.token),
    stranger: await ownFeed(stranger.token),
  }
  const tags = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(feeds).map(async ([name, path]) => [name, (await readFeed(path)).headers.get('etag')]),
      ),
    ) as Record<string, string>
  /** The feeds whose bytes are others after something was done. */
  const changedBy = async (what: () => Promise<{ status: number }>) => {
    const before = await tags()
    expect((await what()).status).toBeLessThan(300)
    const after = await tags()
    return Object.keys(feeds).filter((name) => before[name] !== after[name])
  }
  return { here, there, event, beside, elsewhere, fan, guest, stranger, feeds, tags, changedBy }
}

const manageEvent = (groupId: string, eventId: string) => `/v1/manage/groups/${groupId}/events/${eventId}`

describe('a change', () => {
  test('of an event changes the feeds that contain it, and no other', async () => {
    const { here, event, changedBy } = await stage()
    const change = (json: object) => () =>
      patch(manageEvent(here.group.id, event.id), { token: here.manager.token, json })
    const containing = ['all', 'here', 'tagged', 'fan', 'guest']
    expect(await changedBy(change({ title: 'Another title' }))).toEqual(containing)
    expect(await changedBy(change({ description: 'Other words' }))).toEqual(containing)
    expect(await changedBy(change({ startTime: inHours(0.06).toISOString(), endTime: null }))).toEqual(
      containing,
    )
    // It comes into these, and then leaves them again.
    expect(await changedBy(change({ eventType: 'online' }))).toEqual([
      'all',
      'here',
      'tagged',
      'online',
      'fan',
      'guest',
    ])
    expect(await changedBy(change({ tags: [] }))).toEqual(['all', 'here', 'tagged', 'online', 'fan', 'guest'])
    const cancel = () =>
      post(`${manageEvent(here.group.id, event.id)}/cancel`, { token: here.manager.token, json: {} })
    expect(await changedBy(cancel)).toEqual(['all', 'here', 'online', 'fan', 'guest'])
  })

  test('that shows nowhere changes no feed', async () => {
    const { here, event, stranger, changedBy } = await stage()
    const token = here.manager.token
    expect(
      await changedBy(() =>
        post(`/v1/manage/groups/${here.group.id}/events`, {
          token,
          json: { title: 'A draft', startTime: inHours(9).toISOString(), timezone: 'Europe/Lisbon' },
        }),
      ),
    ).toEqual([])
    // A seat of somebody is in their own feed and in no other.
    const rsvp = () => post(`/v1/events/${event.id}/rsvp`, { token: stranger.token, json: {} })
    expect(await changedBy(rsvp)).toEqual(['stranger'])
  })

  test('of what a group shows reaches its feeds', async () => {
    const { here, feeds, changedBy } = await stage()
    const rename = () =>
      patch(`/v1/manage/groups/${here.group.id}`, { token: here.owner.token, json: { name: 'Another name' } })
    expect(await changedBy(rename)).toEqual(['all', 'here', 'tagged', 'online', 'later', 'fan', 'guest'])
    const { token } = await makeAdmin()
    const hide = () => patch(`/v1/admin/groups/${here.group.id}`, { token, json: { isListed: false } })
    expect(await changedBy(hide)).toEqual(['all', 'here', 'tagged', 'online', 'later', 'fan'])
    expect((await readFeed(feeds.here as string)).status).toBe(404)
    expect(idsIn(await readFeed(feeds.later as string))).toEqual([])
  })

  test('is dated, also when all that changed is that an event has left', async () => {
    const { here, event, feeds } = await stage()
    const path = feeds.here as string
    const before = await readFeed(path)
    const date = before.headers.get('last-modified') as string
    // A draft again: nobody has answered in the feeds of the group's other event.
    const { id } = await makeEvent(here.group.id)
    const token = here.manager.token
    await patch(manageEvent(here.group.id, event.id), { token, json: { title: 'Now there are two' } })
    const two = await readFeed(path)
    expect(idsIn(two)).toContain(id)
    const dated = two.headers.get('last-modified') ?? date
    await patch(manageEvent(here.group.id, id), { token, json: { status: 'draft' } })
    const known = await readFeed(path, { 'if-modified-since': dated })
    expect(known.status).toBe(200)
    expect(idsIn(known)).not.toContain(id)
  })
})
