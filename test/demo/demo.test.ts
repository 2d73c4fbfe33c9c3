import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { AVATARS, EVENT_PHOTOS, GROUP_PICTURES } from '@/demo/pictures/seed'
import type { Demo } from '@/demo/tokens'
import { get, type Json } from '../support/api'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'

const PICTURES = AVATARS.length + 2 * GROUP_PICTURES.length + EVENT_PHOTOS.length

describe('the demo community', () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-demo-'))
  const file = join(folder, 'demo.json')
  let environment: Record<string, string>
  let server: ServerProcess
  let demo: Demo
  let sql: postgres.Sql
  let firstPage: string

  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    environment = { FOLKMOOT_MODE: 'demo', DATABASE_URL: databaseUrl, DATA_DIR: folder }
    server = await startServer(environment)
    firstPage = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()
    await until('it has introduced itself', () => existsSync(file) && server.output().includes('Try it:'))
    demo = JSON.parse(readFileSync(file, 'utf8'))
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const ask = (path: string, token = demo.people[0]?.token) => get(path, { base: server.url, token })

  test('has users with valid tokens, one administrator and some organizers', async () => {
    expect(demo.people.length).toBeGreaterThan(50)
    for (const { username, token } of demo.people)
      expect((await ask('/v1/me', token)).body.data.username).toBe(username)
    const administrator = demo.people.find(({ role }) => role === 'admin')
    expect((await ask('/v1/admin/users', administrator?.token)).status).toBe(200)
    expect(demo.people.filter(({ manages }) => manages.length > 0).length).toBeGreaterThan(2)
  })

  test('has events in each state, a waitlist, leaderboards, badges and favorites', async () => {
    const states = await sql`select status, count(*)::int from events group by status order by status`
    expect(states.map(({ status }) => status)).toEqual(['cancelled', 'draft', 'published'])
    const [line] = await sql`select count(*)::int as waiting from rsvps where status = 'waitlisted'`
    expect(line?.waiting).toBeGreaterThan(0)
    for (const path of ['/v1/events', '/v1/events?status=past', '/v1/groups', '/v1/badges', '/v1/users'])
      expect([path, (await ask(path)).body.data.length > 0]).toEqual([path, true])
    expect((await ask('/v1/leaderboard')).body.data.entries.length).toBeGreaterThan(5)
    for (const { urlname } of demo.groups)
      expect([urlname, (await ask(`/v1/groups/${urlname}`)).status]).toEqual([urlname, 200])
  })

  test('has a QR pass for everyone, claimed and blank tags, and connections', async () => {
    const printed = /Pass +(\S+)/.exec(server.output())?.[1] as string
    const card = await fetch(printed, { headers: { accept: 'text/html' } })
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await fetch(`${printed}/qr.png`)).status).toBe(200)
    const count = (which: (pass: Demo['passes'][number]) => boolean) => demo.passes.filter(which).length
    expect(count(({ type }) => type === 'qrcode')).toBe(demo.people.length)
    expect(count(({ type, username }) => type === 'nfc' && username !== null)).toBeGreaterThan(1)
    expect(count(({ username }) => username === null)).toBeGreaterThan(1)
    const { data } = (await ask('/v1/meetpass')).body
    expect(data.totalConnections).toBeGreaterThan(1)
    expect(data.passes.some(({ design }: Json) => design?.name === 'Night sky')).toBe(true)
  })

  test('has correct counts', async () => {
    const wrong = await sql`
      select 'event' as what, id::text from events e where confirmed_count <>
        (select count(*) from rsvps where event_id = e.id and status = 'confirmed')
      union all
      select 'group', id::text from groups g where favorites_count <> (select count(*) from favorites where group_id = g.id)
      union all
      select 'followers', id::text from users u where follower_count <> 
        (select count(*) from follows join users f on f.id = follower_id where followee_id = u.id and f.is_public)
      union all
      select 'code', id::text from checkin_codes c where current_uses <> (select count(*) from checkins where code_id = c.id)`
    expect([...wrong]).toEqual([])
  })

  test('shows its pictures on the first page served', async () => {
    const addresses = [...firstPage.matchAll(/<img [^>]*?src="([^"]+)"(?:[^>]*?srcset="([^"]+)")?/g)].flatMap(
      ([, src = '', srcset = '']) => [src, ...srcset.split(', ').map((one) => one.split(' ')[0] as string)],
    )
    const pictures = addresses.filter((address) => address.includes('/v1/uploads/file/'))
    expect(pictures.length).toBeGreaterThan(5)
    for (const address of addresses.filter(Boolean)) await expectPicture(address.replaceAll('&amp;', '&'))
  })

  async function expectPicture(address: string) {
    const { pathname, search } = new URL(address, server.url)
    const answer = await fetch(server.url + pathname + search)
    await answer.arrayBuffer()
    expect([address, answer.status]).toEqual([address, 200])
    expect(answer.headers.get('content-type')).toMatch(/^image\/(png|jpeg|webp|avif|svg\+xml)/)
  }

  test('has pictures in every size', async () => {
    const shown = new Set<string>()
    for (const path of [
      '/v1/users?limit=100',
      '/v1/groups',
      '/v1/events',
      '/v1/events?status=past',
      '/v1/leaderboard',
    ])
      for (const [address] of (await ask(path)).text.matchAll(/http[^"]*\/v1\/uploads\/file\/[^"]*/g))
        shown.add(address)
    for (const { urlname } of demo.groups)
      shown.add((await ask(`/v1/groups/${urlname}`)).body.data.heroImageUrl as string)
    expect(shown.size).toBeGreaterThan(35)
    for (const address of shown)
      for (const size of ['', '?w=64', '?w=320']) await expectPicture(address + size)
  })

  test('stays unchanged at the next start, with the same tokens', async () => {
    const count = async () => (await sql`select count(*)::int from users`)[0]?.count
    const [before, tokens] = [await count(), demo.people.map(({ token }) => token)]
    await sql`update users set bio = 'mine' where username = ${demo.people[0]?.username as string}`
    await server.stop()
    const known = readFileSync(file, 'utf8')
    server = await startServer(environment)
    await until('it has introduced itself', () => server.output().includes('Try it:'))
    demo = JSON.parse(readFileSync(file, 'utf8'))
    expect(await count()).toBe(before)
    expect(demo.people.map(({ token }) => token)).toEqual(tokens)
    // It listens at another port now.
    const avatar = async () => (await ask('/v1/profile')).body.data.avatarUrl as string
    await until('its pictures are where it is', async () => (await avatar()).startsWith(`${demo.baseUrl}/`))
    expect((await fetch(server.url + new URL(await avatar()).pathname)).status).toBe(200)
    expect((await sql`select count(*)::int from uploads`)[0]?.count).toBe(PICTURES)
    expect(JSON.parse(known).people.length).toBe(demo.people.length)
    expect(((await ask('/v1/profile')).body as Json).data.bio).toBe('mine')
  })
})
