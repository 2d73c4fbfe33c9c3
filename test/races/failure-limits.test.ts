import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { notFound } from '@/core/errors'
import { memoryLimiter } from '@/http/limits/memory'
import { limitMisses } from '@/http/limits/misses'
import { API } from '@/http/route-traits'
import { beginVisit } from '@/http/visit'
import { newClientId, newClientSecret } from '@/modules/access/oauth/secrets'
import { patiently } from '../support/patiently'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { whileRedisAnswers } from '../support/shared-limits'
import { countStatuses } from '../support/three'

const redisUrl = process.env.TEST_REDIS_URL
if (!redisUrl) console.log('!! no Redis: guesses over several processes are NOT tested')

const RACERS = 100

const WAYS = {
  'one process': { servers: 1 },
  'three processes of one server': { servers: 1, more: { PROCESSES: '3' } },
  ...(redisUrl && { 'three servers': { servers: 3, more: { REDIS_URL: redisUrl } } }),
}

for (const [way, { servers: count, more }] of Object.entries(WAYS) as [
  string,
  { servers: number; more?: Record<string, string> },
][])
  describe(`signing in at the same moment, over ${way}`, () => {
    let servers: ServerProcess[]
    let sql: postgres.Sql
    beforeAll(async () => {
      const databaseUrl = await ownDatabase()
      sql = postgres(databaseUrl, { max: 24, onnotice: () => {} })
      const environment = {
        DATABASE_URL: databaseUrl,
        FOLKMOOT_MODE: 'test',
        TRUSTED_PROXIES: '127.0.0.1',
        ...more,
      }
      servers = await Promise.all(Array.from({ length: count }, () => startServer(environment)))
    })
    afterAll(async () => {
      await sql.end()
      for (const server of servers) await server.stop('SIGKILL')
    })

    const url = (turn: number) => servers[turn % count]?.url as string
    const newAddress = () => `guess-${randomHex(6)}@folk.example`
    /** Redis is shared with other runs, so each has an address that nobody had. */
    const stranger = () => {
      const [a, b] = crypto.getRandomValues(new Uint16Array(2))
      return `2001:db8:${a?.toString(16)}:${b?.toString(16)}::1`
    }
    const all = <T>(run: (turn: number) => Promise<T>) =>
      Promise.all(Array.from({ length: RACERS }, (_, turn) => run(turn)))

    async function submit(
      path: string,
      turn: number,
      address: string,
      fields: Record<string, string>,
    ): Promise<number> {
      const response = await patiently(() =>
        fetch(`${url(turn)}${path}`, {
          method: 'POST',
          redirect: 'manual',
          // Each connection may be taken by another process.
          keepalive: false,
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
          body: new URLSearchParams(fields).toString(),
        }),
      )
      await response.arrayBuffer()
      return response.status
    }
    const ask = (turn: number, address: string, email: string) =>
      submit('/auth/email', turn, address, { email })
    const enter = (turn: number, address: string, fields: Record<string, string>) =>
      submit('/auth/email/verify', turn, address, fields)

    async function askAndRead(turn: number, email: string) {
      await ask(turn, stranger(), email)
      const mails = await patiently(() =>
        fetch(`${url(turn)}/dev/mailbox.json?to=${email}`, { headers: { 'x-forwarded-for': '127.0.0.1' } }),
      )
      const [{ text }] = (await mails.json()) as [{ text: string }]
      return {
        email,
        token: /token=([0-9a-f]{64})/.exec(text)?.[1] as string,
        code: /^(\d{6})$/m.exec(text)?.[1] as string,
      }
    }

    const mailsTo = async (email: string) =>
      (await sql`select count(*)::int as sent from sign_in_mails where email = ${email}`)[0]?.sent

    test(`${RACERS} requests for a mail are five from one address and twenty from all`, async () => {
      const counted = await whileRedisAnswers(servers, async (here) => {
        const email = newAddress()
        return [
          countStatuses(await all((turn) => ask(turn, here, email))),
          await mailsTo(email),
          countStatuses(await all((turn) => ask(turn, stranger(), email))),
          await mailsTo(email),
          // The 95 that were refused did not count for the address.
          countStatuses(await all((turn) => ask(turn, here, newAddress()))),
        ]
      })
      expect(counted).toEqual([
        { 200: 5, 429: RACERS - 5 },
        5,
        { 200: 15, 429: RACERS - 15 },
        20,
        { 200: RACERS },
      ])
    })

    test(`${RACERS} wrong codes for a mailbox from one address are ten tries`, async () => {
      const counted = await whileRedisAnswers(servers, async (here) => {
        const { email } = await askAndRead(0, newAddress())
        const statuses = await all((turn) => enter(turn, here, { email, code: 'none' }))
        const [row] = await sql`select attempts from sign_in_mails where email = ${email}`
        return [countStatuses(statuses), row?.attempts]
      })
      expect(counted).toEqual([{ 410: 10, 429: RACERS - 10 }, 5])
    })

    /** As if all but two of the day's tries for a mailbox were used up. The server's key names it, so the newest is it. */
    async function leaveTwo(email: string): Promise<Buffer> {
      await enter(0, stranger(), { email, code: 'none' })
      await sql`update sign_in_mails set attempts = 0 where email = ${email}`
      const [row] = await sql`update sign_in_failures set failures = 28
        where mailbox = (select mailbox from sign_in_failures order by ends_at desc limit 1) returning mailbox`
      return row?.mailbox
    }

    test(`${RACERS} wrong codes for a mailbox from everywhere are as many as its day has left`, async () => {
      const { email } = await askAndRead(0, newAddress())
      const mailbox = await leaveTwo(email)
      const statuses = await all((turn) => enter(turn, stranger(), { email, code: 'none' }))
      expect(countStatuses(statuses)).toEqual({ 410: 2, 429: RACERS - 2 })
      const [day] = await sql`select failures from sign_in_failures where mailbox = ${mailbox}`
      expect(day?.failures).toBe(30)
      const [row] = await sql`select attempts from sign_in_mails where email = ${email}`
      expect(row?.attempts).toBe(2)
    })

    test('control: looking at the day and then counting lets more of them try', async () => {
      const { email } = await askAndRead(0, newAddress())
      const mailbox = await leaveTwo(email)
      let tried = 0
      await Promise.all(
        Array.from({ length: 20 }, () =>
          sql.begin(async (tx) => {
            const [row] = await tx`select failures from sign_in_failures where mailbox = ${mailbox}`
            await tx`select pg_sleep(0.05)`
            if (Number(row?.failures) >= 30) return
            tried += 1
            await tx`update sign_in_failures set failures = failures + 1 where mailbox = ${mailbox}`
          }),
        ),
      )
      expect(tried).toBeGreaterThan(2)
    })

    /** An application that registered itself, with a secret or without one. */
    async function seedClient(secret?: string): Promise<string> {
      const clientId = newClientId()
      await sql`insert into oauth_clients (client_id, name, redirect_uris, auth_method, secret_hash)
        values (${clientId}, 'Racer', ${['https://app.example/callback']}, ${secret ? 'client_secret_post' : 'none'},
          ${secret ? Buffer.from(hashSecret(secret)) : null})`
      return clientId
    }
    const askOften = async (address: () => string, fields: Record<string, string>) =>
      countStatuses(
        await Promise.all(
          Array.from({ length: 200 }, (_, turn) =>
            submit('/oauth/introspect', turn, address(), { token: 'x', ...fields }),
          ),
        ),
      )

    test('200 requests of a client that proves itself are 120, of a public one 120 for each address', async () => {
      const limited = { 200: 120, 429: 80 }
      const counted = await whileRedisAnswers(servers, async (here) => {
        const secret = newClientSecret()
        const [client_id, known] = [await seedClient(secret), await seedClient()]
        const elsewhere = stranger()
        return [
          await askOften(stranger, { client_id, client_secret: secret }),
          await askOften(() => here, { client_id: known }),
          await askOften(() => elsewhere, { client_id: known }),
        ]
      })
      expect(counted).toEqual([limited, limited, limited])
    })

    test('200 wrong secrets of a client from one address are 120 attempts, and none of its requests', async () => {
      const counted = await whileRedisAnswers(servers, async (here) => {
        const secret = newClientSecret()
        const client_id = await seedClient(secret)
        const right = { client_id, client_secret: secret }
        return [
          await askOften(() => here, { client_id, client_secret: newClientSecret() }),
          await submit('/oauth/introspect', 1, here, { token: 'x', ...right }),
          await askOften(stranger, right),
        ]
      })
      expect(counted).toEqual([{ 401: 120, 429: 80 }, 429, { 200: 120, 429: 80 }])
    })

    test(`${RACERS} people of one hall get in at once, by link and by code, however many fail beside them`, async () => {
      const mails = await all((turn) => askAndRead(turn, newAddress()))
      const hall = stranger()
      const [statuses] = await Promise.all([
        Promise.all(
          mails.map(({ email, token, code }, turn) =>
            enter(turn, hall, turn % 2 ? { token } : { email, code }),
          ),
        ),
        all((turn) => enter(turn, hall, { token: randomHex(32) })),
        all((turn) => enter(turn, hall, { email: newAddress(), code: '000000' })),
      ])
      expect(countStatuses(statuses)).toEqual({ 303: RACERS })
    })
  })

/** How often somebody looked, when all of them came at once. */
async function looksOf(ask: (look: () => Promise<never>) => Promise<unknown>) {
  let looks = 0
  const look = async () => {
    looks += 1
    await Bun.sleep(1)
    throw notFound('Check-in code')
  }
  await Promise.allSettled(Array.from({ length: RACERS }, () => ask(look)))
  return looks
}

test(`${RACERS} codes that do not exist, tried at once, are thirty looks`, async () => {
  expect(
    await looksOf((look) => limitMisses(beginVisit(new Request('http://localhost/'), '-', API), look)),
  ).toBe(30)
})

test('control: counting when the answer is known lets everybody look', async () => {
  const limiter = memoryLimiter()
  const budget = { key: 'control:1', limit: 30, windowMs: 60_000 }
  const looks = await looksOf(async (look) => {
    if (limiter.hit(budget, 0).remaining > 0) await look().catch(() => limiter.hit(budget, 1))
  })
  expect(looks).toBe(RACERS)
})
