import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { give, makeLink } from '../modules/recognition/claims/fixtures'
import { get, patch, post } from '../support/api'
import {
  makeBadge,
  makeCaller,
  makeEvent,
  makeGroup,
  makeSession,
  makeStaffedGroup,
  makeUser,
} from '../support/make'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { inHours } from '../support/time'

const german = { headers: { 'accept-language': 'de' } }
const read = async () => (await get('/')).text

/** It has been going on for so long that it comes before all others. */
const longAgo = (days: number) => ({ startTime: inHours(-24 * days), endTime: inHours(24) })

describe('the front page for strangers', () => {
  test('says what is on, which groups there are and how to join', async () => {
    const group = await makeGroup({ favoritesCount: 900_001 }, (await makeUser()).id)
    const event = await makeEvent(group.id, longAgo(9000))
    // A kept page would not hear of what a test writes by itself.
    const { owner } = await makeStaffedGroup(['manage:groups'])
    await post('/v1/manage/groups', {
      token: owner.token,
      json: { name: 'Any', urlname: `any-${group.urlname}` },
    })
    const { status, text, headers } = await get('/')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
    expect(text).toContain('<h1 dir="auto">Folkmoot</h1>')
    expect(text).toContain(`<a href="/events/${event.id}">`)
    expect(text).toContain(`<a href="/groups/${group.urlname}">`)
    expect(text).toMatch(/href="webcal:\/\/[^"]+\/feeds\/events.ics"/)
    expect(text).toContain('How to join')
    const facts = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    expect(JSON.parse(facts)).toMatchObject({ '@type': 'WebSite', publisher: { '@type': 'Organization' } })
    expect((await get('/', german)).text).toContain('So machst du mit')
  })

  test('shows a new event, its new name and that it is gone, at once', async () => {
    const { group, owner } = await makeStaffedGroup(['manage:groups', 'manage:events'])
    const event = await makeEvent(group.id, { ...longAgo(9500), title: 'Before' })
    const path = `/v1/manage/groups/${group.id}/events/${event.id}`
    await patch(path, { token: owner.token, json: { title: '<b>After</b>' } })
    expect(await read()).toContain('&lt;b&gt;After&lt;/b&gt;')
    expect(await read()).not.toContain('<b>After')
    await post(`${path}/cancel`, { token: owner.token, json: { reason: 'Rain' } })
    expect(await read()).not.toContain('After')
  })

  test('drops people who go private at once', async () => {
    const { token, user } = await makeCaller(['user'], { badgeCount: 900_000 })
    await patch('/v1/profile', { token, json: { profileVisibility: 'private' } })
    await patch('/v1/profile', { token, json: { profileVisibility: 'public' } })
    // Somebody new makes the page anew.
    const { owner } = await makeStaffedGroup(['manage:groups'])
    await post('/v1/manage/groups', {
      token: owner.token,
      json: { name: 'Any', urlname: `some-${user.username}` },
    })
    expect(await read()).toContain(`href="/u/${user.username}"`)
    await patch('/v1/profile', { token, json: { profileVisibility: 'private' } })
    expect(await read()).not.toContain(`href="/u/${user.username}"`)
  })
})

describe('the home page of a member', () => {
  test('says what is next, the place in line, what is new and where one stands', async () => {
    const { token, user } = await makeCaller(['user', 'write:favorites'])
    const group = await makeGroup({}, (await makeUser()).id)
    const seat = await makeEvent(group.id, { title: 'With a seat', startTime: inHours(5) })
    const full = await makeEvent(group.id, { title: 'Full house', startTime: inHours(3), maxAttendees: 1 })
    await post(`/v1/events/${full.id}/rsvp`, { session: await makeSession((await makeUser()).id) })
    const fresh = await makeEvent(group.id, { title: 'Brand new', startTime: inHours(50) })
    const session = await makeSession(user.id)
    await post(`/v1/favorites/${group.urlname}`, { token })
    await post(`/v1/events/${seat.id}/rsvp`, { session })
    await post(`/v1/events/${full.id}/rsvp`, { session })
    const { text, headers } = await get('/', { session })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toContain(`Hello, ${user.name}`)
    expect(text.indexOf('Full house')).toBeLessThan(text.indexOf('With a seat'))
    expect(text).toContain('Number 1 in line')
    expect(text).toContain('You are going')
    expect(text.slice(text.indexOf('New in your groups'))).toContain(`/events/${fresh.id}`)
    expect(text).toContain('First steps: 2 of 6')
    expect(text).toContain('You are not on the board yet')
    expect(text).not.toContain('How to join')
    const strangers = await read()
    for (const own of ['Hello,', 'in line', 'You are going', 'First steps', user.name])
      expect(strangers).not.toContain(own)
    const words = (await get('/', { session, headers: { 'accept-language': 'de' } })).text
    expect(words).toContain('Platz 1 der Warteliste')
  })

  test('does not suggest joined groups, and marks cancelled events', async () => {
    const { token, user } = await makeCaller(['user', 'write:favorites'])
    const session = await makeSession(user.id)
    const { group, owner } = await makeStaffedGroup(['manage:groups', 'manage:events'])
    const other = await makeGroup({ favoritesCount: 950_000 }, owner.user.id)
    const named = await patch(`/v1/manage/groups/${group.id}`, {
      token: owner.token,
      json: { name: 'Kites' },
    })
    expect(named.status).toBe(200)
    const toJoin = async () => {
      const { text } = await get('/', { session })
      return text.slice(text.indexOf('Groups to join'))
    }
    expect(await toJoin()).toContain(`/groups/${other.urlname}"`)
    await post(`/v1/favorites/${other.urlname}`, { token })
    expect(await toJoin()).not.toContain(`/groups/${other.urlname}"`)
    const event = await makeEvent(group.id, { title: 'Off', startTime: inHours(5) })
    await post(`/v1/events/${event.id}/rsvp`, { session })
    await post(`/v1/manage/groups/${group.id}/events/${event.id}/cancel`, { token: owner.token, json: {} })
    const { text } = await get('/', { session })
    expect(text).toContain('Your next events')
    expect(text).not.toContain('You are going')
  })

  test('leads nowhere in vain, and draws badges as every other page does', async () => {
    const user = await makeUser()
    const badge = await makeBadge({ icon: '🏅' })
    await give(badge, user.id)
    const session = await makeSession(user.id)
    const { text } = await get('/', { session })
    const pages = [`/u/${user.username}`, `/badges/${badge.slug}`]
    for (const page of [text, ...(await Promise.all(pages.map(async (path) => (await get(path)).text)))])
      expect(page).toMatch(/class="medal \w+".*?<img src="\/assets\/emoji\//s)
    const own = text.slice(text.indexOf('<main'), text.indexOf(badge.slug))
    const links = [...own.matchAll(/href="(\/[^"#]*)/g)].map(([, path]) => path as string)
    expect(links).toContain('/settings')
    for (const path of links) expect([path, (await get(path, { session })).status]).toEqual([path, 200])
  })

  test('knows them by name on every page, also when something about them has just changed', async () => {
    const user = await makeUser()
    const session = await makeSession(user.id)
    const corner = async () => {
      const { text } = await get('/leaderboard', { session })
      return [
        text.includes(`<p class="who" dir="auto">${user.name}</p>`),
        text.includes(`/u/${user.username}`),
      ]
    }
    expect(await corner()).toEqual([true, true])
    const { code } = await makeLink((await makeBadge()).id)
    await post(`/v1/claim/${code}`, { session })
    expect(await corner()).toEqual([true, true])
  })
})

describe('an empty community', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ FOLKMOOT_MODE: 'test', DATABASE_URL: await ownDatabase() })
  })
  afterAll(() => server.stop())

  test('says the one next step on every list', async () => {
    const at = async (path: string) => (await get(path, { base: server.url })).text
    const home = await at('/')
    expect(home).toContain('Nothing is planned yet')
    expect(home).toContain('<a class="button" href="/manage">Plan the first event</a>')
    expect(await at('/groups')).toContain('No groups yet')
    expect(await at('/people')).toContain('Nobody is here yet')
    expect(await at('/about')).toContain('<dt>People</dt><dd>0</dd>')
  })

  test('invites no one while no way to sign in is configured', async () => {
    const bare = await startServer({ DATABASE_URL: await ownDatabase(), SMTP_URL: '' })
    try {
      const { text } = await get('/', { base: bare.url })
      expect(text).toContain('Joining is not possible yet')
      for (const invitation of ['Join us', 'How to join', 'Plan the first event'])
        expect(text).not.toContain(invitation)
    } finally {
      await bare.stop()
    }
  })
})
