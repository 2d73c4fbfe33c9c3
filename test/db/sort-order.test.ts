import { afterEach, expect, test } from 'bun:test'
import { gt } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { achievements } from '@/db/tables/achievements'
import { get, patch, post } from '../support/api'
import { makeWorld } from '../support/world'

// Others look at the end of these lists.
afterEach(async () => {
  await db.delete(achievements).where(gt(achievements.sortOrder, 1_000_000))
})

const AREAS = [
  { made: '/v1/profile/portfolio', one: '/v1/profile/portfolio/:id', fields: () => ({ title: 'x' }) },
  { made: '/v1/admin/badges', one: '/v1/admin/badges/:badgeId', fields: newBadge },
  {
    made: '/v1/manage/groups/:groupId/badges',
    one: '/v1/manage/groups/:groupId/badges/:badgeId',
    fields: newBadge,
  },
  {
    made: '/v1/admin/achievements',
    one: '/v1/admin/achievements/:key',
    fields: () => ({
      key: `test-${randomHex(6)}`,
      name: 'x',
      targetValue: 1,
      eventType: 'checkin.created',
      enabled: false,
    }),
  },
]

const LARGE = [1_000_001, 2 ** 31, Number.MAX_SAFE_INTEGER]
/** JSON has no exact number beyond; what arrives would be another one than was sent. */
const TOO_LARGE = ['9007199254740992', '9007199254740993', '1e300', '1e999', '-1', '0.5']

for (const { made, one, fields } of AREAS)
  test(`${made} sorts by any integer that JSON carries exactly`, async () => {
    const { token, path } = await makeWorld()
    for (const sortOrder of LARGE) {
      const created = await post(path(made), { token, json: { ...fields(), sortOrder } })
      expect([created.status, created.body.data.sortOrder]).toEqual([201, sortOrder])
      const changed = await patch(path(one), { token, json: { sortOrder } })
      expect([changed.status, changed.body.data.sortOrder]).toEqual([200, sortOrder])
    }
    for (const number of TOO_LARGE)
      for (const [ask, where, rest] of [
        [post, path(made), fields()],
        [patch, path(one), {}],
      ] as const) {
        const body = `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length ? ',' : ''}"sortOrder":${number}}`
        const answer = await ask(where, { token, body, headers: { 'content-type': 'application/json' } })
        expect([number, answer.status, answer.body.code]).toEqual([number, 400, 'validation_error'])
      }
    let [at, cursor] = [-1, '']
    do {
      const page = await get(`${path(made)}?limit=2${cursor}`, { token })
      expect(page.status).toBe(200)
      for (const { sortOrder } of page.body.data) {
        expect(sortOrder).toBeGreaterThanOrEqual(at)
        at = sortOrder
      }
      cursor = page.body.pagination.hasMore ? `&cursor=${page.body.pagination.nextCursor}` : ''
    } while (cursor)
    expect(at).toBe(Number.MAX_SAFE_INTEGER)
  })

function newBadge() {
  return { name: 'x', slug: `x-${randomHex(6)}`, icon: '🏅' }
}
