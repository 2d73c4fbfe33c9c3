import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readableCode } from '@/core/codes'
import { type Answer, get, post } from '../../../support/api'
import { patiently } from '../../../support/patiently'
import { ownDatabase, type ServerProcess, startServer } from '../../../support/processes'
import { whileRedisAnswers } from '../../../support/shared-limits'
import { later } from '../../../support/time'
import { makeCode, makeGuest, makeStaffedEvent } from './fixtures'

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const wrong = () => `/v1/checkin/${readableCode(8)}`

describe('codes that do not exist', () => {
  const refused = (answer: Answer) => {
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('30')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
  }

  test('are 30 a minute for each address of strangers; codes that do are not counted', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    const address = '203.0.113.10'
    for (let i = 0; i < 30; i += 1) {
      expect((await get(wrong(), from(address))).status).toBe(404)
      if (i % 3 === 0) expect((await get(`/v1/checkin/${code}`, from(address))).status).toBe(200)
    }
    refused(await get(wrong(), from(address)))
    // Whoever has used up their guesses does not learn which of the next ones would have been right.
    refused(await get(`/v1/checkin/${code}`, from(address)))
    expect((await get(`/v1/checkin/${code}`, from('203.0.113.11'))).status).toBe(200)
    expect((await later(60_001, () => get(`/v1/checkin/${code}`, from(address)))).status).toBe(200)
  })

  test('are limited to 30 a minute per person over all addresses, with claim links and invites', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    const [guesser, guest] = [await makeGuest(), await makeGuest()]
    const paths = [wrong, () => `/v1/claim/${readableCode(12)}`, () => `/v1/groups/claim/${readableCode(32)}`]
    for (let i = 0; i < 30; i += 1)
      expect((await get((paths[i % 3] as () => string)(), guesser)).status).toBe(404)
    for (const path of paths) refused(await get(path(), guesser))
    refused(await post(`/v1/checkin/${code}`, guesser))
    expect((await post(`/v1/checkin/${code}`, guest)).status).toBe(201)
  })

  test('by one guest close the door neither for the others of a venue nor for its strangers', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    const venue = from('203.0.113.12')
    const [guesser, guest] = [await makeGuest(), await makeGuest()]
    for (let i = 0; i < 31; i += 1) await post(wrong(), { ...venue, token: guesser.token })
    refused(await post(wrong(), { ...venue, token: guesser.token }))
    expect((await get(`/v1/checkin/${code}`, venue)).status).toBe(200)
    // Nor do those of a stranger for people who are signed in.
    for (let i = 0; i < 31; i += 1) await get(wrong(), venue)
    refused(await get(`/v1/checkin/${code}`, venue))
    expect((await post(`/v1/checkin/${code}`, { ...venue, token: guest.token })).status).toBe(201)
  })

  test('are no more than 30 when they all come at once', async () => {
    const { token } = await makeGuest()
    for (const options of [from('203.0.113.20'), { token }]) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => get(wrong(), options)))
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(30)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    }
  })

  test('do not limit a hall full of people with good codes', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    const guests = await Promise.all(Array.from({ length: 70 }, makeGuest))
    const answers = await Promise.all(
      guests.map(({ token }) =>
        patiently(() => post(`/v1/checkin/${code}`, { ...from('203.0.113.30'), token })),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const again = await Promise.all(
      guests.map(({ token }) =>
        patiently(() => post(`/v1/checkin/${code}`, { ...from('203.0.113.30'), token })),
      ),
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
    const answers = await whileRedisAnswers(servers, (address) =>
      Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          get(wrong(), { base: servers[i % 2]?.url as string, ...from(address) }),
        ),
      ),
    )
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })
})
