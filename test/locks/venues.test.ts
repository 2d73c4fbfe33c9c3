import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({
    DATABASE_URL: await ownDatabase(),
    TRUSTED_PROXIES: '127.0.0.0/8',
    VENUE_ADDRESSES: '203.0.113.0/28,2001:db8:5::/48',
    RATE_LIMIT_VENUE_TAP_PER_SECOND: '20',
  })
})
afterAll(() => server.stop('SIGKILL'))

/** How many of thirty taps at once are within the limit; that there is no such pass does not matter. */
async function allowed(address: string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      fetch(`${server.url}/pass/x`, { headers: { 'x-forwarded-for': address } }),
    ),
  )
  return answers.filter(({ status }) => status === 404).length
}

test('a hall that the operator named has room for many, and everybody else for three', async () => {
  expect(await allowed('203.0.113.7')).toBe(20)
  expect(await allowed('2001:db8:5:1::9')).toBe(20)
  expect(await allowed('203.0.113.77')).toBe(3)
  expect(await allowed('2001:db8:6::9')).toBe(3)
})

/** How many of fifty wrong codes are looked for before there are no guesses left. */
async function looked(address: string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      fetch(`${server.url}/claim/wrong-code-${i}`, { headers: { 'x-forwarded-for': address } }),
    ),
  )
  return answers.filter(({ status }) => status === 404).length
}

test('one guest who guesses codes does not close the door of such a hall', async () => {
  expect(await looked('203.0.113.8')).toBe(50)
  expect(await looked('203.0.113.78')).toBe(30)
})
