import { describe, expect, test } from 'bun:test'
import { db } from '@/db/client'
import { follows } from '@/db/tables/people'
import { get, patch, post } from '../support/api'
import { makeAdmin, makeBadge, makeCaller, makeGroup, makeSession, makeUser } from '../support/make'
import { press } from './forms'

const german = { headers: { 'accept-language': 'de' } }
const read = async (path: string) => (await get(path)).text

describe('the directory', () => {
  test('finds people by name, and has an empty state', async () => {
    const person = await makeUser({ name: 'Wilhelmina Quist', bio: 'Paints <boats>.' })
    const text = await read('/people?search=wilhelmina')
    expect(text).toContain(`<a href="/u/${person.username}">Wilhelmina Quist</a>`)
    expect(text).toContain('Paints &lt;boats&gt;.')
    expect(await read('/people?search=nobody-is-called-this')).toContain('No people found')
    expect((await get('/people', german)).text).toContain('<h1>Leute</h1>')
    expect((await get('/people?sort=sideways')).status).toBe(400)
  })

  test('drops people who go private at once', async () => {
    const { token, user } = await makeCaller(['user'])
    const path = `/people?search=${user.username}`
    expect(await read(path)).toContain(user.name)
    await patch('/v1/profile', { token, json: { profileVisibility: 'private' } })
    expect(await read(path)).not.toContain(user.name)
    await patch('/v1/profile', { token, json: { profileVisibility: 'public' } })
    expect(await read(path)).toContain(user.name)
  })
})

describe('a profile', () => {
  test("shows a person's details, badges and groups", async () => {
    const { token, user } = await makeCaller(['user', 'write:favorites'], {
      bio: 'Line one\nhttps://boats.example',
      location: 'Harbour',
      themeColor: 'coral',
      socialLinks: ['https://boats.example/me', 'javascript:alert(1)'],
    })
    const group = await makeGroup()
    const badge = await makeBadge()
    const admin = await makeAdmin()
    await post(`/v1/favorites/${group.urlname}`, { token })
    const path = `/u/${user.username}`
    await read(path)
    const given = await post(`/v1/admin/badges/${badge.id}/award/${user.id}`, { token: admin.token })
    expect(given.status).toBeLessThan(300)
    const note = 'Points of the following badges count only on the leaderboard of their group.'
    expect(await read(path)).not.toContain(note)
    const ofGroup = await makeBadge({ groupId: group.id })
    await post(`/v1/manage/groups/${group.id}/badges/${ofGroup.id}/award/${user.id}`, { token: admin.token })
    expect(await read(path)).toContain(note)
    const { status, text } = await get(path)
    expect(status).toBe(200)
    expect(text).toContain('<html lang="en" class="coral">')
    expect(text).toContain(`href="/groups/${group.urlname}"`)
    expect(text).toContain(`href="/badges/${badge.slug}"`)
    expect(text).toContain(
      '<a href="https://boats.example/" rel="noopener nofollow ugc">https://boats.example</a>',
    )
    expect(text).not.toContain('javascript:')
    expect((await get(path, german)).text).toContain('Dabei seit')
    expect((await get(path.toUpperCase().replace('/U/', '/u/'))).status).toBe(200)
  })

  test('lets a person follow and stop, and counts it at once', async () => {
    const [person, follower] = [await makeUser(), await makeUser()]
    const session = await makeSession(follower.id)
    const path = `/u/${person.username}`
    await read(path)
    await read(`${path}/followers`)
    const followed = await press(path, session, { name: 'follow' })
    expect([followed.status, followed.headers.get('location')]).toEqual([303, path])
    expect(await read(path)).toContain('Followers</a></dt><dd>1</dd>')
    expect(await read(`${path}/followers`)).toContain(`@${follower.username}`)
    expect(await read(`/u/${follower.username}/following`)).toContain(`@${person.username}`)
    expect((await get(path, { session })).text).toContain('You follow them')
    await press(path, session, { name: 'unfollow' })
    expect(await read(path)).toContain('Followers</a></dt><dd>0</dd>')
    expect((await get(path, { session })).text).toContain('?do=follow"')
    expect(await read(`${path}/connections`)).toContain('Nobody yet')
  })

  test('of one’s own can be edited, and nothing of that is in the bytes for strangers', async () => {
    const person = await makeUser()
    const session = await makeSession(person.id)
    const path = `/u/${person.username}`
    const mine = (await get(path, { session })).text
    expect(mine).toContain('href="/settings/profile"')
    const text = await read(path)
    for (const own of ['csrf', '/settings/profile', 'Your account']) expect(text).not.toContain(own)
    expect((await press(path, session, { name: 'follow' })).status).toBe(403)
  })

  test('that is private or suspended is not there, but for its owner and administrators', async () => {
    const { token, user } = await makeCaller(['user'])
    const follower = await makeUser()
    await db.insert(follows).values({ followerId: user.id, followeeId: follower.id })
    const [path, session] = [`/u/${user.username}`, await makeSession(user.id)]
    expect(await read(`/u/${follower.username}/followers`)).toContain(`@${user.username}`)
    expect(await read(path)).toContain(user.name)
    await patch('/v1/profile', { token, json: { profileVisibility: 'private' } })
    const unknown = await get('/u/nobody-at-all', { headers: { accept: 'text/html' } })
    const gone = await get(path, { headers: { accept: 'text/html' } })
    expect([gone.status, gone.text]).toEqual([404, unknown.text])
    for (const circle of ['followers', 'following', 'connections'])
      expect((await get(`${path}/${circle}`)).status).toBe(404)
    expect(await read(`/u/${follower.username}/followers`)).not.toContain(`@${user.username}`)
    expect((await get(path, { session })).text).toContain('Your profile is private')
    const { user: admin, token: adminToken } = await makeAdmin()
    const asAdmin = { session: await makeSession(admin.id) }
    expect((await get(path, asAdmin)).text).toContain('the profile is private')
    await patch(`/v1/admin/users/${user.id}`, { token: adminToken, json: { suspended: true } })
    expect((await get(path, asAdmin)).text).toContain('the account is suspended')
    expect((await get(path)).status).toBe(404)
  })

  test('escapes user input', async () => {
    const hostile = `"><script>alert('1')</script>`
    const person = await makeUser({ name: hostile, bio: hostile, location: hostile })
    const text = await read(`/u/${person.username}`)
    expect(text).not.toContain('<script>alert')
    expect(await read(`/people?search=${person.username}`)).not.toContain('<script>alert')
    const facts = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    expect(JSON.parse(facts).mainEntity.name).toBe(hostile)
  })
})
