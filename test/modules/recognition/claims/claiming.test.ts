import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { badgeAwards, badges, claimLinks } from '@/db/tables/badges'
import { users } from '@/db/tables/users'
import { get, post } from '../../../support/api'
import { makeBadge, makeCaller, makeSession, makeUser } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { statementsOf } from '../../../support/statements'
import { inHours } from '../../../support/time'
import { domainEventsOf, give, holdersOf, makeFan, makeGroupWithBadge, makeLink, usesOf } from './fixtures'

const UNKNOWN = { error: 'Claim link not found', code: 'not_found' }
const HELD = 'You hold this badge already'
const EXPIRED = 'This link has expired'
const USED_UP = 'This link is used up'

const shown = ({ name, slug }: { name: string; slug: string }) => ({
  name,
  slug,
  description: 'Came along.',
  icon: '🏅',
  iconUrl: 'http://localhost/assets/emoji/1f3c5.svg',
  color: '#123456',
  points: 10,
})

describe('looking at a link', () => {
  test('shows the badge and its group to anyone, in any case of letters', async () => {
    const { badge, group } = await makeGroupWithBadge()
    const { code } = await makeLink(badge.id)
    expect(code).toMatch(/^[2-9a-hjkmnp-z]{12}$/)
    for (const typed of [code, code.toUpperCase(), `${code.slice(0, 6).toUpperCase()}${code.slice(6)}`]) {
      const answer = await get(`/v1/claim/${typed}`)
      expect([answer.status, answer.body.data]).toEqual([
        200,
        {
          badge: shown(badge),
          group: { name: group.name, urlname: group.urlname, photoUrl: 'https://example.org/group.png' },
          claimable: true,
        },
      ])
    }
    expect(await statementsOf(() => get(`/v1/claim/${code}`))).toBe(1)
  })

  test('of a platform badge shows no group', async () => {
    const { code } = await makeLink((await makeBadge()).id)
    const { body } = await get(`/v1/claim/${code}`)
    expect([body.data.group, body.data.claimable]).toEqual([null, true])
  })

  test('shows why a link is dead, and whether the reader holds the badge', async () => {
    const badge = await makeBadge()
    const [holder, other] = [await makeFan(), await makeFan()]
    await give(badge, holder.user.id)
    const usedUp = await makeLink(badge.id, { maxUses: 1 })
    await post(`/v1/claim/${usedUp.code}`, { token: (await makeFan()).token })
    const links = [
      [await makeLink(badge.id), undefined],
      [await makeLink(badge.id, { expiresAt: new Date(Date.now() - 1) }), EXPIRED],
      [usedUp, USED_UP],
    ] as const
    for (const [{ code }, reason] of links) {
      for (const token of [undefined, other.token]) {
        const { body, status } = await get(`/v1/claim/${code}`, { token })
        expect([status, body.data.claimable, body.data.reason]).toEqual([200, reason === undefined, reason])
      }
      for (const credential of [{ token: holder.token }, { session: await makeSession(holder.user.id) }]) {
        const { body } = await get(`/v1/claim/${code}`, credential)
        expect([body.data.claimable, body.data.reason]).toEqual([false, HELD])
      }
    }
  })

  test('shows what a person holds only to credentials with read access to their profile', async () => {
    const badge = await makeBadge()
    const stranger = await makeCaller(['read:events'])
    await give(badge, stranger.user.id)
    const { code } = await makeLink(badge.id)
    expect((await get(`/v1/claim/${code}`, { token: stranger.token })).body.data.claimable).toBe(true)
    expect((await get(`/v1/claim/${code}`, { token: 'fm_pat_nonsense' })).status).toBe(401)
  })

  test('an unknown or malformed code is 404', async () => {
    const { token } = await makeFan()
    for (const typed of ['aaaaaaaaaaaa', 'x', '%E2%84%AA', 'a'.repeat(100)]) {
      const [seen, used] = [await get(`/v1/claim/${typed}`), await post(`/v1/claim/${typed}`, { token })]
      expect([seen.status, seen.body, used.status, used.body]).toEqual([404, UNKNOWN, 404, UNKNOWN])
    }
    expect((await get(`/v1/claim/${'a'.repeat(101)}`)).status).toBe(404)
  })
})

describe('claiming', () => {
  test('is 201, awards the badge and its points, counts a use and emits domain events', async () => {
    const { badge, group } = await makeGroupWithBadge()
    const link = await makeLink(badge.id, { maxUses: 5 })
    const fan = await makeFan()
    const answer = await post(`/v1/claim/${link.code.toUpperCase()}`, { token: fan.token })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        data: {
          badge: shown(badge),
        },
      },
    ])
    expect([await usesOf(link.id), await holdersOf(badge.id)]).toEqual([1, [fan.user.id]])
    const [row] = await db.select().from(badgeAwards).where(eq(badgeAwards.badgeId, badge.id))
    expect(row?.source).toBe('claim')
    const about = { badgeId: badge.id, groupId: group.id, userId: fan.user.id, slug: badge.slug }
    expect(await domainEventsOf(fan.user.id)).toEqual([
      ['badge.awarded', { ...about, points: 10, source: 'claim' }],
      ['score.changed', { userId: fan.user.id, groupId: group.id, change: 10 }],
      ['badge.claimed', { ...about, linkId: link.id }],
    ])
  })

  test('of a platform badge raises XP; what the body says changes nothing', async () => {
    const badge = await makeBadge({ points: 70 })
    const { id, code } = await makeLink(badge.id)
    const [fan, other] = [await makeFan(), await makeUser()]
    const json = { userId: other.id, points: 1000, badgeId: 'x', currentUses: -5, code: 'other' }
    expect((await post(`/v1/claim/${code}`, { token: fan.token, json })).body.data.badge.points).toBe(70)
    const [row] = await db.select().from(users).where(eq(users.id, fan.user.id))
    expect([row?.xp, row?.badgeCount, await usesOf(id)]).toEqual([70, 1, 1])
    expect(await holdersOf(badge.id)).toEqual([fan.user.id])
  })

  test('wants the scope user', async () => {
    const { code } = await makeLink((await makeBadge()).id)
    const reader = await makeCaller(['read:user'])
    expect((await post(`/v1/claim/${code}`, { token: reader.token })).body.code).toBe('insufficient_scope')
    expect((await post(`/v1/claim/${code}`)).status).toBe(401)
    const hidden = await makeCaller(['user'], { profileVisibility: 'private', username: null })
    expect((await post(`/v1/claim/${code}`, { token: hidden.token })).status).toBe(201)
  })

  test('again is 409 with every link of the badge, also a dead one, and costs no use', async () => {
    const badge = await makeBadge()
    const [first, second] = [await makeLink(badge.id, { maxUses: 1 }), await makeLink(badge.id)]
    const expired = await makeLink(badge.id, { expiresAt: inHours(-1) })
    const fan = await makeFan()
    expect((await post(`/v1/claim/${first.code}`, { token: fan.token })).status).toBe(201)
    for (const { code } of [first, second, expired]) {
      const again = await post(`/v1/claim/${code}`, { token: fan.token })
      expect([again.status, again.body]).toEqual([409, { error: HELD, code: 'conflict' }])
    }
    expect([await usesOf(first.id), await usesOf(second.id), await usesOf(expired.id)]).toEqual([1, 0, 0])
    expect((await domainEventsOf(fan.user.id)).filter(([type]) => type === 'badge.claimed')).toHaveLength(1)
  })

  test('of a badge that came through another door is 409 and costs no use', async () => {
    const badge = await makeBadge()
    const link = await makeLink(badge.id)
    const fan = await makeFan()
    await give(badge, fan.user.id)
    expect((await post(`/v1/claim/${link.code}`, { token: fan.token })).status).toBe(409)
    expect(await usesOf(link.id)).toBe(0)
  })

  test('with an expired or used-up link is 410, and nothing has happened', async () => {
    const badge = await makeBadge()
    const [expired, usedUp] = [
      await makeLink(badge.id, { expiresAt: new Date(Date.now() - 1) }),
      await makeLink(badge.id, { maxUses: 1 }),
    ]
    await post(`/v1/claim/${usedUp.code}`, { token: (await makeFan()).token })
    const late = await makeFan()
    for (const [{ id, code }, error, uses] of [
      [expired, EXPIRED, 0],
      [usedUp, USED_UP, 1],
    ] as const) {
      const answer = await post(`/v1/claim/${code}`, { token: late.token })
      expect([answer.status, answer.body]).toEqual([410, { error, code: 'gone' }])
      expect(await usesOf(id)).toBe(uses)
    }
    expect([await domainEventsOf(late.user.id), (await holdersOf(badge.id)).length]).toEqual([[], 1])
    // A link that is not over yet works to its last moment.
    const soon = await makeLink(badge.id, { expiresAt: inHours(0.1) })
    expect((await post(`/v1/claim/${soon.code}`, { token: late.token })).status).toBe(201)
  })

  test('with an idempotency key is answered as the first time', async () => {
    const link = await makeLink((await makeBadge()).id)
    const { token } = await makeFan()
    const claim = () => post(`/v1/claim/${link.code}`, { token, headers: { 'idempotency-key': 'mine' } })
    const [first, second] = [await claim(), await claim()]
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(await usesOf(link.id)).toBe(1)
  })

  test('at once with 20 others for 5 uses: five get it, and the rest are left with nothing', async () => {
    const badge = await makeBadge()
    const link = await makeLink(badge.id, { maxUses: 5 })
    const fans = await Promise.all(Array.from({ length: 20 }, makeFan))
    const answers = await Promise.all(fans.map(({ token }) => post(`/v1/claim/${link.code}`, { token })))
    const winners = fans.filter((_, i) => answers[i]?.status === 201).map(({ user }) => user.id)
    expect(answers.filter(({ status, body }) => status === 410 && body.error === USED_UP)).toHaveLength(15)
    expect([await usesOf(link.id), (await holdersOf(badge.id)).sort()]).toEqual([5, winners.sort()])
  })

  test('of what is deleted meanwhile is 404, never a fault', async () => {
    for (const table of [claimLinks, badges]) {
      const badge = await makeBadge()
      const link = await makeLink(badge.id)
      const fan = await makeFan()
      const id = table === badges ? badge.id : link.id
      const answer = await meanwhile(
        (tx) => tx.delete(table).where(eq(table.id, id)),
        () => post(`/v1/claim/${link.code}`, { token: fan.token }),
      )
      expect([answer.status, answer.body]).toEqual([404, UNKNOWN])
      expect([await holdersOf(badge.id), await domainEventsOf(fan.user.id)]).toEqual([[], []])
    }
  })
})
