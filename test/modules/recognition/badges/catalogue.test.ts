import { describe, expect, test } from 'bun:test'
import { eq, sum } from 'drizzle-orm'
import { db } from '@/db/client'
import { badgeTally, peopleTally } from '@/db/tables/tallies'
import { users } from '@/db/tables/users'
import { rarityOf } from '@/modules/recognition/badges/present'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeGroup, makeMember, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { walk } from '../../../support/walk'
import { giveBadge, makeBadge, newBadge } from './fixtures'

const slugs = (items: { slug: string }[]) => items.map(({ slug }) => slug)

const publicPeople = () => db.$count(users, eq(users.isPublic, true))

describe('the catalogue', () => {
  test('shows platform badges that are not hidden, by sort order, page by page', async () => {
    const { token } = await makeCaller(['read:user'])
    const group = await makeGroup()
    const [last, first, middle] = [
      await makeBadge({ sortOrder: 900_003 }),
      await makeBadge({ sortOrder: 900_001 }),
      await makeBadge({ sortOrder: 900_002 }),
    ]
    const equal = await makeBadge({ sortOrder: 900_003 })
    const unseen = [await makeBadge({ hidden: true }), await makeBadge({ groupId: group.id })]
    const all = await walk('/v1/badges?limit=3', token)
    const ours = slugs(all).filter((slug) =>
      [first, middle, last, equal, ...unseen].some((badge) => badge.slug === slug),
    )
    expect(ours).toEqual(slugs([first, middle, last, equal]))
    expect(new Set(slugs(all)).size).toBe(all.length)
    const { body } = await get('/v1/badges?limit=1', { token })
    expect(body.pagination).toMatchObject({ limit: 1, hasMore: true, total: all.length })
    const numbers = all.map(({ sortOrder }) => sortOrder)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    await makeUser()
    const foreign = (await get('/v1/users?limit=1', { token })).body.pagination.nextCursor
    expect(foreign).toBeString()
    expect((await get(`/v1/badges?cursor=${foreign}`, { token })).status).toBe(400)
    expect((await get('/v1/badges?limit=101', { token })).status).toBe(400)
  })

  test('has exactly the fields that it promises, and counts everyone but rates by the public', async () => {
    const { token } = await makeCaller(['read:user'])
    const badge = await makeBadge({ sortOrder: 800_000, icon: '🧭', description: 'For finding the way.' })
    for (const fields of [{}, {}, { profileVisibility: 'private' as const }, { suspendedAt: new Date() }])
      await giveBadge(badge.id, (await makeUser(fields)).id)
    const expected = {
      id: badge.id,
      name: badge.name,
      slug: badge.slug,
      description: 'For finding the way.',
      icon: '🧭',
      iconUrl: 'http://localhost/assets/emoji/1f9ed.svg',
      color: '#123456',
      points: 10,
      sortOrder: 800_000,
      awardedCount: 4,
      rarity: rarityOf(2, await publicPeople()),
    }
    const listed = (await walk('/v1/badges?limit=100', token)).find(({ id }) => id === badge.id)
    expect(listed).toEqual(expected)
    const { status, body } = await get(`/v1/badges/${badge.slug}`, { token })
    expect([status, body.data]).toEqual([200, { ...expected, createdAt: badge.createdAt.toISOString() }])
    // What is counted is what is there.
    const [tally] = await db
      .select({ holders: sum(badgeTally.holders), seen: sum(badgeTally.publicHolders) })
      .from(badgeTally)
      .where(eq(badgeTally.badgeId, badge.id))
    expect(tally).toEqual({ holders: '4', seen: '2' })
    const [people] = await db.select({ people: sum(peopleTally.people) }).from(peopleTally)
    expect(Number(people?.people)).toBe(await publicPeople())
  })

  test('says at once what has changed', async () => {
    const admin = await makeAdmin()
    const { token } = await makeCaller(['read:user'])
    const holder = await makeCaller(['user'])
    const seen = async (slug: string) => {
      const listed = (await get('/v1/badges?limit=100', { token })).body.data.find(
        (badge: { slug: string }) => badge.slug === slug,
      )
      const { status, body } = await get(`/v1/badges/${slug}`, { token })
      const brief = (badge: typeof listed) =>
        badge && [badge.name, badge.awardedCount, badge.rarity.percentage]
      return [brief(listed), status, brief(body.data)]
    }
    const { slug } = newBadge()
    expect(await seen(slug)).toEqual([undefined, 404, undefined])
    const made = await post('/v1/admin/badges', { token: admin.token, json: newBadge({ slug, name: 'New' }) })
    const at = `/v1/admin/badges/${made.body.data.id}`
    expect(await seen(slug)).toEqual([['New', 0, 0], 200, ['New', 0, 0]])
    await post(`${at}/award/${holder.user.id}`, { token: admin.token })
    const rated = rarityOf(1, await publicPeople()).percentage
    expect(await seen(slug)).toEqual([['New', 1, rated], 200, ['New', 1, rated]])
    await patch('/v1/profile', { token: holder.token, json: { profileVisibility: 'private' } })
    expect(await seen(slug)).toEqual([['New', 1, 0], 200, ['New', 1, 0]])
    await patch(at, { token: admin.token, json: { name: 'Newer' } })
    await del(`${at}/award/${holder.user.id}`, { token: admin.token })
    expect(await seen(slug)).toEqual([['Newer', 0, 0], 200, ['Newer', 0, 0]])
    await patch(at, { token: admin.token, json: { hidden: true } })
    expect(await seen(slug)).toEqual([undefined, 404, undefined])
    await patch(at, { token: admin.token, json: { hidden: false } })
    await del(at, { token: admin.token })
    expect(await seen(slug)).toEqual([undefined, 404, undefined])
  })

  test('is read once for many readers, and has a tag', async () => {
    const { token } = await makeCaller(['read:user'])
    const badge = await makeBadge()
    const first = await get('/v1/badges?limit=2', { token })
    expect(await statementsOf(() => get('/v1/badges?limit=2', { token }))).toBe(0)
    const again = await get('/v1/badges?limit=2', {
      token,
      headers: { 'if-none-match': first.headers.get('etag') as string },
    })
    expect([again.status, again.text]).toEqual([304, ''])
    await get(`/v1/badges/${badge.slug}`, { token })
    expect(await statementsOf(() => get(`/v1/badges/${badge.slug}`, { token }))).toBe(0)
  })

  test('has a constant number of statements', async () => {
    const { token } = await makeCaller(['read:user'])
    const cost = (limit: number) => {
      let offset = 0
      // Every page is another one, so that none is cached.
      return statementsOf(() => get(`/v1/badges?limit=${limit}&offset=${offset++}`, { token }))
    }
    expect([await cost(1), await cost(7)]).toEqual([2, 2])
  })
})

describe('a badge by its slug', () => {
  test('is found by its very letters, and is 404 by others', async () => {
    const { token } = await makeCaller(['read:user'])
    const { slug } = await makeBadge()
    for (const path of [slug.toUpperCase(), `${slug}x`, 'no-such-badge', '%25', "'", 'x'.repeat(100)])
      expect([path, (await get(`/v1/badges/${path}`, { token })).status]).toEqual([path, 404])
    expect((await get(`/v1/badges/${'x'.repeat(101)}`, { token })).status).toBe(404)
    expect((await get(`/v1/badges/${slug}`, { token })).status).toBe(200)
  })

  test('that is hidden is there for its holders and for administrators only', async () => {
    const badge = await makeBadge({ hidden: true })
    const [holder, stranger] = [await makeCaller(['read:user']), await makeCaller(['read:user'])]
    await giveBadge(badge.id, holder.user.id)
    const ask = ({ token }: { token: string }) => get(`/v1/badges/${badge.slug}`, { token })
    expect((await ask(holder)).status).toBe(200)
    expect((await ask(await makeAdmin())).status).toBe(200)
    const refused = await ask(stranger)
    const unknown = await get('/v1/badges/nobody-made-this', { token: stranger.token })
    expect([refused.status, refused.text]).toEqual([404, unknown.text])
  })

  test('of a group is there while the group is; an unlisted group shows it to staff and holders', async () => {
    const group = await makeGroup()
    const hiddenAway = await makeGroup({ isListed: false })
    const open = await makeBadge({ groupId: group.id })
    const closed = await makeBadge({ groupId: hiddenAway.id })
    const [stranger, staff, holder] = await Promise.all([1, 2, 3].map(() => makeCaller(['read:user'])))
    if (!stranger || !staff || !holder) throw new Error('nobody came')
    await makeMember(hiddenAway.id, staff.user.id, 'volunteer')
    await giveBadge(closed.id, holder.user.id)
    const ask = async (slug: string, token: string) => (await get(`/v1/badges/${slug}`, { token })).status
    expect(await ask(open.slug, stranger.token)).toBe(200)
    const admin = await makeAdmin()
    expect(
      await Promise.all([stranger, staff, holder, admin].map(({ token }) => ask(closed.slug, token))),
    ).toEqual([404, 200, 200, 200])
    const owner = await makeCaller(['manage:groups'])
    await makeMember(group.id, owner.user.id, 'owner')
    await del(`/v1/manage/groups/${group.id}?confirm=${group.urlname}`, { token: owner.token })
    expect(await ask(open.slug, stranger.token)).toBe(404)
  })
})

test('rarity goes by the exact share', () => {
  const cases: [number, number, string, number][] = [
    [0, 0, 'legendary', 0],
    [0, 10, 'legendary', 0],
    [99, 10_000, 'legendary', 1],
    [100, 10_000, 'epic', 1],
    [499, 10_000, 'epic', 5],
    [500, 10_000, 'rare', 5],
    [1496, 10_000, 'rare', 15],
    [1500, 10_000, 'uncommon', 15],
    [4999, 10_000, 'uncommon', 50],
    [5000, 10_000, 'common', 50],
    [1, 3, 'uncommon', 33.3],
    [12, 10, 'common', 100],
  ]
  for (const [holders, people, tier, percentage] of cases)
    expect([holders, people, rarityOf(holders, people)]).toEqual([
      holders,
      people,
      { tier, percentage } as ReturnType<typeof rarityOf>,
    ])
})
