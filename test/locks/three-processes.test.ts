import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { checkedSecret, randomHex, readableCode } from '@/core/codes'
import { ownDatabase, until } from '../support/processes'
import { giveToken, type Seeded, seedEvent, seedPeople } from '../support/seed'
import { seedPasses, TAPPED_AT_WILL, tap } from '../support/taps'
import { askAgain, countStatuses, startThree, type Three } from '../support/three'

// One race per lock, small enough for every run. test/races has the long ones, with the controls that show the race
// without its guard.
describe('over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let databaseUrl: string
  let people: Seeded[]
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 4, onnotice: () => {} })
    const scopes = ['user', 'write:events', 'manage:groups', 'write:favorites', 'write:meetpass']
    people = await seedPeople(databaseUrl, 24, scopes)
    three = await startThree(databaseUrl, { ...TAPPED_AT_WILL, FOLKMOOT_MODE: 'test' })
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const urlOf = (turn: number) => three.servers[turn % 3]?.url as string
  const everyone = (request: (person: Seeded, turn: number) => Promise<number>) =>
    Promise.all(people.map(request)).then(countStatuses)
  const number = async (query: Promise<postgres.Row[]>) => Number(Object.values((await query)[0] ?? {})[0])

  test('24 people and 7 seats: seven sit, each other has a place in line', async () => {
    const { eventId } = await seedEvent(databaseUrl, { maxAttendees: 7 })
    const path = `/v1/events/${eventId}/rsvp`
    expect(await everyone(({ token }, i) => askAgain(three, i, 'POST', path, token))).toEqual({ 201: 24 })
    expect(await number(sql`select confirmed_count from events where id = ${eventId}`)).toBe(7)
    expect(
      await sql`select status, count(*)::int, count(distinct waitlist_number)::int as places
        from rsvps where event_id = ${eventId} group by status order by status`,
    ).toMatchObject([
      { status: 'confirmed', count: 7 },
      { status: 'waitlisted', count: 17, places: 17 },
    ])
  })

  test('24 people at a claim link and a check-in code with 5 uses: five of each', async () => {
    const { groupId, eventId } = await seedEvent(databaseUrl)
    const [badgeId, linkId, claimCode, doorCode] = [
      Bun.randomUUIDv7(),
      Bun.randomUUIDv7(),
      readableCode(12).toLowerCase(),
      readableCode(8),
    ]
    await sql`insert into badges (id, group_id, slug, name, icon, color, points)
      values (${badgeId}, ${groupId}, ${badgeId}, 'Raced', '🏁', '#123456', 5)`
    await sql`insert into claim_links (id, badge_id, code, max_uses) values (${linkId}, ${badgeId}, ${claimCode}, 5)`
    await sql`insert into checkin_codes (id, event_id, code, max_uses)
      values (${Bun.randomUUIDv7()}, ${eventId}, ${doorCode}, 5)`
    for (const path of [`/v1/claim/${claimCode}`, `/v1/checkin/${doorCode}`])
      expect(await everyone(({ token }, i) => askAgain(three, i, 'POST', path, token))).toEqual({
        201: 5,
        410: 19,
      })
    expect(await number(sql`select count(*) from badge_awards where badge_id = ${badgeId}`)).toBe(5)
    expect(await number(sql`select count(*) from checkins where event_id = ${eventId}`)).toBe(5)
  })

  test('owners who all leave at once leave one behind', async () => {
    const groupId = Bun.randomUUIDv7()
    const owners = people.slice(0, 6)
    await sql`insert into groups (id, urlname, name) values (${groupId}, ${groupId}, 'Contested')`
    await sql`insert into group_members ${sql(
      owners.map(({ id }) => ({
        id: Bun.randomUUIDv7(),
        group_id: groupId,
        user_id: id,
        role: 'owner',
      })),
    )}`
    const leave = ({ token }: Seeded, i: number) =>
      askAgain(three, i, 'POST', `/v1/manage/groups/${groupId}/leave`, token)
    expect(countStatuses(await Promise.all(owners.map(leave)))).toEqual({ 200: 5, 409: 1 })
    expect(await number(sql`select count(*) from group_members where group_id = ${groupId}`)).toBe(1)
  })

  test('counts of followers and favorites equal the rows', async () => {
    const { urlname } = await seedEvent(databaseUrl)
    const target = people[0] as Seeded
    await everyone(async ({ token }, i) => {
      for (const method of ['POST', 'DELETE', 'POST'])
        for (const path of [`/v1/users/${target.username}/follow`, `/v1/favorites/${urlname}`])
          await askAgain(three, i, method, path, token)
      return 200
    })
    expect(await number(sql`select follower_count from users where id = ${target.id}`)).toBe(23)
    const [group] =
      await sql`select member_count, (select count(*)::int from favorites f where f.group_id = g.id) as rows
      from groups g where urlname = ${urlname}`
    expect([group?.member_count, group?.rows]).toEqual([24, 24])
  })

  test('two who tap each other at the same moment are connected once', async () => {
    const [one, other] = (await seedPasses(sql, people.slice(0, 2))) as [Tapper, Tapper]
    type Tapper = Seeded & { pass: string }
    const taps = await Promise.all(
      [0, 1, 2].flatMap((turn) => [
        tap(urlOf(turn), one.pass, { token: other.token }),
        tap(urlOf(turn + 1), other.pass, { token: one.token }),
      ]),
    )
    expect(taps.every(({ connected }) => connected)).toBe(true)
    const pair = [one.id, other.id]
    expect(
      await number(
        sql`select count(*) from connections where owner_id = any(${pair}) and visitor_id = any(${pair})`,
      ),
    ).toBe(1)
  })

  test('one authorization code gives tokens once, and one refresh token one successor', async () => {
    const [clientId, grantId, familyId] = [`fm_app_${randomHex(16)}`, Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const [code, verifier, callback] = [checkedSecret('fm_ac_'), randomHex(32), 'https://app.example/cb']
    const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
    const userId = (people[0] as Seeded).id
    await sql`insert into oauth_clients (client_id, owner_id, name, redirect_uris, auth_method)
      values (${clientId}, ${userId}, 'Racer', ${[callback]}, 'none')`
    await sql`insert into oauth_grants (id, user_id, client_id, scopes) values (${grantId}, ${userId}, ${clientId}, ${['read:user']})`
    await sql`insert into oauth_families (id, grant_id, scopes) values (${familyId}, ${grantId}, ${['read:user']})`
    await sql`insert into oauth_codes (hash, family_id, redirect_uri, challenge, expires_at)
      values (${Buffer.from(hashSecret(code))}, ${familyId}, ${callback}, ${challenge}, now() + interval '60 seconds')`
    const ask = async (turn: number, fields: Record<string, string>) => {
      const answer = await fetch(`${urlOf(turn)}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, ...fields }),
      })
      const body = (await answer.json()) as { refresh_token?: string }
      return { status: answer.status, token: body.refresh_token }
    }
    const twentyTimes = (fields: Record<string, string>) =>
      Promise.all(Array.from({ length: 20 }, (_, turn) => ask(turn, fields)))
    const use = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    const exchanges = await twentyTimes(use)
    expect(countStatuses(exchanges.map(({ status }) => status))).toEqual({ 200: 1, 400: 19 })
    const token = exchanges.find(({ status }) => status === 200)?.token as string
    const refreshes = await twentyTimes({ grant_type: 'refresh_token', refresh_token: token })
    expect(countStatuses(refreshes.map(({ status }) => status))).toEqual({ 200: 20 })
    expect(new Set(refreshes.map((refresh) => refresh.token)).size).toBe(1)
  })

  test('a revoked token is refused by every process', async () => {
    const { id, token } = people[5] as Seeded
    const revoked = await giveToken(databaseUrl, id)
    const everywhere = () => Promise.all([0, 1, 2].map((turn) => three.ask(turn, 'GET', '/v1/me', revoked)))
    expect(await everywhere()).toEqual([200, 200, 200])
    const tokenId = (
      await sql`select id from personal_tokens where hash = ${Buffer.from(hashSecret(revoked))}`
    )[0]?.id
    expect(await askAgain(three, 0, 'DELETE', `/v1/profile/tokens/${tokenId}`, token)).toBe(204)
    expect(await three.ask(0, 'GET', '/v1/me', revoked)).toBe(401)
    await until('every process knows', async () => (await everywhere()).every((status) => status === 401))
  })
})
