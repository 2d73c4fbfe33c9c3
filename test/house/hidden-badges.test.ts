import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { config } from '@/config/config'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { takeSnapshots } from '@/modules/recognition/leaderboards/snapshots/take'
import { dropCaches } from '@/outbox/bus'
import { giveBadge, makeBadge, newBadge } from '../modules/recognition/badges/fixtures'
import { backdate } from '../modules/recognition/leaderboards/fixtures'
import { type Answer, get, patch, post } from '../support/api'
import { makeAdmin, makeCaller, makeEvent, makeGroup, makeUser } from '../support/make'

// The same person reads everything several times, which is more than anybody may in an hour.
const { userPerHour } = config.rateLimits
beforeAll(() => {
  config.rateLimits.userPerHour = 1_000_000
})
afterAll(() => {
  config.rateLimits.userPerHour = userPerHour
})

const DAY_MS = 24 * 60 * 60 * 1000
const SCOPES = SCOPE_NAMES.filter((name) => name !== 'admin')

type Parameter = { name: string; in: string; schema: { enum?: string[] } }
type Operation = { parameters?: Parameter[] }
type Values = Record<string, string[]>
type Stranger = { token?: string; session?: string }

/** Every reading operation, with every value of every parameter that has a few, and with the names that are given. */
async function addresses(values: Values): Promise<string[]> {
  const { paths } = (await get('/openapi.json')).body as { paths: Record<string, { get?: Operation }> }
  return Object.entries(paths).flatMap(([path, { get: operation }]) => {
    if (!operation) return []
    const queries = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema }) =>
        (schema.enum ?? values[`?${name}`] ?? []).map((value) => `?${name}=${value}`),
      )
    return named(path, values).flatMap((address) => ['', ...queries].map((query) => address + query))
  })
}

function named(path: string, values: Values): string[] {
  const place = /\{(\w+)\}/.exec(path)
  if (!place) return [path]
  const known = values[`${path.slice(0, place.index)}*`] ?? values[place[1] as string] ?? ['nobody']
  return known.flatMap((value) => named(path.replace(place[0], value), values))
}

/** What the clock and the reading itself change tells nothing of anybody. */
const RESTLESS =
  /"(start|end|lastUsedAt|lastSeenAt|lastLoginAt)":("[^"]*"|null)|<dd><code>[0-9a-f-]{36}<\/code>/g

/** All that an answer says: status, text and the tag of the whole. */
function told({ status, headers, text }: Answer) {
  const settled = text.replace(RESTLESS, '')
  return { status, text: settled, etag: settled === text ? headers.get('etag') : null }
}

test('no response reveals a hidden badge to others, not even by a count', async () => {
  const admin = await makeAdmin()
  const [holder, rival] = [await makeUser(), await makeUser()]
  const stranger = await makeCaller(SCOPES)
  const group = await makeGroup({}, stranger.user.id)
  const event = await makeEvent(group.id)
  const plain = await makeBadge({ points: 231 })
  const ofGroup = await makeBadge({ groupId: group.id, points: 7 })
  // The holder is a little behind, so that ten points more would change places, now and when the period began.
  for (const { id } of [holder, rival]) await giveBadge(plain.id, id)
  await giveBadge((await makeBadge({ points: 4 })).id, rival.id)
  await giveBadge(ofGroup.id, holder.id)
  for (const { id } of [holder, rival]) await backdate(id, 10 * DAY_MS)
  for (const { id } of [holder, rival]) await giveBadge((await makeBadge({ points: 1 })).id, id)

  const fields = newBadge({ points: 10, hidden: true })
  const values = {
    '/v1/badges/*': [plain.slug, fields.slug],
    username: [holder.username as string, rival.username as string],
    slug: [group.urlname],
    groupId: [group.id],
    eventId: [event.id],
    badgeId: [ofGroup.id],
    '?badge': [plain.slug, fields.slug],
    '?search': [holder.username as string],
    '?limit': ['1', '100'],
  }
  const all = await addresses(values)

  async function read(caller: Stranger) {
    // Boards of past days are drawn from the history of scores, which may tell as well.
    await db.execute(sql`truncate board_days, board_snapshots`)
    await takeSnapshots()
    dropCaches()
    const answers: Record<string, ReturnType<typeof told>> = {}
    for (const address of all) answers[address] = told(await get(address, caller))
    return answers
  }

  const before = [await read(stranger), await read({})]
  expect(Object.values(before[0] ?? {}).filter(({ status }) => status === 200).length).toBeGreaterThan(60)
  expect(before[0]).toEqual(await read(stranger))

  const made = await post('/v1/admin/badges', { token: admin.token, json: fields })
  const late = await post('/v1/admin/badges', {
    token: admin.token,
    json: newBadge({ points: 10, hidden: true }),
  })
  const [old, recent] = [made.body.data.id, late.body.data.id]
  await giveBadge(old, holder.id, new Date(Date.now() - 10 * DAY_MS))
  const given = await post(`/v1/admin/badges/${recent}/award/${holder.id}`, { token: admin.token })
  expect([made.status, late.status, given.status]).toEqual([201, 201, 201])
  expect([await read(stranger), await read({})]).toEqual(before)

  // The same readings do tell of a badge that is not hidden.
  const unhide = (hidden: boolean) =>
    patch(`/v1/admin/badges/${old}`, { token: admin.token, json: { hidden } })
  expect((await unhide(false)).status).toBe(200)
  const shown = await read(stranger)
  const telling = all.filter((address) => shown[address]?.text !== before[0]?.[address]?.text)
  expect(telling).toEqual(
    expect.arrayContaining([
      '/v1/users?sort=xp',
      '/v1/users?sort=badges',
      `/v1/users?badge=${fields.slug}`,
      `/v1/users/${holder.username}`,
      '/v1/badges?limit=100',
      `/v1/badges/${fields.slug}`,
      '/v1/leaderboard',
      '/v1/leaderboard/movers?period=week',
    ]),
  )
  expect((await unhide(true)).status).toBe(200)
  expect(await read(stranger)).toEqual(before[0] as Awaited<ReturnType<typeof read>>)
})
