import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readableCode } from '@/core/codes'
import { get, post } from '../../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../../support/processes'
import { later } from '../../support/time'
import { makeCode, makeGuest, makeTown } from './town'

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const wrong = () => `/v1/checkin/${readableCode(8)}`

describe('codes that do not exist', () => {
  test('are 30 a minute for each address; codes that do are not counted', async () => {
    const { event } = await makeTown()
    const { code } = await makeCode(event.id)
    const address = '203.0.113.10'
    for (let i = 0; i < 30; i += 1) {
      // Half of them by somebody with a token: it is the address that counts.
      const guest = i % 2 ? await makeGuest() : undefined
      const options = { ...from(address), token: guest?.token }
      expect((await (guest ? post : get)(wrong(), options)).status).toBe(404)
      if (i % 3 === 0) expect((await get(`/v1/checkin/${code}`, from(address))).status).toBe(200)
    }
    for (const answer of [
      await get(wrong(), from(address)),
      // Whoever has used up their guesses does not learn which of the next ones would have been right.
      await get(`/v1/checkin/${code}`, from(address)),
      await post(`/v1/checkin/${code}`, { ...from(address), token: (await makeGuest()).token }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited'])
      const wait = Number(answer.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
    }
    expect((await get(`/v1/checkin/${code}`, from('203.0.113.11'))).status).toBe(200)
    expect((await later(60_001, () => get(`/v1/checkin/${code}`, from(address)))).status).toBe(200)
  })

  test('are no more than 30 when they all come at once', async () => {
    const guests = await Promise.all(Array.from({ length: 50 }, makeGuest))
    const answers = await Promise.all(
      guests.map(({ token }) => post(wrong(), { ...from('203.0.113.20'), token })),
    )
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('do not limit a hall full of people with good codes', async () => {
    const { event } = await makeTown()
    const { code } = await makeCode(event.id)
    const guests = await Promise.all(Array.from({ length: 70 }, makeGuest))
    const answers = await Promise.all(
      guests.map(({ token }) => post(`/v1/checkin/${code}`, { ...from('203.0.113.30'), token })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const again = await Promise.all(
      guests.map(({ token }) => post(`/v1/checkin/${code}`, { ...from('203.0.113.30'), token })),
    )
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([409]))
  })
})

describe.skipIf(!process.env.TEST_REDIS_URL)('over two processes with Redis', () => {
  let servers: ServerProcess[]
  beforeAll(async () => {
    const shared = {
      DATABASE_URL: await ownDatabase(),
      REDIS_URL: process.env.TEST_REDIS_URL as string,
      TRUSTED_PROXIES: '127.0.0.0/8',
      RATE_LIMIT_ANONYMOUS_PER_HOUR: '10000',
    }
    servers = await Promise.all([startServer(shared), startServer(shared)])
  })
  afterAll(async () => {
    for (const server of servers) await server.stop('SIGKILL')
  })

  test('guesses are counted once for all', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        get(wrong(), { base: servers[i % 2]?.url as string, ...from('203.0.113.40') }),
      ),
    )
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })
})
