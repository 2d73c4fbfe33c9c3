import { describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { load } from '../support/load'
import { ownDatabase, startServer, startWorker, until } from '../support/processes'
import { openReceiver } from '../support/receiver'
import { type Seeded, seedPeople, seedToken } from '../support/seed'

/** Nobody was there to take the connection: the request was never sent. */
const wasNotSent = (error: unknown) =>
  /ECONNREFUSED|ConnectionRefused/.test(String((error as { code?: string }).code ?? error))

describe('SIGTERM under load', () => {
  test('answers every request that was sent and exits with 0', async () => {
    const databaseUrl = await ownDatabase()
    const token = await seedToken(databaseUrl)
    for (let round = 0; round < 3; round += 1) {
      const server = await startServer({
        DATABASE_URL: databaseUrl,
        RATE_LIMIT_USER_PER_HOUR: '10000000',
        WORKER: 'embedded',
      })
      const traffic = load(`${server.url}/v1/me`, token, 32, wasNotSent)
      await traffic.answers(2000)
      const exit = await server.stop('SIGTERM')
      const { statuses, failed, faults } = await traffic.stop()
      expect({ exit, statuses: Object.keys(statuses), failed, faults }).toEqual({
        exit: 0,
        statuses: ['200'],
        failed: 0,
        faults: [],
      })
    }
  })

  test('control: SIGKILL is seen by the same clients', async () => {
    const databaseUrl = await ownDatabase()
    const token = await seedToken(databaseUrl)
    const server = await startServer({ DATABASE_URL: databaseUrl })
    const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
    const traffic = await sql.begin(async (tx) => {
      // Whoever asks now has to wait, so that the kill falls among requests that are under way.
      await tx`lock table personal_tokens`
      const asking = load(`${server.url}/v1/me`, token, 32, wasNotSent)
      await until('they wait', async () => {
        const waiting = await sql`select from pg_stat_activity where wait_event_type = 'Lock'`
        return waiting.length > 0
      })
      await server.stop('SIGKILL')
      return { stop: asking.stop }
    })
    expect((await traffic.stop()).failed).toBeGreaterThan(0)
    await sql.end()
  })
})

describe('SIGTERM with deliveries under way', () => {
  test('waits for a hanging receiver, records the outcome and releases the rest', async () => {
    const DATABASE_URL = await ownDatabase()
    const environment = { DATABASE_URL, FOLKMOOT_MODE: 'test' }
    const receiver = openReceiver(() => new Promise(() => {}))
    const server = await startServer(environment)
    const [person] = (await seedPeople(DATABASE_URL, 1, ['user', 'developer'])) as [Seeded]
    const send = async (path: string, body: object) => {
      const answer = await fetch(`${server.url}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(201)
    }
    await send('developer/webhooks', { url: receiver.url, eventTypes: ['token.created'] })
    for (let i = 0; i < 30; i += 1) await send('profile/tokens', { name: `${i}`, scopes: ['read:user'] })

    const worker = startWorker(environment)
    await until('some are under way', () => receiver.received.length >= 10)
    const exit = await worker.stop('SIGTERM')

    const sql = postgres(DATABASE_URL, { max: 1, onnotice: () => {} })
    const [row] = await sql`
      select (select count(*)::int from webhook_attempts where error = 'No answer within 10 seconds') as attempts,
        count(*)::int as messages, count(lease_owner)::int as leased from webhook_messages`
    expect([exit, row]).toEqual([0, { attempts: receiver.received.length, messages: 30, leased: 0 }])
    await sql.end()
    await server.stop()
    receiver.close()
  })
})
