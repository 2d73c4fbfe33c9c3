import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Redis from 'ioredis'
import { advanceClock } from '@/core/clock'
import { countFor, limiterElsewhere } from '@/http/limits/counted-elsewhere'
import type { Budget, Limiter } from '@/http/limits/limiter'
import { memoryLimiter } from '@/http/limits/memory'
import { redisLimiter } from '@/http/limits/redis'
import { redisKey } from '@/http/limits/redis-keys'
import { call, get } from '../support/api'
import { makeCaller, makeSession, makeToken } from '../support/make'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'

describe('a window', () => {
  test('opens with the first hit, refuses past the limit and ends after its length', () => {
    const limiter = memoryLimiter()
    const budget = { key: 'k', limit: 3, windowMs: 3_600_000 }
    expect(limiter.hit(budget, 0)).toMatchObject({ allowed: true, remaining: 3 })
    const resets = new Set<number>()
    for (const remaining of [2, 1, 0]) {
      const verdict = limiter.hit(budget, 1)
      expect(verdict).toMatchObject({ allowed: true, remaining })
      resets.add(verdict.resetAtMs)
      advanceClock(1_000_000)
    }
    expect(limiter.hit(budget, 1)).toMatchObject({ allowed: false, remaining: 0 })
    expect(resets.size).toBe(1)
    advanceClock(600_001)
    expect(limiter.hit(budget, 1)).toMatchObject({ allowed: true, remaining: 2 })
    advanceClock(-3_600_001)
  })

  test('is not evicted by a hundred thousand windows of another kind', () => {
    const limiter = memoryLimiter()
    const address = { key: 'a:192.0.2.1', limit: 1, windowMs: 3_600_000 }
    limiter.hit(address, 1)
    for (let i = 0; i <= 100_000; i += 1) limiter.hit({ key: `mailbox:${i}`, limit: 5, windowMs: 60_000 }, 1)
    expect(limiter.hit(address, 1).allowed).toBe(false)
  })

  test('that is used up is not evicted by any number of the same kind', () => {
    const limiter = memoryLimiter(1000)
    const budget = (name: string) => ({ key: `mailbox:${name}`, limit: 5, windowMs: 3_600_000 })
    for (let i = 0; i < 5; i += 1) limiter.hit(budget('mine'), 1)
    for (let i = 0; i < 5000; i += 1) {
      limiter.hit(budget(`invented ${i}`), 1)
      limiter.hit(budget(`invented ${i}`), 1)
    }
    expect(limiter.hit(budget('mine'), 1)).toMatchObject({ allowed: false, remaining: 0 })
    // What was pushed out were the oldest of those that had been charged least.
    expect(limiter.hit(budget('invented 1'), 0).remaining).toBe(5)
    expect(limiter.hit(budget('invented 4999'), 0).remaining).toBe(3)
  })

  test('makes room once it has ended, however much it was charged', () => {
    const limiter = memoryLimiter(100)
    const budget = (name: string) => ({ key: `mailbox:${name}`, limit: 5, windowMs: 3_600_000 })
    const open = (name: string) => {
      for (let i = 0; i < 4; i += 1) limiter.hit(budget(name), 1)
    }
    for (let i = 0; i < 100; i += 1) open(`old ${i}`)
    advanceClock(3_600_001)
    for (let i = 0; i < 90; i += 1) limiter.hit(budget(`new ${i}`), 1)
    const kept = Array.from({ length: 90 }, (_, i) => limiter.hit(budget(`new ${i}`), 0).remaining)
    advanceClock(-3_600_001)
    expect(kept.filter((remaining) => remaining === 4)).toHaveLength(90)
  })
})

const budgetsOf = (name: string): [Budget, Budget, Budget] => [
  { key: `pair:${name}`, limit: 2, windowMs: 60_000 },
  { key: `one:${name}`, limit: 3, windowMs: 3_600_000 },
  { key: `other:${name}`, limit: 10, windowMs: 60_000 },
]

/** Several budgets at once, which are charged together or not at all. */
async function expectAllOrNone(limiter: Limiter) {
  const [pair, one, other] = budgetsOf(crypto.randomUUID())
  const left = async () =>
    (await Promise.all([pair, one, other].map((budget) => limiter.hit(budget, 0)))).map(
      ({ remaining }) => remaining,
    )
  const answers = await Promise.all(Array.from({ length: 20 }, () => limiter.hitAll([pair, one, other])))
  expect(answers.filter(({ verdict }) => verdict.allowed)).toHaveLength(2)
  expect(await left()).toEqual([0, 1, 8])
  const refused = answers.find(({ verdict }) => !verdict.allowed)
  expect(refused).toMatchObject({ budget: pair, verdict: { limit: 2, remaining: 0 } })
  expect((await limiter.hitAll([one, other])).verdict).toMatchObject({
    allowed: true,
    limit: 3,
    remaining: 0,
  })
  // Of two that refuse, the one that does so for longer is named.
  expect(await limiter.hitAll([pair, one, other])).toMatchObject({ budget: one, verdict: { allowed: false } })
  expect(await left()).toEqual([0, 0, 7])
  // What is given back can be had again, and never more than was taken.
  await limiter.giveBack([pair, one])
  expect(await left()).toEqual([1, 1, 7])
  expect((await limiter.hitAll([pair, one, other])).verdict.allowed).toBe(true)
  for (let i = 0; i < 3; i += 1) await limiter.giveBack([pair])
  expect(await left()).toEqual([2, 0, 6])
}

test('several budgets are charged together or not at all, by twenty at once', () =>
  expectAllOrNone(memoryLimiter()))

test('the same where another process counts', () => {
  const counting = countFor(memoryLimiter())
  const { limiter, receive } = limiterElsewhere((calls) => receive(counting.answer(calls)))
  return expectAllOrNone(limiter)
})

const redisUrl = process.env.TEST_REDIS_URL
if (!redisUrl) console.log('!! no Redis: that a refused batch costs nothing there is NOT tested')

describe.if(Boolean(redisUrl))('with Redis', () => {
  test('a window opens with the first hit and does not slide with the next', async () => {
    const limiter = redisLimiter(redisUrl as string)
    const budget = { key: `t:${crypto.randomUUID()}`, limit: 10, windowMs: 60_000 }
    await until('Redis counts', () => limiter.hit({ ...budget, key: `${budget.key}-` }, 0) instanceof Promise)
    const first = await limiter.hit(budget, 1)
    // As if most of the window had gone by.
    const redis = new Redis(redisUrl as string)
    const key = redisKey(budget.key)
    await redis.pexpire(key, 5000)
    const next = await limiter.hit(budget, 1)
    expect(first.resetAtMs - next.resetAtMs).toBeGreaterThan(50_000)
    expect(await redis.pttl(key)).toBeLessThanOrEqual(5000)
    await redis.pexpire(key, 0)
    expect(await limiter.hit(budget, 1)).toMatchObject({ allowed: true, remaining: 9 })
    redis.disconnect()
    limiter.close()
  })

  test('a batch that does not fit is refused whole and costs nothing', async () => {
    const limiter = redisLimiter(redisUrl as string)
    const budget = { key: `t:${crypto.randomUUID()}`, limit: 10, windowMs: 60_000 }
    // In memory until Redis answers: then the first hit of all has gone there.
    await until('Redis counts', () => limiter.hit({ ...budget, key: `${budget.key}-` }, 0) instanceof Promise)
    await Promise.all(Array.from({ length: 5 }, () => limiter.hit(budget, 1)))
    expect(await limiter.hit(budget, 9)).toMatchObject({ allowed: false, remaining: 5 })
    const together = await Promise.all([9, 1, 3].map((cost) => limiter.hit(budget, cost)))
    expect(together.map(({ allowed }) => allowed)).toEqual([false, true, true])
    expect(await limiter.hit(budget, 1)).toMatchObject({ allowed: true, remaining: 0 })
    limiter.close()
  })
})

describe.if(Boolean(redisUrl))('with Redis, several budgets', () => {
  test('are charged together or not at all, by twenty at once over two processes', async () => {
    const [one, two] = [redisLimiter(redisUrl as string), redisLimiter(redisUrl as string)]
    for (const limiter of [one, two])
      await until('Redis counts', () => limiter.hit(budgetsOf('x')[0], 0) instanceof Promise)
    let turn = 0
    const either = () => [one, two][turn++ % 2] as Limiter
    await expectAllOrNone({
      hit: (budget, cost) => either().hit(budget, cost),
      hitAll: (budgets) => either().hitAll(budgets),
      giveBack: (budgets) => either().giveBack(budgets),
      slide: (budget) => either().slide(budget),
      beginAttempt: (budget) => either().beginAttempt(budget),
    })
    one.close()
    two.close()
  })
})

describe('over HTTP', () => {
  test('all credentials of one person share one budget', async () => {
    const { user, token } = await makeCaller()
    const other = await makeToken(user.id, ['read:user'])
    const session = await makeSession(user.id)
    const left = [
      await get('/v1/me', { token }),
      await get('/v1/me', { token: other.token }),
      await get('/v1/me', { session }),
      await get('/v1/nowhere', { token }),
    ].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(left).toEqual([999, 998, 997, 996])
  })

  test('each of a crowd is shown a budget of its own, the same or not', async () => {
    const left = async (address: string) => {
      const { headers } = await get('/v1/scopes', { headers: { 'x-forwarded-for': address } })
      return ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
    }
    const [one, two, three] = ['10.204.0.1', '10.204.0.2', '10.204.0.3'] as const
    const shown = []
    for (const address of [one, two, three, one, one, two]) shown.push(await left(address))
    expect(shown).toEqual([59, 59, 59, 58, 57, 58].map((remaining) => [60, remaining]))
    const { token } = await makeCaller()
    const mine = await get('/v1/scopes', { token })
    expect(mine.headers.get('x-ratelimit-limit')).toBe('1000')
    expect(await left(three)).toEqual([60, 58])
  })

  test('unknown addresses are counted under any host name', async () => {
    for (const [index, host] of ['localhost', 'a b', '[', '', 'a?b', '%', 'a:99999'].entries()) {
      const left = async (path: string) =>
        (await get(path, { headers: { host, 'x-forwarded-for': `10.202.0.${index}` } })).headers.get(
          'x-ratelimit-remaining',
        )
      expect([host, await left('/v1/nothing'), await left('/v1/nothing?at=http://x/y')]).toEqual([
        host,
        '59',
        '58',
      ])
    }
  })

  test('a preflight tells what may be sent and shows the budget without charging it', async () => {
    const headers = { 'x-forwarded-for': '10.203.0.1', origin: 'https://elsewhere.example' }
    const left = async (method: string, path = '/v1/scopes') =>
      (await call(method, path, { headers })).headers.get('x-ratelimit-remaining')
    expect(await left('OPTIONS')).toBe('60')
    expect(await left('GET')).toBe('59')
    // From one address: another one would have a budget of its own.
    for (const path of ['/v1/scopes', '/v1/me', '/v1/nowhere']) expect(await left('OPTIONS', path)).toBe('59')
    expect(await left('GET')).toBe('58')
    const answer = await call('OPTIONS', '/v1/profile', { headers })
    expect([answer.status, answer.text, answer.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '',
      '*',
    ])
    const told = (name: string) => (answer.headers.get(name) ?? '').toLowerCase().split(/, */)
    expect(told('access-control-allow-methods')).toEqual(
      expect.arrayContaining(['get', 'head', 'post', 'put', 'patch', 'delete']),
    )
    expect(told('access-control-allow-headers')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'if-none-match']),
    )
  })
})

describe('at the door of a production server', () => {
  let server: ServerProcess
  let proxied: ServerProcess
  beforeAll(async () => {
    const shared = { DATABASE_URL: await ownDatabase(), RATE_LIMIT_ANONYMOUS_PER_HOUR: '20' }
    server = await startServer(shared)
    proxied = await startServer({ ...shared, TRUSTED_PROXIES: '127.0.0.0/8, ::1' })
  })
  afterAll(async () => {
    await server.stop()
    await proxied.stop()
  })

  test('strangers get their hourly share; failed credentials and forged addresses count against it', async () => {
    const answers: number[] = []
    for (let i = 0; i < 25; i += 1) {
      const forged = {
        'x-forwarded-for': `203.0.113.${i}`,
        'x-real-ip': `203.0.113.${i}`,
        forwarded: `for=203.0.113.${i}`,
        'cf-connecting-ip': `203.0.113.${i}`,
      }
      const { status } = await get(i % 2 ? '/v1/scopes' : '/v1/me', {
        base: server.url,
        headers: forged,
        ...(i % 4 === 0 && { token: 'fm_pat_bad' }),
      })
      answers.push(status)
    }
    expect(answers.filter((status) => status !== 429)).toHaveLength(20)
    const refused = await get('/v1/scopes', { base: server.url })
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(3500)
    expect(wait).toBeLessThanOrEqual(3600)
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(
      Math.abs(Number(refused.headers.get('x-ratelimit-reset')) - Date.now() / 1000 - wait),
    ).toBeLessThan(60)
    expect((await get('/healthz', { base: server.url })).status).toBe(200)
    expect((await get('/openapi.json', { base: server.url })).status).toBe(200)
  })

  test('behind a proxy of ours the right-most untrusted hop counts', async () => {
    const left = async (forwarded: string) =>
      Number(
        (
          await get('/v1/scopes', { base: proxied.url, headers: { 'x-forwarded-for': forwarded } })
        ).headers.get('x-ratelimit-remaining'),
      )
    expect(await left('198.51.100.7')).toBe(19)
    expect(await left('1.2.3.4, 198.51.100.7')).toBe(18)
    expect(await left('9.9.9.9, 198.51.100.7, 127.0.0.9')).toBe(17)
    expect(await left('::ffff:198.51.100.7')).toBe(16)
    expect(await left('9.9.9.9:80, 198.51.100.7:50312, 127.0.0.9:443')).toBe(15)
    expect(await left('198.51.100.8')).toBe(19)
    expect(await left('2001:db8:1:2::1')).toBe(19)
    expect(await left('2001:db8:1:2:ffff::2')).toBe(18)
    expect(await left('2001:db8:1:3::1')).toBe(19)
    expect(await left('[2001:db8:1:3::1]:50312, [::ffff:127.0.0.9]')).toBe(18)
  })
})
