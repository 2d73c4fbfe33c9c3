import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { events } from '@/db/tables/events'
import { users } from '@/db/tables/users'
import { call, get, patch, post } from '../support/api'
import { makeCaller, makeEvent, makeStaffedGroup } from '../support/make'
import { meanwhile } from '../support/meanwhile'

const LATER = 'Written in the meantime'

/** Everything that can be read and changed at one address: who may, where, and a change of it. */
const PLACES: Record<string, () => Promise<{ token: string; path: string; change: object }>> = {
  profile: async () => ({ token: (await makeCaller()).token, path: '/v1/profile', change: { bio: LATER } }),
  notifications: async () => ({
    token: (await makeCaller()).token,
    path: '/v1/profile/notifications',
    change: { weeklyDigest: true },
  }),
  preferences: async () => ({
    token: (await makeCaller()).token,
    path: '/v1/profile/preferences',
    change: { timeZone: 'Asia/Tokyo' },
  }),
  'a group': async () => {
    const { group, manager } = await makeStaffedGroup(['manage:groups'])
    return { token: manager.token, path: `/v1/manage/groups/${group.id}`, change: { description: LATER } }
  },
  'an event': async () => {
    const { group, manager } = await makeStaffedGroup(['manage:events'])
    const { id } = await makeEvent(group.id)
    const path = `/v1/manage/groups/${group.id}/events/${id}`
    return { token: manager.token, path, change: { title: LATER } }
  },
  'a pass': async () => {
    const { token } = await makeCaller(['read:meetpass', 'write:meetpass'])
    const [pass] = (await get('/v1/meetpass', { token })).body.data.passes
    return { token, path: `/v1/meetpass/${pass.id}`, change: { label: LATER } }
  },
  'an app': async () => {
    const { token } = await makeCaller(['developer'])
    const json = { name: 'App', redirectUris: ['https://app.example/cb'] }
    const { clientId } = (await post('/v1/developer/apps', { token, json })).body.data
    return { token, path: `/v1/developer/apps/${clientId}`, change: { name: LATER } }
  },
}

const tagOf = async (path: string, token: string) =>
  (await get(path, { token })).headers.get('etag') as string

describe('If-Match', () => {
  test('is tried below on everything that can be read and changed at one address', async () => {
    const { paths } = (await get('/openapi.json')).body
    const both = Object.values<object>(paths).filter((item) => 'get' in item && 'patch' in item)
    expect(both).toHaveLength(Object.keys(PLACES).length)
  })

  test.each(Object.keys(PLACES))(
    'of %s: a stale tag is 412 and nothing is done, a fresh one is not',
    async (name) => {
      const { token, path, change } = await (PLACES[name] as (typeof PLACES)[string])()
      const before = await get(path, { token })
      const stale = await patch(path, { token, json: change, headers: { 'if-match': '"stale"' } })
      expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
      expect((await get(path, { token })).text).toBe(before.text)
      // Proxies that compress weaken a tag, and a list may hold several.
      const etag = before.headers.get('etag') as string
      const tags = `"stale", W/${etag}`
      expect((await patch(path, { token, json: change, headers: { 'if-match': tags } })).status).toBe(200)
      expect((await patch(path, { token, json: change, headers: { 'if-match': etag } })).status).toBe(412)
      expect((await patch(path, { token, json: change, headers: { 'if-match': '*' } })).status).toBe(200)
    },
  )

  test('of an address that is only changed never holds; other refusals come first', async () => {
    const { token } = await makeCaller(['write:portfolio'])
    const { id } = (await post('/v1/profile/portfolio', { token, json: { title: 'x' } })).body.data
    const headers = { 'if-match': '"a"' }
    const item = `/v1/profile/portfolio/${id}`
    expect((await patch(item, { token, json: { title: 'y' }, headers })).status).toBe(412)
    expect((await patch(item, { token, json: { title: '' }, headers })).status).toBe(400)
    expect((await patch(item, { json: { title: 'y' }, headers })).status).toBe(401)
    const nobodys = `/v1/profile/portfolio/${crypto.randomUUID()}`
    expect((await patch(nobodys, { token, json: { title: 'y' }, headers })).status).toBe(404)
  })

  test('of a draft that is deleted', async () => {
    const { group, manager } = await makeStaffedGroup(['manage:events'])
    const { id } = await makeEvent(group.id, { status: 'draft' })
    const path = `/v1/manage/groups/${group.id}/events/${id}`
    const remove = async (tag: string) =>
      (await call('DELETE', path, { token: manager.token, headers: { 'if-match': tag } })).status
    expect([await remove('"stale"'), await remove(await tagOf(path, manager.token))]).toEqual([412, 204])
  })
})

describe('of two changes at once', () => {
  /** The other one is under way when ours begins, and commits while ours waits for the row. */
  const during = async (headers: (etag: string) => Record<string, string>) => {
    const { group, manager } = await makeStaffedGroup(['manage:events'])
    const { id } = await makeEvent(group.id)
    const path = `/v1/manage/groups/${group.id}/events/${id}`
    const { token } = manager
    const etag = await tagOf(path, token)
    const ours = await meanwhile(
      (tx) => tx.update(events).set({ title: LATER }).where(eq(events.id, id)),
      () => patch(path, { token, json: { title: 'Ours' }, headers: headers(etag) }),
    )
    return [ours.status, (await get(path, { token })).body.data.title]
  }

  test('the second is refused that did not know of the first', async () => {
    expect(await during((etag) => ({ 'if-match': etag }))).toEqual([412, LATER])
    // The control: without the tag it overwrites.
    expect(await during(() => ({}))).toEqual([200, 'Ours'])
  })

  test('a cached profile is read again', async () => {
    const { token, user } = await makeCaller()
    const etag = await tagOf('/v1/profile', token)
    const ours = await meanwhile(
      (tx) => tx.update(users).set({ bio: LATER }).where(eq(users.id, user.id)),
      () => patch('/v1/profile', { token, json: { bio: 'Ours' }, headers: { 'if-match': etag } }),
    )
    expect(ours.status).toBe(412)
  })

  test('of ten with one tag one wins', async () => {
    const { token } = await makeCaller()
    const etag = await tagOf('/v1/profile', token)
    const bios = Array.from({ length: 10 }, (_, at) => `Bio ${at}`)
    const change = (bio: string, headers: Record<string, string>) =>
      patch('/v1/profile', { token, json: { bio }, headers })
    const answers = await Promise.all(bios.map((bio) => change(bio, { 'if-match': etag })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)])
    const control = await Promise.all(bios.map((bio) => change(bio, {})))
    expect(control.map(({ status }) => status)).toEqual(Array(10).fill(200))
  })
})
