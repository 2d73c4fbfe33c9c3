import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { checkedSecret, randomHex } from '@/core/codes'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { countStatuses, startThree, type Three } from '../support/three'

const CALLBACK = 'https://app.example/cb'
const hash = (secret: string) => Buffer.from(hashSecret(secret))

describe('codes and tokens over three processes', () => {
  let databaseUrl: string
  let three: Three
  let sql: postgres.Sql
  let person: Seeded
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 20, onnotice: () => {} })
    person = (await seedPeople(databaseUrl, 1))[0] as Seeded
    three = await startThree(databaseUrl, { TRUSTED_PROXIES: '127.0.0.0/8' })
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const urlOf = (turn: number) => three.servers[turn % three.servers.length]?.url as string

  /** A public client of its own, with a developer, allowed by that person, and a code of it: each client has turns of its own. */
  async function seedCode(db = sql, userId = person.id) {
    const [clientId, grantId, familyId] = [`fm_app_${randomHex(16)}`, Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const [code, verifier] = [checkedSecret('fm_ac_'), randomHex(32)]
    const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
    const developerId = Bun.randomUUIDv7()
    await db`insert into users (id, name) values (${developerId}, 'Developer')`
    await db`insert into oauth_clients (client_id, owner_id, name, redirect_uris, auth_method)
      values (${clientId}, ${developerId}, 'Racer', ${[CALLBACK]}, 'none')`
    await db`insert into oauth_grants (id, user_id, client_id, scopes)
      values (${grantId}, ${userId}, ${clientId}, ${['read:user', 'user']})`
    await db`insert into oauth_families (id, grant_id, scopes) values (${familyId}, ${grantId}, ${['read:user', 'user']})`
    await db`insert into oauth_codes (hash, family_id, redirect_uri, challenge, expires_at)
      values (${hash(code)}, ${familyId}, ${CALLBACK}, ${challenge}, now() + interval '60 seconds')`
    const use = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier }
    return { clientId, developerId, grantId, familyId, use }
  }

  let strangers = 0

  /** Real limits stay on, so every call comes from an address of its own. */
  const address = () => {
    strangers += 1
    return { 'x-forwarded-for': `10.1.${(strangers >> 8) & 255}.${strangers & 255}` }
  }

  type Tokens = { access_token: string; refresh_token: string; error?: string }

  async function ask(turn: number, clientId: string, fields: Record<string, string>, path = '/oauth/token') {
    const response = await fetch(urlOf(turn) + path, {
      method: 'POST',
      headers: address(),
      body: new URLSearchParams({ client_id: clientId, ...fields }),
    })
    const text = await response.text()
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as Tokens }
  }

  const refresh = (turn: number, clientId: string, token: string) =>
    ask(turn, clientId, { grant_type: 'refresh_token', refresh_token: token })

  const me = async (turn: number, token: string) =>
    (await fetch(`${urlOf(turn)}/v1/me`, { headers: { authorization: `Bearer ${token}`, ...address() } }))
      .status

  const everywhere = async (token: string) => [await me(0, token), await me(1, token), await me(2, token)]

  test('one code that is exchanged 50 times at once gives tokens once, and they live', async () => {
    const before = await countDeadlocks(sql)
    for (let round = 0; round < 10; round += 1) {
      const { clientId, familyId, use } = await seedCode()
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(i + round, clientId, use)))
      expect(countStatuses(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: 49 })
      const [winner] = answers.filter(({ status }) => status === 200)
      expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49)
      expect(await everywhere(winner?.body.access_token as string)).toEqual([200, 200, 200])
      expect((await refresh(round, clientId, winner?.body.refresh_token as string)).status).toBe(200)
      const [left] =
        await sql`select count(*)::int as tokens from oauth_access_tokens where family_id = ${familyId}`
      expect(left?.tokens).toBe(2)
    }
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('20 concurrent refreshes with one token return one successor, and the client stays signed in', async () => {
    const before = await countDeadlocks(sql)
    for (let round = 0; round < 5; round += 1) {
      const { clientId, use } = await seedCode()
      let token = (await ask(round, clientId, use)).body.refresh_token
      for (let step = 0; step < 3; step += 1) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) => refresh(i + step, clientId, token)),
        )
        expect(countStatuses(answers.map(({ status }) => status))).toEqual({ 200: 20 })
        const successors = new Set(answers.map(({ body }) => body.refresh_token))
        expect(successors.size).toBe(1)
        for (const [i, { body }] of answers.entries()) expect(await me(i, body.access_token)).toBe(200)
        token = [...successors][0] as string
      }
      expect((await refresh(0, clientId, token)).status).toBe(200)
    }
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('the token before the previous one revokes the family at once, on any process', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { clientId, use } = await seedCode()
      const first = (await ask(round, clientId, use)).body
      const second = (await refresh(round + 1, clientId, first.refresh_token)).body
      const third = (await refresh(round + 2, clientId, second.refresh_token)).body
      for (const { access_token } of [first, second, third])
        expect(await everywhere(access_token)).toEqual([200, 200, 200])
      const replay = await refresh(round, clientId, first.refresh_token)
      expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant'])
      // The process that was asked knows at once, the others as soon as they have heard.
      for (const { access_token } of [first, second, third]) expect(await me(round, access_token)).toBe(401)
      for (const turn of [0, 1, 2])
        await until('all know', async () => (await me(turn, third.access_token)) === 401, 1000)
      expect((await refresh(round + 1, clientId, third.refresh_token)).status).toBe(400)
    }
  })

  test('a refresh that races with a theft: either way there is one line of tokens or none', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { clientId, familyId, use } = await seedCode()
      const first = (await ask(round, clientId, use)).body
      const second = (await refresh(round, clientId, first.refresh_token)).body
      const third = (await refresh(round, clientId, second.refresh_token)).body
      const answers = await Promise.all([
        refresh(round, clientId, third.refresh_token),
        refresh(round + 1, clientId, first.refresh_token),
        refresh(round + 2, clientId, third.refresh_token),
      ])
      expect(answers[1]?.status).toBe(400)
      const [left] = await sql`select count(*)::int as families from oauth_families where id = ${familyId}`
      expect(left?.families).toBe(0)
      for (const { body } of answers)
        if (body.access_token)
          await until('it is dead', async () => (await me(0, body.access_token)) === 401, 1000)
    }
  })

  const WAYS: [
    string,
    (made: {
      clientId: string
      developerId: string
      grantId: string
      refreshToken: string
      access: string
    }) => Promise<number>,
  ][] = [
    [
      'giving the refresh token back',
      async ({ clientId, refreshToken }) =>
        (await ask(0, clientId, { token: refreshToken }, '/oauth/revoke')).status,
    ],
    [
      'giving the access token back',
      async ({ clientId, access }) => (await ask(0, clientId, { token: access }, '/oauth/revoke')).status,
    ],
    [
      'taking the grant back',
      ({ grantId }) => three.ask(0, 'DELETE', `/v1/profile/grants/${grantId}`, person.token),
    ],
    [
      'suspending the developer',
      async ({ developerId }) => {
        const [admin] = (await seedPeople(databaseUrl, 1, ['admin'])) as [Seeded]
        await sql`update users set role = 'admin' where id = ${admin.id}`
        return three.ask(0, 'PATCH', `/v1/admin/users/${developerId}`, admin.token, { suspended: true })
      },
    ],
    [
      'taking back what registered the application',
      async ({ clientId }) => {
        const { grantId } = await seedCode()
        await sql`update oauth_clients set made_by_grant = ${grantId} where client_id = ${clientId}`
        return three.ask(0, 'DELETE', `/v1/profile/grants/${grantId}`, person.token)
      },
    ],
  ]
  for (const [what, end] of WAYS)
    test(`${what} is seen by every process`, async () => {
      for (let round = 0; round < 3; round += 1) {
        const { clientId, developerId, grantId, use } = await seedCode()
        const { access_token: access, refresh_token: refreshToken } = (await ask(round, clientId, use)).body
        // Every process has it cached now.
        expect([...(await everywhere(access)), ...(await everywhere(access))]).toEqual(Array(6).fill(200))
        expect(await end({ clientId, developerId, grantId, refreshToken, access })).toBe(200)
        expect(await me(0, access)).toBe(401)
        for (const turn of [1, 2])
          await until('the others know', async () => (await me(turn, access)) === 401, 1000)
      }
    })

  test('control: a family that vanishes without a broadcast is still cached, so it is the broadcast that ends it', async () => {
    const { clientId, familyId, use } = await seedCode()
    const { access_token: access } = (await ask(0, clientId, use)).body
    expect([...(await everywhere(access)), ...(await everywhere(access))]).toEqual(Array(6).fill(200))
    await sql`delete from oauth_families where id = ${familyId}`
    expect(await everywhere(access)).toEqual([200, 200, 200])
  })

  test('control: a code that is read, judged and then marked gives tokens to everyone who comes at once', async () => {
    const url = await ownDatabase()
    const naive = postgres(url, { max: 20, onnotice: () => {} })
    const [someone] = (await seedPeople(url, 1)) as [Seeded]
    const { familyId, use } = await seedCode(naive, someone.id)
    // Everyone has read before anyone writes: what may happen at any time happens every time.
    const everyoneHasRead = Promise.withResolvers<void>()
    let readers = 0
    await Promise.all(
      Array.from({ length: 10 }, () =>
        naive.begin(async (tx) => {
          const [row] = await tx`select used_at from oauth_codes where hash = ${hash(use.code)}`
          readers += 1
          if (readers === 10) everyoneHasRead.resolve()
          await everyoneHasRead.promise
          if (row?.used_at) return
          await tx`update oauth_codes set used_at = now() where hash = ${hash(use.code)}`
          await tx`insert into oauth_access_tokens (id, family_id, hash, scopes, expires_at)
            values (${Bun.randomUUIDv7()}, ${familyId}, ${hash(checkedSecret('fm_at_'))}, ${['user']}, now() + interval '1 hour')`
        }),
      ),
    )
    const [given] =
      await naive`select count(*)::int as tokens from oauth_access_tokens where family_id = ${familyId}`
    await naive.end()
    expect(given?.tokens).toBe(10)
  })

  test('control: successors that are drawn and not worked out would lock out all but one', async () => {
    const url = await ownDatabase()
    const naive = postgres(url, { max: 20, onnotice: () => {} })
    const [someone] = (await seedPeople(url, 1)) as [Seeded]
    const { familyId } = await seedCode(naive, someone.id)
    await naive`insert into oauth_refresh_tokens (family_id, generation, hash, expires_at)
      values (${familyId}, 0, ${hash('first')}, now() + interval '1 day')`
    const everyoneHasRead = Promise.withResolvers<void>()
    let readers = 0
    const successors = await Promise.all(
      Array.from({ length: 10 }, () =>
        naive.begin(async (tx) => {
          const [row] = await tx`select generation from oauth_refresh_tokens where hash = ${hash('first')}`
          readers += 1
          if (readers === 10) everyoneHasRead.resolve()
          await everyoneHasRead.promise
          const successor = checkedSecret('fm_rt_')
          await tx`insert into oauth_refresh_tokens (family_id, generation, hash, expires_at)
            values (${familyId}, ${Number(row?.generation) + 1}, ${hash(successor)}, now() + interval '1 day')
            on conflict (family_id, generation) do update set hash = excluded.hash`
          return successor
        }),
      ),
    )
    const kept =
      await naive`select hash from oauth_refresh_tokens where family_id = ${familyId} and generation = 1`
    await naive.end()
    const living = successors.filter((successor) => hash(successor).equals(Buffer.from(kept[0]?.hash)))
    expect([new Set(successors).size, living.length]).toEqual([10, 1])
  })
})
