import { describe, expect, test } from 'bun:test'
import { load } from '../support/load'
import { ownDatabase, startServer } from '../support/processes'
import { seedToken } from '../support/seed'

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
    let seen = 0
    // A kill may fall into a moment in which nothing is under way; not five times in a row.
    for (let round = 0; round < 5 && seen === 0; round += 1) {
      const server = await startServer({ DATABASE_URL: databaseUrl, RATE_LIMIT_USER_PER_HOUR: '10000000' })
      const traffic = load(`${server.url}/v1/me`, token, 32, wasNotSent)
      await traffic.answers(2000)
      await server.stop('SIGKILL')
      seen = (await traffic.stop()).failed
    }
    expect(seen).toBeGreaterThan(0)
  })
})
