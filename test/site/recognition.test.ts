import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { achievementProgress, achievements } from '@/db/tables/achievements'
import { badgeAwards } from '@/db/tables/badges'
import { give, makeGroupWithBadge, makeLink } from '../modules/recognition/claims/fixtures'
import { get, post } from '../support/api'
import { makeBadge, makeSession, makeUser } from '../support/make'
import { inHours } from '../support/time'

const GERMAN = { 'accept-language': 'de' }
const HOSTILE = '<script>alert("badge")</script>'

const tokenIn = (text: string) => /name="csrf" value="([0-9a-f]+)"/.exec(text)?.[1] as string

/** Presses the one button of a page. */
const press = (path: string, session: string, csrf: string) =>
  post(path, {
    session,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrf }).toString(),
  })

describe('the badges', () => {
  test('stand on a page with what each is worth, in both languages, and none that is hidden', async () => {
    const badge = await makeBadge({ name: HOSTILE, points: 7 })
    const hidden = await makeBadge({ hidden: true })
    const { badge: ofGroup, group } = await makeGroupWithBadge()
    await give(badge, (await makeUser()).id)
    // The catalogue is long in a run of many tests; the newest badge of a group stands on its first page.
    const [english, german] = [await get('/badges'), await get('/badges', { headers: GERMAN })]
    expect([english.status, german.status]).toEqual([200, 200])
    expect(english.text).toContain(`href="/badges/${ofGroup.slug}"`)
    expect(english.text).toContain(group.name)
    expect(german.text).toContain('Abzeichen von Gruppen')
    expect(english.text + german.text).not.toContain(HOSTILE)
    expect(english.text).not.toContain(hidden.slug)
    const own = await get(`/badges/${badge.slug}`)
    expect([own.status, own.text.includes('&lt;script&gt;'), own.text.includes(HOSTILE)]).toEqual([
      200,
      true,
      false,
    ])
    expect((await get(`/badges/${hidden.slug}`)).status).toBe(404)
  })

  test('each show their public holders', async () => {
    const badge = await makeBadge()
    const [open, closed] = [await makeUser(), await makeUser({ profileVisibility: 'private' })]
    expect((await get(`/badges/${badge.slug}`)).text).toContain('Be the first.')
    await give(badge, open.id)
    await give(badge, closed.id)
    const { text } = await get(`/badges/${badge.slug}`)
    expect([text.includes(`/u/${open.username}`), text.includes(closed.name)]).toEqual([true, false])
    expect((await get(`/badges/${badge.slug}`, { session: await makeSession(open.id) })).text).toContain(
      'You have this badge',
    )
  })

  test('of achievements show how to earn them, and members their progress', async () => {
    const badge = await makeBadge()
    const key = `site-${newId()}`
    await db.insert(achievements).values({
      key,
      name: 'Five evenings',
      description: 'Come five times.',
      eventType: 'checkin.created',
      targetValue: 5,
      badgeSlug: badge.slug,
    })
    const user = await makeUser()
    await db.insert(achievementProgress).values({ userId: user.id, achievementKey: key, currentValue: 3 })
    const stranger = await get(`/badges/${badge.slug}`)
    expect(stranger.text).toContain('Come five times.')
    expect(stranger.text).not.toContain('<progress')
    const person = await get(`/badges/${badge.slug}`, {
      session: await makeSession(user.id),
      headers: GERMAN,
    })
    expect(person.text).toContain('3 von 5')
    await db.delete(achievements).where(eq(achievements.key, key))
  })

  test('that are unknown are not found', async () => {
    for (const path of ['/badges/no-such-badge', `/badges/${'x'.repeat(300)}`, '/badges?cursor=nonsense'])
      expect([path, (await get(path)).status < 500 && (await get(path)).status >= 400]).toEqual([path, true])
  })
})

describe('the leaderboard', () => {
  test('shows ranks, and members their own, however low', async () => {
    const badge = await makeBadge({ points: 900 })
    const user = await makeUser({ name: `<b>${HOSTILE}` })
    await give(badge, user.id)
    const stranger = await get('/leaderboard')
    expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
    expect(stranger.text).not.toContain(HOSTILE)
    expect(stranger.text).not.toContain('You are #')
    const session = await makeSession(user.id)
    const own = await get('/leaderboard', { session })
    const [, place] = /You are #([\d,]+) with 900 points/.exec(own.text) ?? []
    expect(Number(place)).toBeGreaterThan(0)
    const [, link = ''] = /href="(\/leaderboard[^"]*)#place-\d+"/.exec(own.text) ?? []
    expect((await get(link)).text).toContain(`/u/${user.username}`)
    expect((await get('/leaderboard', { session, headers: GERMAN })).text).toContain('Du bist auf Platz')
    const nobody = await makeSession((await makeUser()).id)
    expect((await get('/leaderboard', { session: nobody })).text).toContain('You are not on the board yet')
  })

  test('shows who moved, and the board of a group, by its address', async () => {
    const { badge, group } = await makeGroupWithBadge()
    const user = await makeUser()
    await give(badge, user.id)
    await give(await makeBadge({ points: 800 }), user.id)
    expect((await get('/leaderboard?period=week')).text).toContain('+800')
    const board = await get(`/leaderboard?group=${group.urlname}`, { headers: GERMAN })
    expect(board.text).toContain(`/u/${user.username}`)
    expect(board.text).toContain('Hier zählen nur Abzeichen dieser Gruppe')
    for (const [path, status] of [
      ['/leaderboard?period=year', 400],
      ['/leaderboard?offset=x', 400],
      ['/leaderboard?group=no-such-group-here', 404],
    ] as const)
      expect([path, (await get(path, { headers: { accept: 'text/html' } })).status]).toEqual([path, status])
  })
})

describe('a claim link', () => {
  test('leads a stranger to the sign-in and back, and takes nothing by being opened', async () => {
    const { badge, group } = await makeGroupWithBadge()
    const { code } = await makeLink(badge.id)
    const { status, text } = await get(`/claim/${code}`)
    expect(status).toBe(200)
    expect(text).toContain(`From ${group.name}`)
    expect(text).toContain(`href="/login?returnTo=%2Fclaim%2F${code}"`)
    expect(text).not.toContain('<form method="post" action="/claim')
    expect((await get(`/claim/${code}`, { headers: GERMAN })).text).toContain('Anmelden und annehmen')
  })

  test('gives its badge by one button, and says so once', async () => {
    const badge = await makeBadge()
    const { code } = await makeLink(badge.id, { maxUses: 1 })
    const user = await makeUser()
    const session = await makeSession(user.id)
    const csrf = tokenIn((await get(`/claim/${code}`, { session })).text)
    expect((await press(`/claim/${code}`, session, 'f'.repeat(64))).status).toBe(403)
    const claimed = await press(`/claim/${code}`, session, csrf)
    expect([claimed.status, claimed.headers.get('location')]).toEqual([303, `/claim/${code}?claimed`])
    expect(await db.select().from(badgeAwards).where(eq(badgeAwards.badgeId, badge.id))).toHaveLength(1)
    expect((await get(`/claim/${code}?claimed`, { session })).text).toContain('arriving')
    // Pressed again it is so already; a link that says so to somebody else is not believed.
    const again = await press(`/claim/${code}`, session, csrf)
    expect([again.status, again.headers.get('location')]).toEqual([303, `/claim/${code}`])
    expect((await get(`/claim/${code}`, { session })).text).toContain('You have this badge already')
    const late = await makeSession((await makeUser()).id)
    const page = await get(`/claim/${code}?claimed`, { session: late })
    expect([page.text.includes('This link is used up'), page.text.includes('arriving')]).toEqual([
      true,
      false,
    ])
  })

  test('that has expired or never was says so', async () => {
    const { code } = await makeLink((await makeBadge()).id, { expiresAt: inHours(-1) })
    expect((await get(`/claim/${code}`)).text).toContain('This link has expired')
    expect((await get(`/claim/${code}`, { headers: GERMAN })).text).toContain('Dieser Link ist abgelaufen')
    const unknown = await get('/claim/abcdefghjkmn', { headers: GERMAN })
    expect([unknown.status, unknown.text.includes('gibt es kein Abzeichen')]).toEqual([404, true])
  })
})
