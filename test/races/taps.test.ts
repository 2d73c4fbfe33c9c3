import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { randomHex } from '@/core/codes'
import { strangerHash } from '@/modules/passes/tap/stranger'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { whileRedisAnswers } from '../support/shared-limits'
import { newVisitor, seedPasses, TAPPED_AT_WILL, tap } from '../support/taps'
import { askAgain, countStatuses, startThree, type Three } from '../support/three'

const redisUrl = process.env.TEST_REDIS_URL
if (!redisUrl) console.log('!! no Redis: the limit of taps over several processes is NOT tested')

const PAIRS = 20
const TURNS = [0, 1, 2]

describe('taps over three processes', () => {
  let three: Three
  let databaseUrl: string
  let sql: postgres.Sql
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 8, onnotice: () => {} })
    three = await startThree(databaseUrl, {
      ...TAPPED_AT_WILL,
      FOLKMOOT_MODE: 'test',
      RATE_LIMIT_SIGN_IN_PER_MINUTE: '100000',
    })
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const url = (turn: number) => three.servers[turn % 3]?.url as string
  const people = (count: number) => seedPeople(databaseUrl, count, ['write:meetpass', 'user'])
  const holders = async (count: number, type?: 'qrcode' | 'nfc') => seedPasses(sql, await people(count), type)

  const hashOf = (visitor: string) => Buffer.from(strangerHash(visitor.slice('visitor='.length)), 'hex')
  const strangersOf = (ownerId: string) =>
    sql`select stranger_hash from connections where owner_id = ${ownerId} and stranger_hash is not null`
  const keptBy = async (pass: string) =>
    (await sql`select kept from pass_strangers where pass_id = ${pass}`)[0]?.kept ?? 0

  const pairsOf = (one: string, other: string) => sql`select id from connections
    where (owner_id = ${one} and visitor_id = ${other}) or (owner_id = ${other} and visitor_id = ${one})`
  const toldOf = (one: string, other: string) => sql`select from outbox where type = 'meetpass.connected'
    and payload->>'userId' = any(${[one, other]}) and payload->>'connectedUserId' = any(${[one, other]})`

  test('two who tap each other at the same moment are connected once, and both hear it once', async () => {
    const all = await holders(2 * PAIRS)
    const pairs = Array.from({ length: PAIRS }, (_, i) => all.slice(2 * i, 2 * i + 2)) as [Tapper, Tapper][]
    type Tapper = (typeof all)[number]
    const answers = await Promise.all(
      pairs.flatMap(([one, other], i) =>
        TURNS.flatMap((turn) => [
          tap(url(i + turn), one.pass, { token: other.token }),
          tap(url(i + turn + 1), other.pass, { token: one.token }),
        ]),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 200, connected: true })]),
    )
    for (const [one, other] of pairs)
      expect([(await pairsOf(one.id, other.id)).length, (await toldOf(one.id, other.id)).length]).toEqual([
        1, 2,
      ])
  })

  test('control: looking first and writing then connects a pair twice', async () => {
    const [one, other] = (await people(2)) as [Seeded, Seeded]
    await sql`create table unguarded (like connections)`
    const met = (at: postgres.Sql) => at`select from unguarded where owner_id in (${one.id}, ${other.id})`
    const seen = await Promise.all([met(sql), met(sql)])
    for (const [i, [owner, visitor]] of [
      [one, other],
      [other, one],
    ].entries())
      if (seen[i]?.length === 0)
        await sql`insert into unguarded (id, owner_id, visitor_id, created_at)
          values (gen_random_uuid(), ${owner?.id as string}, ${visitor?.id as string}, now())`
    expect(await met(sql)).toHaveLength(2)
  })

  test('a stranger who taps at all of them at once is recorded once, and counted once', async () => {
    const [holder] = await holders(1)
    if (!holder) throw new Error('nobody')
    const visitors = Array.from({ length: PAIRS }, newVisitor)
    const answers = await Promise.all(
      visitors.flatMap((cookie) =>
        [...TURNS, ...TURNS].map((turn) => tap(url(turn), holder.pass, { cookie })),
      ),
    )
    expect(countStatuses(answers.map(({ status }) => status))).toEqual({ 200: 6 * PAIRS })
    expect(await strangersOf(holder.id)).toHaveLength(PAIRS)
    expect(await keptBy(holder.pass)).toBe(PAIRS)
  })

  /** The token of a mail with which somebody new signs in at one of them. */
  async function askForMail(turn: number) {
    const email = `tapper-${randomHex(6)}@folk.example`
    await fetch(`${url(turn)}/auth/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    const mails = (await (await fetch(`${url(turn)}/dev/mailbox.json`)).json()) as {
      to: string
      text: string
    }[]
    const text = mails.find(({ to }) => to === email)?.text ?? ''
    return { email, turn, token: /token=([0-9a-f]{64})/.exec(text)?.[1] as string }
  }

  const signIn = async ({ token, turn }: { token: string; turn: number }, cookie: string) => {
    const response = await fetch(`${url(turn)}/auth/email/verify`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body: new URLSearchParams({ token }).toString(),
    })
    await response.arrayBuffer()
    return response.status
  }

  const metBy = async (email: string) =>
    (
      await sql`select owner_id from connections join users on users.id = visitor_id where email = ${email} order by owner_id`
    ).map(({ owner_id }) => owner_id as string)

  test('of several sign-ins with one visitor cookie at once, exactly one gets the connections', async () => {
    for (let round = 0; round < 6; round += 1) {
      const owners = await holders(5)
      const cookie = newVisitor()
      await Promise.all(owners.map(({ pass }, turn) => tap(url(turn), pass, { cookie })))
      const mails = await Promise.all(TURNS.map(askForMail))
      expect(await Promise.all(mails.map((mail) => signIn(mail, cookie)))).toEqual([303, 303, 303])
      const met = await Promise.all(mails.map(({ email }) => metBy(email)))
      expect(met.filter(({ length }) => length > 0)).toEqual([owners.map(({ id }) => id).sort()])
      for (const { id, pass } of owners) {
        expect([(await strangersOf(id)).length, await keptBy(pass)]).toEqual([0, 0])
        expect(
          await sql`select from outbox where type = 'meetpass.connected' and payload->>'userId' = ${id}`,
        ).toHaveLength(1)
      }
    }
  })

  test('a browser that taps on while it signs in: each tap is the stranger’s or the person’s, and counted as such', async () => {
    const owners = await holders(30)
    const cookies = Array.from({ length: 6 }, newVisitor)
    const [early, late] = [owners.slice(0, 15), owners.slice(15)]
    await Promise.all(
      cookies.flatMap((cookie, i) => early.map(({ pass }, turn) => tap(url(i + turn), pass, { cookie }))),
    )
    const mails = await Promise.all(cookies.map((_, turn) => askForMail(turn)))
    const answers = await Promise.all(
      cookies.flatMap((cookie, i) => [
        ...late.map(async ({ pass }, turn) => (await tap(url(i + turn), pass, { cookie })).status),
        signIn(mails[i] as (typeof mails)[number], cookie),
        ...owners.toReversed().map(async ({ pass }, turn) => (await tap(url(turn), pass, { cookie })).status),
      ]),
    )
    expect(countStatuses(answers)).toEqual({ 200: cookies.length * 45, 303: cookies.length })
    for (const [i, cookie] of cookies.entries()) {
      const met = await metBy(mails[i]?.email as string)
      const open = (await sql`select owner_id from connections where stranger_hash = ${hashOf(cookie)}`).map(
        ({ owner_id }) => owner_id as string,
      )
      // Nothing is lost, and the sign-in has at least what was there before it.
      expect(new Set([...met, ...open])).toEqual(new Set(owners.map(({ id }) => id)))
      expect(early.filter(({ id }) => !met.includes(id))).toEqual([])
    }
    for (const { id, pass } of owners) expect(await keptBy(pass)).toBe((await strangersOf(id)).length)
  })

  const CHANGES = {
    rotated: { type: 'qrcode', method: 'POST', path: '/rotate', answers: [200, 404], after: 404 },
    released: { type: 'nfc', method: 'POST', path: '/release', answers: [200], after: 200 },
    'switched off': { type: 'qrcode', method: 'PATCH', path: '', answers: [200, 410], after: 410 },
  } as const
  for (const [word, { type, method, path, answers, after }] of Object.entries(CHANGES))
    test(`a pass that is ${word} meanwhile: exactly the confirmed connections exist`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const [[holder], visitors] = [await holders(1, type), await people(12)]
        if (!holder) throw new Error('nobody')
        const { id, pass, token } = holder
        const strangers = Array.from({ length: 12 }, newVisitor)
        // Every process has the pass in its cache.
        await Promise.all(TURNS.map((turn) => tap(url(turn), pass, { 'user-agent': 'Slackbot' })))
        const half = visitors.length / 2
        const send = (from: number, to: number) =>
          Promise.all([
            ...visitors.slice(from, to).map(async ({ id, token }, i) => ({
              who: id,
              ...(await tap(url(i), pass, { token })),
            })),
            ...strangers.slice(from, to).map(async (cookie, i) => ({
              who: hashOf(cookie).toString('hex'),
              ...(await tap(url(i), pass, { cookie })),
            })),
          ])
        const [before, changed, later] = await Promise.all([
          send(0, half),
          askAgain(
            three,
            round,
            method,
            `/v1/meetpass/${pass}${path}`,
            token,
            method === 'PATCH' ? { isActive: 0 } : undefined,
          ),
          send(half, visitors.length),
        ])
        expect(changed).toBe(200)
        const all = [...before, ...later]
        expect(all.filter(({ status }) => !(answers as readonly number[]).includes(status))).toEqual([])
        const told = all.filter(({ connected }) => connected).map(({ who }) => who)
        const rows =
          await sql`select coalesce(visitor_id::text, encode(stranger_hash, 'hex')) as who from connections where owner_id = ${id}`
        expect(rows.map(({ who }) => who as string).sort()).toEqual(told.sort())

        // Once all have heard of it, nothing is recorded any more.
        const [late] = await people(1)
        for (const turn of TURNS)
          await until('it is known', async () => {
            const { status, connected } = await tap(url(turn), pass, { 'user-agent': 'Slackbot' })
            return status === after && connected !== true
          })
        for (const turn of TURNS) await tap(url(turn), pass, { token: late?.token as string })
        for (const turn of TURNS) await tap(url(turn), pass, { cookie: newVisitor() })
        expect(await sql`select from connections where owner_id = ${id}`).toHaveLength(rows.length)
      }
    })
})

describe.if(Boolean(redisUrl))('the limit of taps over three processes', () => {
  const SECOND_MS = 1000
  const TAPS = 30
  let pass: string
  let counted: ServerProcess[]
  let alone: ServerProcess[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    pass = (await seedPasses(sql, await seedPeople(databaseUrl, 1)))[0]?.pass as string
    await sql.end()
    const environment = { DATABASE_URL: databaseUrl, TRUSTED_PROXIES: '127.0.0.1' }
    counted = await Promise.all(
      TURNS.map(() => startServer({ ...environment, REDIS_URL: redisUrl as string })),
    )
    alone = await Promise.all(TURNS.map(() => startServer(environment)))
    for (const { url } of [...counted, ...alone]) await tap(url, pass, { 'user-agent': 'Slackbot' })
  })
  afterAll(async () => {
    for (const server of [...counted, ...alone]) await server.stop('SIGKILL')
  })

  async function burst(servers: ServerProcess[], address: string) {
    const startedAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: TAPS }, (_, i) =>
        tap(servers[i % 3]?.url as string, pass, { 'x-forwarded-for': address }),
      ),
    )
    return { statuses: countStatuses(answers.map(({ status }) => status)), ms: performance.now() - startedAt }
  }

  /** A busy machine may take longer than the second that the limit is about: then more are allowed, and it is done again. */
  async function withinASecond(servers: ServerProcess[]) {
    for (;;) {
      const { statuses, ms } = await whileRedisAnswers(servers, (address) => burst(servers, address))
      if (ms < SECOND_MS) return statuses
    }
  }

  test('is exact with Redis: three of a burst, whichever process they reach', async () => {
    for (let round = 0; round < 5; round += 1)
      expect(await withinASecond(counted)).toEqual({ 200: 3, 429: TAPS - 3 })
  })

  test('slides: nowhere do two seconds meet in which more than three go through', async () => {
    const { allowed, seconds } = await whileRedisAnswers(counted, async (address) => {
      const startedAt = performance.now()
      let allowed = 0
      while (performance.now() - startedAt < 2.5 * SECOND_MS)
        allowed += (await burst(counted, address)).statuses[200] ?? 0
      return { allowed, seconds: (performance.now() - startedAt) / SECOND_MS }
    })
    expect(allowed).toBeGreaterThan(3)
    expect(allowed).toBeLessThanOrEqual(3 * Math.ceil(seconds))
  })

  test('control: without Redis each process counts for itself, and this test sees it', async () => {
    expect(await withinASecond(alone)).toEqual({ 200: 9, 429: TAPS - 9 })
  })
})
