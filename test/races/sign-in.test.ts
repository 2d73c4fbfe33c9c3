import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { ownDatabase, until } from '../support/processes'
import { countStatuses, startThree, type Three } from '../support/three'

const RACERS = 30
const ADMINS = Array.from({ length: 12 }, (_, i) => `admin-${i}@folk.example`)

describe('signing in over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 24, onnotice: () => {} })
    three = await startThree(databaseUrl, {
      FOLKMOOT_MODE: 'test',
      RATE_LIMIT_SIGN_IN_PER_MINUTE: '100000',
      ADMIN_EMAILS: ADMINS.join(','),
    })
    // The controls race on connections that are open already.
    await Promise.all(Array.from({ length: 24 }, () => sql`select pg_sleep(0.1)`))
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const address = () => `race-${randomHex(6)}@folk.example`
  const url = (turn: number) => three.servers[turn % 3]?.url as string

  /** Asks one server for a mail and reads what it would have sent. */
  async function ask(email: string, turn = 0) {
    const answer = await fetch(`${url(turn)}/auth/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    expect(answer.status).toBe(200)
    const mails = (await (await fetch(`${url(turn)}/dev/mailbox.json`)).json()) as {
      to: string
      text: string
    }[]
    const text = mails.find(({ to }) => to === email)?.text ?? ''
    return {
      token: /token=([0-9a-f]{64})/.exec(text)?.[1] as string,
      code: /^(\d{6})$/m.exec(text)?.[1] as string,
    }
  }

  const enter = async (turn: number, fields: Record<string, string>) => {
    const response = await fetch(`${url(turn)}/auth/email/verify`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
    await response.arrayBuffer()
    const session = /session=([0-9a-f]{64})/.exec(response.headers.get('set-cookie') ?? '')?.[1]
    return { status: response.status, session }
  }

  const all = (count: number, fields: (turn: number) => Record<string, string>) =>
    Promise.all(Array.from({ length: count }, (_, turn) => enter(turn, fields(turn))))

  const statuses = (answers: { status: number }[]) => countStatuses(answers.map(({ status }) => status))

  const countOf = async (email: string) => {
    const [row] = await sql`
      select count(distinct u.id)::int as people, count(s.id)::int as sessions,
        (select count(*)::int from outbox o where o.type = 'user.registered' and o.payload->>'userId' = any(array_agg(u.id::text))) as facts
      from users u left join sessions s on s.user_id = u.id where u.email = ${email}`
    return [row?.people, row?.sessions, row?.facts]
  }

  test(`${RACERS} requests with one link: one gets in`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = address()
      const { token } = await ask(email, round)
      expect(statuses(await all(RACERS, () => ({ token })))).toEqual({ 303: 1, 410: RACERS - 1 })
      expect(await countOf(email)).toEqual([1, 1, 1])
    }
  })

  test(`${RACERS} requests with one code: one gets in`, async () => {
    const email = address()
    const { code } = await ask(email)
    expect(statuses(await all(RACERS, () => ({ email, code })))).toEqual({ 303: 1, 410: RACERS - 1 })
    expect(await countOf(email)).toEqual([1, 1, 1])
  })

  test('the link and the code of one mail at once: one gets in', async () => {
    for (let round = 0; round < 10; round += 1) {
      const email = address()
      const { token, code } = await ask(email, round)
      const answers = await all(6, (turn): Record<string, string> => (turn % 2 ? { token } : { email, code }))
      expect(statuses(answers)).toEqual({ 303: 1, 410: 5 })
    }
  })

  test('a hundred guesses at once are five tries; then the right code is worth nothing', async () => {
    const email = address()
    const { code } = await ask(email)
    const wrong = (turn: number) => String((Number(code) + 1 + turn) % 1_000_000).padStart(6, '0')
    expect(statuses(await all(100, (turn) => ({ email, code: wrong(turn) })))).toEqual({ 410: 100 })
    const [row] = await sql`select attempts, used_at from sign_in_mails where email = ${email}`
    expect([row?.attempts, row?.used_at]).toEqual([5, null])
    expect((await enter(0, { email, code })).status).toBe(410)
  })

  test('several mails to a new person, all used at once: one account', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = address()
      const mails = [await ask(email, 0), await ask(email, 1), await ask(email, 2)]
      const answers = await all(9, (turn) => ({ token: mails[turn % 3]?.token as string }))
      expect(
        answers.map(({ status }) => status).filter((status) => status !== 303 && status !== 410),
      ).toEqual([])
      expect((await countOf(email))[0]).toBe(1)
    }
  })

  /** As if nobody had become administrator yet. */
  async function forgetAdministrators() {
    await sql`alter table users disable trigger users_administrator_changes`
    await sql`update users set role = 'user'`
    await sql`alter table users enable trigger users_administrator_changes`
  }

  const administrators = async () => (await sql`select email from users where role = 'admin'`).length

  test('of those who may become the first administrator, one does', async () => {
    for (let round = 0; round < 4; round += 1) {
      await forgetAdministrators()
      const mails = await Promise.all(ADMINS.map((email, turn) => ask(email, turn)))
      const answers = await all(ADMINS.length, (turn) => ({ token: mails[turn]?.token as string }))
      expect(statuses(answers)).toEqual({ 303: ADMINS.length })
      expect(await administrators()).toBe(1)
    }
    // Whoever comes later stays what they are, and a stranger never was to become one.
    await forgetAdministrators()
    await enter(0, { token: (await ask('stranger@folk.example')).token })
    expect(await administrators()).toBe(0)
    for (const [turn, email] of ADMINS.slice(0, 3).entries())
      await enter(turn, { token: (await ask(email, turn)).token })
    expect(await sql`select email from users where role = 'admin'`).toMatchObject([{ email: ADMINS[0] }])
  })

  test('the last two ways to sign in, taken away at once: one stays', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id, session } = await seedLinked()
      const answers = await Promise.all(
        ['github', 'discord'].map(async (provider, turn) => {
          const response = await fetch(`${url(round + turn)}/v1/me/linked-accounts/${provider}`, {
            method: 'DELETE',
            headers: { cookie: `session=${session}`, 'sec-fetch-site': 'same-origin' },
          })
          return { status: response.status }
        }),
      )
      expect(statuses(answers)).toEqual({ 204: 1, 409: 1 })
      expect(await sql`select 1 from identities where user_id = ${id}`).toHaveLength(1)
    }
  })

  /** Somebody without a mail address, with two accounts elsewhere. */
  async function seedLinked() {
    const [id, session] = [Bun.randomUUIDv7(), randomHex(32)]
    await sql`insert into users (id, name, username) values (${id}, 'Linked', ${`linked-${randomHex(6)}`})`
    await sql`insert into sessions (id, user_id, hash, expires_at)
      values (${Bun.randomUUIDv7()}, ${id}, ${Buffer.from(hashSecret(session))}, now() + interval '1 day')`
    for (const provider of ['github', 'discord'])
      await sql`insert into identities (id, user_id, provider, subject) values (${Bun.randomUUIDv7()}, ${id}, ${provider}, ${randomHex(8)})`
    return { id, session }
  }

  test('signing out everywhere is known to every process within a second', async () => {
    const email = address()
    const sessions: string[] = []
    for (let turn = 0; turn < 3; turn += 1)
      sessions.push((await enter(turn, { token: (await ask(email, turn)).token })).session as string)
    const status = async (turn: number, session: string) =>
      (await fetch(`${url(turn)}/v1/me`, { headers: { cookie: `session=${session}` } })).status
    for (const session of sessions)
      for (let turn = 0; turn < 3; turn += 1) expect(await status(turn, session)).toBe(200)
    const ended = await fetch(`${url(0)}/auth/logout-all`, {
      method: 'POST',
      headers: { cookie: `session=${sessions[0]}`, 'sec-fetch-site': 'same-origin' },
    })
    expect(ended.status).toBe(200)
    for (const session of sessions)
      for (let turn = 0; turn < 3; turn += 1)
        await until('it is over', async () => (await status(turn, session)) === 401, 1000)
  })

  test('control: looking whether a mail was used and then using it lets many in', async () => {
    const email = address()
    const { token } = await ask(email)
    const hash = Buffer.from(hashSecret(token))
    let winners = 0
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sql.begin(async (tx) => {
          const [mail] = await tx`select used_at from sign_in_mails where token_hash = ${hash}`
          await tx`select pg_sleep(0.05)`
          if (mail?.used_at !== null) return
          winners += 1
          await tx`update sign_in_mails set used_at = now() where token_hash = ${hash}`
        }),
      ),
    )
    expect(winners).toBeGreaterThan(1)
  })

  test('control: comparing a code before its try is charged tries it as often as one likes', async () => {
    const email = address()
    await ask(email)
    let compared = 0
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sql.begin(async (tx) => {
          const [mail] = await tx`select attempts from sign_in_mails where email = ${email}`
          await tx`select pg_sleep(0.05)`
          if (Number(mail?.attempts) >= 5) return
          compared += 1
          await tx`update sign_in_mails set attempts = attempts + 1 where email = ${email}`
        }),
      ),
    )
    expect(compared).toBeGreaterThan(5)
  })

  test('control: without the lock there are several first administrators', async () => {
    await forgetAdministrators()
    await Promise.all(
      ADMINS.map((email) =>
        sql.begin(async (tx) => {
          await tx`update users set role = 'admin' where email = ${email}
            and not exists (select 1 from users a where a.role = 'admin' and a.suspended_at is null)`
          await tx`select pg_sleep(0.05)`
        }),
      ),
    )
    expect(await administrators()).toBeGreaterThan(1)
  })

  test('control: without the person’s lock both ways to sign in go', async () => {
    const { id } = await seedLinked()
    await Promise.all(
      ['github', 'discord'].map((provider) =>
        sql.begin(async (tx) => {
          const linked = await tx`select 1 from identities where user_id = ${id}`
          await tx`select pg_sleep(0.05)`
          if (linked.length > 1)
            await tx`delete from identities where user_id = ${id} and provider = ${provider}`
        }),
      ),
    )
    expect(await sql`select 1 from identities where user_id = ${id}`).toHaveLength(0)
  })
})
