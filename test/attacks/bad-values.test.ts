import { describe, expect, test } from 'bun:test'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { call, post } from '../support/api'
import { makeAdmin, makeBadge, makeEvent, makeGroup, makeMember, makeUser } from '../support/make'
import { sampled } from '../support/sampling'
import { inHours } from '../support/time'
import { HOSTILE, mustBeCalm } from './calm'

type World = Awaited<ReturnType<typeof makeWorld>>
type Write = { method: 'POST' | 'PATCH'; at: (world: World) => string; json: () => Record<string, unknown> }

/** Things to change, of somebody who may do everything. */
async function makeWorld() {
  const { token, user } = await makeAdmin()
  const group = await makeGroup({}, (await makeUser()).id)
  const event = await makeEvent(group.id)
  const [badge, platformBadge] = [await makeBadge({ groupId: group.id }), await makeBadge()]
  const member = await makeMember(group.id, (await makeUser()).id, 'volunteer')
  const guest = await makeUser()
  const made = async (path: string, json: object) => (await post(path, { token, json })).body.data
  const item = await made('/v1/profile/portfolio', { title: 'x' })
  const app = await made('/v1/developer/apps', { name: 'x', redirectUris: ['https://app.example/callback'] })
  const hook = await made('/v1/developer/webhooks', { url: 'https://later.example.org/' })
  const achievement = await made('/v1/admin/achievements', achievementOf())
  return { token, user, group, event, badge, platformBadge, member, guest, item, app, hook, achievement }
}

const achievementOf = () => ({
  key: `key-${randomHex(6)}`,
  name: 'x',
  targetValue: 3,
  eventType: 'checkin.created',
  conditions: [{ field: 'method', op: 'eq', value: 'qr' }],
})

const event = () => ({ title: 'x', startTime: inHours(48).toISOString(), timezone: 'UTC' })
const manage = ({ group }: World) => `/v1/manage/groups/${group.id}`
const inEvent = (world: World) => `${manage(world)}/events/${world.event.id}`

/** One good request of each kind that writes something, with every field that it takes. */
const WRITES: Record<string, Write> = {
  'a profile': {
    method: 'PATCH',
    at: () => '/v1/profile',
    json: () => ({
      name: 'x',
      bio: 'x',
      location: 'x',
      avatarUrl: null,
      heroImageUrl: null,
      themeColor: 'rose',
      socialLinks: ['https://example.org'],
      profileVisibility: 'public',
      showOnLeaderboard: true,
    }),
  },
  'a token': {
    method: 'POST',
    at: () => '/v1/profile/tokens',
    json: () => ({ name: 'x', scopes: ['read:user'], expiresInDays: 3 }),
  },
  'a portfolio item': {
    method: 'PATCH',
    at: ({ item }) => `/v1/profile/portfolio/${item.id}`,
    json: () => ({ title: 'x', description: 'x', url: 'https://example.org', imageUrl: null, sortOrder: 3 }),
  },
  'the settings of a group': {
    method: 'PATCH',
    at: manage,
    json: () => ({
      name: 'x',
      description: 'x',
      website: 'https://example.org',
      tags: ['a'],
      socialLinks: { site: 'https://example.org' },
      photoUrl: null,
      heroImageUrl: null,
      themeColor: null,
    }),
  },
  'a member of the staff': {
    method: 'PATCH',
    at: (world) => `${manage(world)}/members/${world.member.id}`,
    json: () => ({ role: 'volunteer' }),
  },
  'an event': {
    method: 'PATCH',
    at: inEvent,
    json: () => ({
      ...event(),
      description: 'x',
      endTime: inHours(50).toISOString(),
      eventType: 'hybrid',
      maxAttendees: 9,
      venue: { name: 'x', city: 'x', latitude: 1, longitude: 1 },
      onlineUrl: 'https://example.org',
      photoUrl: null,
      tags: ['a'],
      status: 'published',
    }),
  },
  'copies of an event': {
    method: 'POST',
    at: (world) => `${inEvent(world)}/duplicate`,
    json: () => ({ startTimes: [inHours(72).toISOString()] }),
  },
  'a check-in code': {
    method: 'POST',
    at: (world) => `${inEvent(world)}/checkin-codes`,
    json: () => ({ label: 'x', maxUses: 3, expiresAt: inHours(5).toISOString() }),
  },
  'a badge of a group': {
    method: 'PATCH',
    at: (world) => `${manage(world)}/badges/${world.badge.id}`,
    json: () => ({ name: 'x', description: 'x', icon: '🐦', color: '#112233', points: 5, sortOrder: 2 }),
  },
  'a badge of the platform': {
    method: 'PATCH',
    at: ({ platformBadge }) => `/v1/admin/badges/${platformBadge.id}`,
    json: () => ({
      name: 'x',
      description: 'x',
      icon: '🐦',
      color: '#112233',
      points: 5,
      sortOrder: 2,
      hidden: false,
    }),
  },
  'a claim link': {
    method: 'POST',
    at: (world) => `${manage(world)}/badges/${world.badge.id}/claim-links`,
    json: () => ({ maxUses: 3, expiresAt: inHours(5).toISOString() }),
  },
  'what an administrator sets of a group': {
    method: 'PATCH',
    at: ({ group }) => `/v1/admin/groups/${group.id}`,
    json: () => ({ isFeatured: true, isListed: true, maxBadges: 5, maxBadgePoints: 20 }),
  },
  'the standing of a person': {
    method: 'PATCH',
    at: ({ guest }) => `/v1/admin/users/${guest.id}`,
    json: () => ({ role: 'user', suspended: false }),
  },
  'an achievement': {
    method: 'PATCH',
    at: ({ achievement }) => `/v1/admin/achievements/${achievement.key}`,
    json: () => {
      const { key: _, ...rest } = achievementOf()
      return {
        ...rest,
        description: 'x',
        progressMode: 'distinct',
        progressField: 'eventId',
        hidden: false,
        enabled: false,
        sortOrder: 1,
      }
    },
  },
  'an entitlement': {
    method: 'POST',
    at: ({ guest }) => `/v1/admin/users/${guest.id}/entitlements`,
    json: () => ({ entitlement: `thing.${randomHex(4)}`, expiresAt: inHours(5).toISOString() }),
  },
  'an application': {
    method: 'PATCH',
    at: ({ app }) => `/v1/developer/apps/${app.clientId}`,
    json: () => ({ name: 'x', description: 'x', redirectUris: ['https://app.example/callback'] }),
  },
  'a webhook': {
    method: 'PATCH',
    at: ({ hook }) => `/v1/developer/webhooks/${hook.id}`,
    json: () => ({ url: 'https://later.example.org/', eventTypes: ['user.*'], isActive: true }),
  },
}

/** Inside of what is a list or an object, too. */
function placesIn(json: Record<string, unknown>): ((value: unknown) => Record<string, unknown>)[] {
  return Object.entries(json).flatMap(([name, good]) => {
    const whole = (value: unknown) => ({ ...json, [name]: value })
    if (Array.isArray(good)) return [whole, (value: unknown) => ({ ...json, [name]: [...good, value] })]
    if (typeof good !== 'object' || good === null) return [whole]
    return [
      whole,
      ...placesIn(good as Record<string, unknown>).map((put) => (value: unknown) => whole(put(value))),
    ]
  })
}

/** Below what an hour allows. */
const REQUESTS_MAX = 900

describe('a request that is good but for one value', () => {
  for (const [what, { method, at, json }] of Object.entries(WRITES))
    test(`is answered calmly where it writes ${what}`, async () => {
      const world = await makeWorld()
      let { token } = world
      const good = async () => [what, (await call(method, at(world), { token, json: json() })).status]
      const success = [what, method === 'POST' ? 201 : 200]
      expect(await good()).toEqual(success)
      let [asked, refused] = [0, 0]
      const requests = placesIn({ ...json(), [`unknown${newId().slice(0, 4)}`]: 1 }).flatMap((put) =>
        HOSTILE.map((value) => () => put(value)),
      )
      for (const bad of sampled(requests, 60, what)) {
        asked += 1
        // What is the caller's own takes fewer requests than that.
        if (asked % REQUESTS_MAX === 0) token = (await makeAdmin()).token
        const answer = await mustBeCalm(method, at(world), { token, json: bad() })
        if (answer.status === 400) refused += 1
      }
      expect([what, refused > 0]).toEqual([what, true])
      // Whatever was taken has broken nothing.
      expect(await good()).toEqual(success)
    })
})
