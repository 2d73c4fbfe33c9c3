import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { call, post } from '../support/api'
import { makeAdmin, makeCaller, makeGroup, makeUser } from '../support/make'
import { apiRoutes } from '../support/routes'

const administration = apiRoutes.filter(({ pattern }) => pattern.startsWith('/v1/admin/'))
const changing = administration.filter(({ method }) => method !== 'GET')

let admin: Awaited<ReturnType<typeof makeCaller>>
beforeAll(async () => {
  admin = await makeAdmin()
})

type Example = { path: string; json?: unknown }

/** Something to act on, made by the administrator. */
async function made(path: string, json: unknown, token = admin.token) {
  const { status, body } = await post(path, { token, json })
  expect(status).toBe(201)
  return body.data
}

const badgeFields = () => ({ name: 'Example', slug: `example-${randomHex(6)}`, icon: '🎈' })
const badge = async (): Promise<string> => (await made('/v1/admin/badges', badgeFields())).id

const achievementFields = () => ({
  key: `example-${randomHex(6)}`,
  name: 'Example',
  targetValue: 1,
  eventType: 'group.favorited',
  // Nobody in other tests is to achieve it.
  enabled: false,
})
const achievement = async (): Promise<string> =>
  (await made('/v1/admin/achievements', achievementFields())).key

const userId = async () => (await makeUser()).id
const groupId = async () => (await makeGroup({}, await userId())).id

async function groupClaim(): Promise<string> {
  const group = await makeGroup({}, await userId())
  const { token } = await makeCaller(['manage:groups'])
  return (await made(`/v1/groups/${group.urlname}/claim`, {}, token)).requestId
}

/** A call that succeeds, for each change that administrators can make. */
const EXAMPLES: Record<string, () => Promise<Example>> = {
  'PATCH /v1/admin/users/:userId': async () => ({
    path: `/v1/admin/users/${await userId()}`,
    json: { role: 'admin', suspended: true },
  }),
  'DELETE /v1/admin/users/:userId': async () => ({ path: `/v1/admin/users/${await userId()}` }),
  'PATCH /v1/admin/groups/:groupId': async () => ({
    path: `/v1/admin/groups/${await groupId()}`,
    json: { isFeatured: true },
  }),
  'POST /v1/admin/group-claims/:requestId/approve': async () => ({
    path: `/v1/admin/group-claims/${await groupClaim()}/approve`,
  }),
  'POST /v1/admin/group-claims/:requestId/reject': async () => ({
    path: `/v1/admin/group-claims/${await groupClaim()}/reject`,
    json: { notes: 'Some words' },
  }),
  'POST /v1/admin/groups/:groupId/claim-invites': async () => ({
    path: `/v1/admin/groups/${await groupId()}/claim-invites`,
    json: { autoApprove: true },
  }),
  'POST /v1/admin/badges': async () => ({ path: '/v1/admin/badges', json: badgeFields() }),
  'PATCH /v1/admin/badges/:badgeId': async () => ({
    path: `/v1/admin/badges/${await badge()}`,
    json: { points: 7, name: 'Renamed', description: 'Some words' },
  }),
  'DELETE /v1/admin/badges/:badgeId': async () => ({ path: `/v1/admin/badges/${await badge()}` }),
  'POST /v1/admin/badges/:badgeId/award/:userId': async () => ({
    path: `/v1/admin/badges/${await badge()}/award/${await userId()}`,
  }),
  'DELETE /v1/admin/badges/:badgeId/award/:userId': async () => {
    const path = `/v1/admin/badges/${await badge()}/award/${await userId()}`
    await made(path, {})
    return { path }
  },
  'POST /v1/admin/badges/:badgeId/claim-links': async () => ({
    path: `/v1/admin/badges/${await badge()}/claim-links`,
    json: { maxUses: 5 },
  }),
  'POST /v1/admin/achievements': async () => ({
    path: '/v1/admin/achievements',
    json: achievementFields(),
  }),
  'PATCH /v1/admin/achievements/:key': async () => ({
    path: `/v1/admin/achievements/${await achievement()}`,
    json: { hidden: true, name: 'Renamed', description: 'Some words' },
  }),
  'DELETE /v1/admin/achievements/:key': async () => ({
    path: `/v1/admin/achievements/${await achievement()}`,
  }),
  'POST /v1/admin/meetpass/designs': async () => ({
    path: '/v1/admin/meetpass/designs',
    json: { id: `example-${randomHex(6)}`, name: 'Example', themeColor: 'ocean' },
  }),
  'POST /v1/admin/meetpass/tags': async () => ({ path: '/v1/admin/meetpass/tags', json: { count: 2 } }),
  'POST /v1/admin/users/:userId/entitlements': async () => ({
    path: `/v1/admin/users/${await userId()}/entitlements`,
    json: { entitlement: 'group.create' },
  }),
  'DELETE /v1/admin/users/:userId/entitlements/:id': async () => {
    const path = `/v1/admin/users/${await userId()}/entitlements`
    return { path: `${path}/${(await made(path, { entitlement: 'group.create' })).id}` }
  },
}

describe('an admin action', () => {
  test('has exactly one example here', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(
      changing.map(({ method, pattern }) => `${method} ${pattern}`).sort(),
    )
    expect(changing.length).toBeGreaterThan(2)
  })

  for (const { method, pattern } of changing)
    test(`${method} ${pattern} writes one audit entry with its request id`, async () => {
      const example = await EXAMPLES[`${method} ${pattern}`]?.()
      expect(example).toBeDefined()
      const { path, json } = example as Example
      const answer = await call(method, path, { token: admin.token, json })
      expect(answer.status).toBeWithin(200, 300)
      const requestId = answer.headers.get('x-request-id') as string
      const entries = await db.select().from(auditLog).where(eq(auditLog.requestId, requestId))
      expect(entries).toEqual([
        {
          id: expect.any(String),
          at: expect.any(Date),
          actorId: admin.user.id,
          action: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
          targetType: expect.stringMatching(/^[a-z_]+$/),
          targetId: expect.stringMatching(/./),
          changes: expect.any(Object),
          requestId,
        },
      ])
      // Names and texts of the examples, which no entry may keep.
      expect(JSON.stringify(entries)).not.toMatch(/Some words|"Example"|Renamed|Person |@example\.org/)
    })

  test('writes no audit entry when refused', async () => {
    const answer = await call('DELETE', '/v1/admin/users/nobody-of-that-name', { token: admin.token })
    expect(answer.status).toBe(404)
    const requestId = answer.headers.get('x-request-id') as string
    expect(await db.$count(auditLog, eq(auditLog.requestId, requestId))).toBe(0)
  })
})

describe('administration', () => {
  test('requires the admin scope everywhere', () => {
    expect(
      administration
        .filter(({ binding }) => binding?.action.access !== 'admin')
        .map(({ method, pattern }) => `${method} ${pattern}`),
    ).toEqual([])
  })

  for (const { method, pattern, path } of administration)
    test(`${method} ${pattern} refuses non-administrators, even with a token that names admin`, async () => {
      const { token } = await makeCaller(SCOPE_NAMES)
      const answer = await call(method, path, { token, json: method === 'GET' ? undefined : {} })
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="admin"')
    })
})
