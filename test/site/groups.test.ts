import { describe, expect, test } from 'bun:test'
import { del, get, patch, post } from '../support/api'
import {
  makeAdmin,
  makeBadge,
  makeCaller,
  makeEvent,
  makeGroup,
  makeMember,
  makeSession,
  makeStaffedGroup,
  makeUser,
} from '../support/make'
import { inHours } from '../support/time'
import { press } from './forms'

const german = { headers: { 'accept-language': 'de' } }
const read = async (path: string) => (await get(path)).text

describe('the list of groups', () => {
  test('is found by name, topic and order, and each choice is an address', async () => {
    const group = await makeGroup({ tags: ['kites-of-paper'], description: 'We fly.' })
    const { status, text } = await get('/groups?tag=kites-of-paper')
    expect(status).toBe(200)
    expect(text).toContain(`<a href="/groups/${group.urlname}">${group.name}</a>`)
    expect(text).toContain('href="/groups?tag=kites-of-paper" aria-current="true"')
    expect(await read(`/groups?search=${group.name.slice(0, 12)}&sort=name`)).toContain(group.name)
    const none = await read('/groups?search=nobody-is-called-this')
    expect(none).toContain('No groups found')
    expect(none).toContain('<meta name="robots" content="noindex">')
    expect((await get('/groups', german)).text).toContain('<h1>Gruppen</h1>')
    expect((await get('/groups?sort=sideways')).status).toBe(400)
    expect((await get('/groups?cursor=forged')).status).toBe(400)
  })

  test('is kept, and shows a new group and a new name at once', async () => {
    const { token, user } = await makeCaller(['manage:groups'])
    await get('/groups?sort=created')
    const made = await post('/v1/manage/groups', {
      token,
      json: { name: `Kite ${user.id.slice(-6)}`, urlname: `kite-${user.id.slice(-6)}` },
    })
    expect(await read('/groups?sort=created')).toContain(`Kite ${user.id.slice(-6)}`)
    await patch(`/v1/manage/groups/${made.body.data.id}`, { token, json: { name: 'Kites <b>renamed</b>' } })
    expect(await read('/groups?sort=created')).toContain('Kites &lt;b&gt;renamed&lt;/b&gt;')
  })
})

describe('the page of a group', () => {
  test('answers what, when, who and how to join, with its feeds', async () => {
    const owner = await makeUser()
    const group = await makeGroup(
      {
        description: 'We meet.\n\nSee https://kites.example/now.',
        themeColor: 'violet',
        website: 'https://kites.example/',
        socialLinks: { Elsewhere: 'javascript:alert(1)' },
      },
      owner.id,
    )
    const event = await makeEvent(group.id, { startTime: inHours(30) })
    const over = await makeEvent(group.id, { startTime: inHours(-90) })
    const badge = await makeBadge({ groupId: group.id })
    const { status, text, headers } = await get(`/groups/${group.urlname}`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
    expect(text).toContain('<html lang="en" class="violet">')
    expect(text).toContain(`<a href="/events/${event.id}">`)
    expect(text).toContain(`<a href="/events/${over.id}">`)
    expect(text).toContain(`<a href="/badges/${badge.slug}">`)
    expect(text).toContain(
      '<a href="https://kites.example/now" rel="noopener nofollow ugc">https://kites.example/now</a>',
    )
    expect(text).not.toContain('javascript:')
    expect(text).toMatch(
      new RegExp(`rel="alternate" type="application/rss[+]xml"[^>]+/feeds/groups/${group.urlname}.rss"`),
    )
    expect(text).toMatch(new RegExp(`href="webcal://[^"]+/feeds/groups/${group.urlname}.ics"`))
    expect(text.indexOf('Join this group')).toBeGreaterThan(text.indexOf('We meet.'))
    expect(text.indexOf('Join this group')).toBeLessThan(text.indexOf(event.id))
    expect(text).not.toContain('Is this your group?')
    expect((await get(`/groups/${group.urlname}`, german)).text).toContain('Dieser Gruppe beitreten')
  })

  test('lets a person join and leave, and counts them at once', async () => {
    const [group, person] = [await makeGroup({}, (await makeUser()).id), await makeUser()]
    const session = await makeSession(person.id)
    const path = `/groups/${group.urlname}`
    expect(await read(path)).toContain('Nobody has joined yet')
    const joined = await press(path, session, { name: 'join', groupSlug: group.urlname })
    expect([joined.status, joined.headers.get('location')]).toEqual([303, path])
    expect(await read(path)).toContain(`href="/u/${person.username}"`)
    expect(await read(`${path}/members`)).toContain(`@${person.username}`)
    const mine = (await get(path, { session })).text
    expect(mine).toContain('You are a member')
    await press(path, session, { name: 'leave', groupSlug: group.urlname })
    expect(await read(path)).not.toContain(`href="/u/${person.username}"`)
    expect((await get(path, { session })).text).toContain('Join this group')
  })

  test('tells the owner of a new group that it is theirs, and asks strangers to join', async () => {
    const owner = await makeUser()
    const group = await makeGroup({}, owner.id)
    const path = `/groups/${group.urlname}`
    const mine = (await get(path, { session: await makeSession(owner.id) })).text
    expect(mine.indexOf('You own this group.')).toBeLessThan(mine.indexOf('Join as a member too'))
    expect(mine).toContain('No members yet')
    for (const text of ['Join this group', '0 members']) expect(mine).not.toContain(text)
    expect(await read(path)).toContain('Join this group')
  })

  test('never holds anything of one person in the bytes for strangers', async () => {
    const { group, manager } = await makeStaffedGroup(['manage:groups'])
    const session = await makeSession(manager.user.id)
    const path = `/groups/${group.urlname}`
    const mine = await get(path, { session })
    expect(mine.headers.get('cache-control')).toBe('no-store')
    expect(mine.text).toContain(`href="/manage/groups/${group.id}"`)
    const text = await read(path)
    for (const own of ['csrf', '/manage/groups/', 'You manage', manager.user.name])
      expect(text).not.toContain(own)
    const known = await get(path, {
      headers: { 'if-none-match': (await get(path)).headers.get('etag') ?? '' },
    })
    expect(known.status).toBe(304)
  })

  test('drops members who go private at once, and shows a new name', async () => {
    const { token, user } = await makeCaller(['user', 'write:favorites'])
    const group = await makeGroup()
    const path = `/groups/${group.urlname}`
    await post(`/v1/favorites/${group.urlname}`, { token })
    expect(await read(path)).toContain(user.name)
    await patch('/v1/profile', { token, json: { name: 'Another <i>Name</i>' } })
    expect(await read(path)).toContain('Another &lt;i&gt;Name&lt;/i&gt;')
    await patch('/v1/profile', { token, json: { profileVisibility: 'private' } })
    expect(await read(path)).not.toContain('Another')
    expect(await read(`${path}/members`)).not.toContain('Another')
    await del(`/v1/favorites/${group.urlname}`, { token })
  })

  test('of an unlisted group is visible to its staff only, with a notice', async () => {
    const { group, volunteer } = await makeStaffedGroup(['manage:groups'], { isListed: false })
    const event = await makeEvent(group.id)
    const path = `/groups/${group.urlname}`
    const stranger = await get(path, { headers: { accept: 'text/html' } })
    expect([stranger.status, stranger.text.includes(group.name)]).toEqual([404, false])
    expect((await get(path, { session: await makeSession((await makeUser()).id) })).status).toBe(404)
    const staff = await get(path, { session: await makeSession(volunteer.user.id) })
    expect([staff.status, staff.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(staff.text).toContain('This group is not listed')
    expect(staff.text).toContain(`/events/${event.id}`)
    expect((await get(path)).status).toBe(404)
  })

  test('is dropped when a group is unlisted, and shows a new event', async () => {
    const { group, owner } = await makeStaffedGroup(['manage:groups', 'manage:events'])
    const path = `/groups/${group.urlname}`
    expect(await read(path)).toContain('Nothing is planned yet')
    const made = await post(`/v1/manage/groups/${group.id}/events`, {
      token: owner.token,
      json: {
        title: 'A first evening',
        startTime: inHours(48).toISOString(),
        timezone: 'Europe/Berlin',
        status: 'published',
      },
    })
    expect([made.status, (await read(path)).includes('A first evening')]).toEqual([201, true])
    const admin = await makeAdmin()
    await patch(`/v1/admin/groups/${group.id}`, { token: admin.token, json: { isListed: false } })
    expect((await get(path)).status).toBe(404)
  })

  test('escapes user input', async () => {
    const hostile = `"><script>alert('1')</script>`
    const group = await makeGroup({ name: hostile, description: hostile, tags: [hostile] })
    await makeEvent(group.id, { title: hostile })
    await makeBadge({ groupId: group.id, name: hostile, icon: '<b>' })
    const text = await read(`/groups/${group.urlname}`)
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('<b>')
    const facts = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    expect(JSON.parse(facts)).toMatchObject({ '@type': 'Organization', name: hostile })
  })
})

describe('a group without an owner', () => {
  test('can be requested once by signed-in people', async () => {
    const [group, person] = [await makeGroup(), await makeUser()]
    const path = `/groups/${group.urlname}`
    const session = await makeSession(person.id)
    expect(await read(path)).toContain('Is this your group?')
    const asked = await press(path, session, { name: 'claim', notes: 'I began it.' })
    expect([asked.status, asked.headers.get('location')]).toEqual([303, path])
    expect((await get(path, { session })).text).toContain('You have asked for this group')
    const admin = await makeAdmin()
    const { body } = await get('/v1/admin/group-claims?limit=100', { token: admin.token })
    const claim = body.data.find((one: { group: { id: string } }) => one.group.id === group.id)
    expect(claim.notes).toBe('I began it.')
    await post(`/v1/admin/group-claims/${claim.id}/approve`, { token: admin.token })
    expect((await get(path, { session })).text).toContain('You own this group')
    expect(await read(path)).not.toContain('Is this your group?')
  })

  test('is given by an invitation, with one button, once', async () => {
    const [group, person, admin] = [await makeGroup(), await makeUser(), await makeAdmin()]
    const made = await post(`/v1/admin/groups/${group.id}/claim-invites`, {
      token: admin.token,
      json: { autoApprove: true },
    })
    expect(made.status).toBe(201)
    const path = new URL(made.body.data.url).pathname
    const session = await makeSession(person.id)
    const stranger = await get(path)
    expect(stranger.text).toContain(group.name)
    expect(stranger.text).toContain(`/login?returnTo=${encodeURIComponent(path)}`)
    expect(stranger.headers.get('cache-control')).toBe('no-store')
    expect((await get(path, german)).text).toContain('Anmelden und übernehmen')
    const taken = await press(path, session)
    expect([taken.status, taken.headers.get('location')]).toEqual([303, `/groups/${group.urlname}`])
    expect((await get(`/groups/${group.urlname}`, { session })).text).toContain('You own this group')
    expect(await read(path)).toContain('This invitation no longer works')
    const late = await press(path, await makeSession((await makeUser()).id))
    expect(late.status).toBe(403)
    expect((await get('/groups/claim/unknown-token', { headers: { accept: 'text/html' } })).status).toBe(404)
  })
})

test('a form of a group is refused without its token, and leads strangers to the sign-in', async () => {
  const group = await makeGroup()
  await makeMember(group.id, (await makeUser()).id, 'owner')
  const path = `/groups/${group.urlname}?do=join`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `groupSlug=${group.urlname}`
  const session = await makeSession((await makeUser()).id)
  expect((await post(path, { session, body, headers: form })).status).toBe(403)
  const stranger = await post(path, { body, headers: form })
  expect([stranger.status, stranger.headers.get('location')?.startsWith('/login')]).toEqual([303, true])
  expect((await post(`/groups/${group.urlname}?do=nothing`, { session, body, headers: form })).status).toBe(
    400,
  )
})
