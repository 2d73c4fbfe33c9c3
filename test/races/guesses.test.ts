import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { inArray } from 'drizzle-orm'
import postgres from 'postgres'
import { randomHex } from '@/core/codes'
import { notFound } from '@/core/errors'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { guess } from '@/http/guesses'
import { memoryLimiter } from '@/http/limits/memory'
import { traitsOf } from '@/http/traits'
import { beginVisit } from '@/http/visit'
import { basicOf, form, makeClient } from '../modules/oauth/make'
import { post } from '../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { countStatuses } from '../support/three'

const redisUrl = process.env.TEST_REDIS_URL
if (!redisUrl) console.log('!! no Redis: guesses over several processes are NOT tested')

const RACERS = 100

/** Signing in has ten tries a minute for each address; every try of a code leaves a mark on the mail it was for. */
for (const processes of redisUrl ? [1, 3] : [1])
  describe(`guesses made at the same moment, over ${processes === 1 ? 'one process' : 'three processes'}`, () => {
    let servers: ServerProcess[]
    let sql: postgres.Sql
    beforeAll(async () => {
      const databaseUrl = await ownDatabase()
      sql = postgres(databaseUrl, { max: 4, onnotice: () => {} })
      const environment = {
        DATABASE_URL: databaseUrl,
        FOLKMOOT_MODE: 'test',
        TRUSTED_PROXIES: '127.0.0.1',
        ...(processes > 1 && { REDIS_URL: redisUrl as string }),
      }
      servers = await Promise.all(Array.from({ length: processes }, () => startServer(environment)))
    })
    afterAll(async () => {
      await sql.end()
      for (const server of servers) await server.stop('SIGKILL')
    })

    const url = (turn: number) => servers[turn % processes]?.url as string
    const addresses = () => Array.from({ length: RACERS }, () => `guess-${randomHex(6)}@folk.example`)
    /** Redis is shared with other runs, so each has an address that nobody had. */
    const stranger = () => {
      const [a, b] = crypto.getRandomValues(new Uint16Array(2))
      return `2001:db8:${a?.toString(16)}:${b?.toString(16)}::1`
    }

    /** A mail to each of them, and the token of its link. */
    const ask = (emails: string[]) =>
      Promise.all(
        emails.map(async (email, turn) => {
          await fetch(`${url(turn)}/auth/email`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ email }),
          })
          const mails = (await (
            await fetch(`${url(turn)}/dev/mailbox.json`, { headers: { 'x-forwarded-for': '127.0.0.1' } })
          ).json()) as { to: string; text: string }[]
          const text = mails.find(({ to }) => to === email)?.text ?? ''
          return /token=([0-9a-f]{64})/.exec(text)?.[1] as string
        }),
      )

    const enter = async (turn: number, address: string, fields: Record<string, string>) => {
      const response = await fetch(`${url(turn)}/auth/email/verify`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
        body: new URLSearchParams(fields).toString(),
      })
      await response.arrayBuffer()
      return response.status
    }

    test(`${RACERS} wrong codes at once are ten tries`, async () => {
      const emails = addresses()
      await ask(emails)
      const address = stranger()
      const statuses = await Promise.all(
        emails.map((email, turn) => enter(turn, address, { email, code: 'none' })),
      )
      expect(countStatuses(statuses)).toEqual({ 410: 10, 429: RACERS - 10 })
      const [row] =
        await sql`select sum(attempts)::int as tried from sign_in_mails where email = any(${emails})`
      expect(row?.tried).toBe(10)
    })

    test(`${RACERS} people of one hall get in at once, and none of them is counted`, async () => {
      const tokens = await ask(addresses())
      const address = stranger()
      for (let turn = 0; turn < 9; turn += 1)
        expect(await enter(turn, address, { token: randomHex(32) })).toBe(410)
      // One place is left, and all of them go through it.
      const statuses = await Promise.all(tokens.map((token, turn) => enter(turn, address, { token })))
      expect(countStatuses(statuses)).toEqual({ 303: RACERS })
      expect(await enter(0, address, { token: randomHex(32) })).toBe(410)
      expect(await enter(1, address, { token: randomHex(32) })).toBe(429)
    })
  })

test('200 requests of applications that fail at once are 120 tries', async () => {
  const clients = await Promise.all(Array.from({ length: 200 }, () => makeClient()))
  const address = { 'x-forwarded-for': '203.0.113.210' }
  const statuses = await Promise.all(
    clients.map(
      async (client) =>
        (await post('/oauth/token', form({ grant_type: 'x' }, { ...basicOf(client), ...address }))).status,
    ),
  )
  expect(countStatuses(statuses)).toEqual({ 400: 120, 429: 80 })
  // Whoever was listened to left a mark.
  const rows = await db
    .select({ usedAt: oauthClients.lastUsedAt })
    .from(oauthClients)
    .where(
      inArray(
        oauthClients.clientId,
        clients.map(({ clientId }) => clientId),
      ),
    )
  expect(rows.filter(({ usedAt }) => usedAt !== null)).toHaveLength(120)
})

/** How often somebody looked, when all of them came at once. */
async function looksOf(ask: (look: () => Promise<never>) => Promise<unknown>) {
  let looks = 0
  const look = async () => {
    looks += 1
    await Bun.sleep(1)
    throw notFound('Code')
  }
  await Promise.allSettled(Array.from({ length: RACERS }, () => ask(look)))
  return looks
}

test(`${RACERS} codes that do not exist, tried at once, are thirty looks`, async () => {
  expect(
    await looksOf((look) => guess(beginVisit(new Request('http://localhost/'), '-', traitsOf('/v1/')), look)),
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
