import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { presentByGroup, presentHeld, rarityOf } from '@/modules/recognition/badges/present'
import { facesOf, groupFacesOf, heldBy } from '@/modules/recognition/badges/queries'
import { del, get, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeGroup, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { walk } from '../../../support/walk'
import { giveBadge, makeBadge, makeStaffedGroup } from './fixtures'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const slugs = (items: { slug: string }[] | undefined) => items?.map(({ slug }) => slug)
const rarity = async (holders: number) => rarityOf(holders, await db.$count(users, eq(users.isPublic, true)))

describe('my badges', () => {
  test('are all that I hold, newest award first, with the group that gave them', async () => {
    const { user, token } = await makeCaller(['read:user'])
    const group = await makeGroup({ photoUrl: 'https://example.org/g.png' })
    const unlisted = await makeGroup({ isListed: false })
    const [old, hidden, ofGroup, ofUnlisted] = [
      await makeBadge({ icon: '🧭', points: 7, description: 'Old.' }),
      await makeBadge({ hidden: true }),
      await makeBadge({ groupId: group.id }),
      await makeBadge({ groupId: unlisted.id }),
    ]
    await makeBadge()
    await giveBadge(hidden.id, user.id, daysAgo(2))
    await giveBadge(old.id, user.id, daysAgo(9))
    await giveBadge(old.id, (await makeUser({ profileVisibility: 'private' })).id)
    await giveBadge(ofUnlisted.id, user.id, daysAgo(3))
    await giveBadge(ofGroup.id, user.id, daysAgo(1))
    const { status, body } = await get('/v1/profile/badges', { token })
    expect(status).toBe(200)
    expect(slugs(body.data)).toEqual(slugs([ofGroup, hidden, ofUnlisted, old]))
    expect(body.pagination).toEqual({ limit: 20, offset: 0, hasMore: false, total: 4 })
    expect(body.data[3]).toEqual({
      name: old.name,
      slug: old.slug,
      description: 'Old.',
      icon: '🧭',
      iconUrl: 'http://localhost/assets/emoji/1f9ed.svg',
      color: '#123456',
      points: 7,
      awardedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      group: null,
      rarity: await rarity(1),
    })
    expect(body.data[0].group).toEqual({
      id: group.id,
      name: group.name,
      urlname: group.urlname,
      photoUrl: 'https://example.org/g.png',
    })
    expect(body.data[2].group.urlname).toBe(unlisted.urlname)
    expect(slugs(await walk('/v1/profile/badges?limit=1', token))).toEqual(slugs(body.data))
    const other = await makeCaller(['read:user'])
    expect((await get('/v1/profile/badges', { token: other.token })).body.data).toEqual([])
    const foreign = (await get('/v1/profile/badges?limit=1', { token })).body.pagination.nextCursor
    expect((await get(`/v1/profile/badges?cursor=${foreign}`, { token: other.token })).status).toBe(400)
  })

  test('have a constant number of statements', async () => {
    const { user, token } = await makeCaller(['read:user'])
    for (let i = 0; i < 5; i += 1) await giveBadge((await makeBadge()).id, user.id)
    const cost = (limit: number) => statementsOf(() => get(`/v1/profile/badges?limit=${limit}`, { token }))
    expect([await cost(1), await cost(5)]).toEqual([2, 2])
  })
})

describe("a person's badges of groups", () => {
  test('stand by group, groups by name, badges by their order, with what they add up to', async () => {
    const { token } = await makeCaller(['read:user'])
    const person = await makeUser()
    const [zebras, ants, unlisted] = [
      await makeGroup({ name: 'Zebras' }),
      await makeGroup({ name: 'Ants' }),
      await makeGroup({ name: 'Moles', isListed: false }),
    ]
    const second = await makeBadge({ groupId: zebras.id, sortOrder: 2, points: 5, description: 'Second.' })
    const first = await makeBadge({ groupId: zebras.id, sortOrder: 1, points: 30 })
    const only = await makeBadge({ groupId: ants.id, points: 0 })
    const unseen = await makeBadge({ groupId: unlisted.id })
    const notHeld = await makeBadge({ groupId: ants.id })
    for (const { id } of [second, first, only, unseen, await makeBadge()])
      await giveBadge(id, person.id, daysAgo(1))
    const { status, body } = await get(`/v1/users/${person.username?.toUpperCase()}/group-badges`, { token })
    expect(status).toBe(200)
    const shown = async (badge: typeof first) => ({
      name: badge.name,
      slug: badge.slug,
      description: badge.description,
      icon: '🏅',
      color: '#123456',
      points: badge.points,
      awardedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      rarity: await rarity(1),
    })
    const brief = ({ id, name, urlname }: typeof ants) => ({ id, name, urlname, photoUrl: null })
    expect(body.data).toEqual({
      groups: [
        { group: brief(ants), badges: [await shown(only)], xpSubtotal: 0 },
        { group: brief(zebras), badges: [await shown(first), await shown(second)], xpSubtotal: 35 },
      ],
    })
    expect(JSON.stringify(body)).not.toContain(notHeld.slug)
    const nothing = await get(`/v1/users/${(await makeUser()).username}/group-badges`, { token })
    expect(nothing.body.data).toEqual({ groups: [] })
  })

  test('are 404 for private, suspended and unknown people', async () => {
    const { token } = await makeCaller(['read:user'])
    const admin = await makeAdmin()
    const owner = await makeCaller(['read:user'], { profileVisibility: 'private' })
    const suspended = await makeUser({ suspendedAt: new Date() })
    const ask = (username: string | null, as: string) =>
      get(`/v1/users/${username}/group-badges`, { token: as })
    const unknown = await ask('nobody-of-that-name', token)
    expect(unknown.status).toBe(404)
    for (const { username } of [owner.user, suspended]) {
      const refused = await ask(username, token)
      expect([refused.status, refused.text]).toEqual([404, unknown.text])
      expect((await ask(username, admin.token)).status).toBe(200)
    }
    expect((await ask(owner.user.username, owner.token)).status).toBe(200)
  })
})

describe('what others show of badges', () => {
  test('a profile has the visible platform badges in their order and the group badges apart', async () => {
    const person = await makeUser()
    const group = await makeGroup()
    const made = [
      await makeBadge({ sortOrder: 5 }),
      await makeBadge({ sortOrder: 3, points: 1 }),
      await makeBadge({ hidden: true }),
      await makeBadge({ groupId: group.id }),
    ]
    for (const { id } of made) await giveBadge(id, person.id)
    const rows = await heldBy(db, person.id)
    const platform = rows.filter((row) => row.group === null).map(presentHeld)
    expect(slugs(platform)).toEqual([made[1]?.slug as string, made[0]?.slug as string])
    expect(platform[0]).toMatchObject({ points: 1, iconUrl: expect.stringContaining('/assets/emoji/') })
    expect(presentByGroup(rows).map(({ badges }) => slugs(badges))).toEqual([[made[3]?.slug as string]])
  })

  test('lists of people have at most ten each: most points first, then the oldest award', async () => {
    const [rich, modest, nobody] = [await makeUser(), await makeUser(), await makeUser()]
    const [group, another] = [await makeGroup(), await makeGroup()]
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => makeBadge({ points: i })))
    for (const { id } of many) await giveBadge(id, rich.id)
    const hidden = await makeBadge({ hidden: true, points: 1000 })
    const [late, early] = [await makeBadge({ points: 4 }), await makeBadge({ points: 4, description: 'E.' })]
    const [ofGroup, better] = [
      await makeBadge({ groupId: group.id, points: 1 }),
      await makeBadge({ groupId: group.id, points: 2 }),
    ]
    const elsewhere = await makeBadge({ groupId: another.id })
    await giveBadge(hidden.id, modest.id)
    await giveBadge(late.id, modest.id, daysAgo(1))
    await giveBadge(early.id, modest.id, daysAgo(5))
    for (const { id } of [ofGroup, better, elsewhere]) await giveBadge(id, modest.id)
    const ids = [rich.id, modest.id, nobody.id]
    const faces = await facesOf(db, ids)
    expect(slugs(faces.get(rich.id))).toEqual(slugs(many)?.reverse().slice(0, 10))
    expect(faces.get(modest.id)).toEqual(
      [early, late].map(({ name, slug, icon, color, description }) => ({
        name,
        slug,
        icon,
        color,
        description,
      })),
    )
    expect(faces.has(nobody.id)).toBe(false)
    const ofThem = await groupFacesOf(db, group.id, ids)
    expect([...ofThem.keys()]).toEqual([modest.id])
    expect(slugs(ofThem.get(modest.id))).toEqual([better.slug, ofGroup.slug])
    expect([await facesOf(db, []), await groupFacesOf(db, group.id, [])]).toEqual([new Map(), new Map()])
  })
})

test('what was given and taken over HTTP is seen at once by its holder', async () => {
  const { at, group, manager } = await makeStaffedGroup()
  const { user, token } = await makeCaller(['read:user'])
  const badge = await makeBadge({ groupId: group.id, points: 20 })
  const seen = async () => [
    slugs((await get('/v1/profile/badges', { token })).body.data),
    (await get(`/v1/users/${user.username}/group-badges`, { token })).body.data.groups[0]?.xpSubtotal,
  ]
  expect(await seen()).toEqual([[], undefined])
  await post(`${at}/${badge.id}/award/${user.id}`, { token: manager.token })
  expect(await seen()).toEqual([[badge.slug], 20])
  await del(`${at}/${badge.id}/award/${user.id}`, { token: manager.token })
  expect(await seen()).toEqual([[], undefined])
})
