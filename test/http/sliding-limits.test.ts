import { describe, expect, test } from 'bun:test'
import Redis from 'ioredis'
import { advanceClock } from '@/core/clock'
import type { Budget, Limiter } from '@/http/limits/limiter'
import { memoryLimiter } from '@/http/limits/memory'
import { redisLimiter } from '@/http/limits/redis'
import { redisKey } from '@/http/limits/redis-keys'
import { slidingTable } from '@/http/limits/windows'
import { until } from '../support/processes'

const budgetOf = (limit = 3, windowMs = 1000): Budget => ({
  key: `tap:${crypto.randomUUID()}`,
  limit,
  windowMs,
})

const three = async (limiter: Pick<Limiter, 'slide'>, budget: Budget) =>
  (await Promise.all([1, 2, 3].map(() => limiter.slide(budget)))).map(({ allowed }) => allowed)

describe('in memory', () => {
  test('no interval exceeds the limit, wherever it begins', () => {
    const slide = slidingTable()
    const budget = budgetOf()
    const at = (ms: number) => {
      advanceClock(ms)
      const { allowed } = slide(budget)
      advanceClock(-ms)
      return allowed
    }
    expect([at(0), at(600), at(900), at(950)]).toEqual([true, true, true, false])
    // One place is free once the first hit is a second old, and not three.
    expect([at(1100), at(1150), at(1590)]).toEqual([true, false, false])
    expect([at(1650), at(1660), at(1950), at(1960)]).toEqual([true, false, true, false])
  })

  test('says how many are left and when the next place is free', () => {
    const { slide } = memoryLimiter()
    const budget = budgetOf(2, 60_000)
    const [first, second, refused] = [slide(budget), slide(budget), slide(budget)]
    expect([first.remaining, second.remaining, refused.remaining]).toEqual([1, 0, 0])
    expect([first.allowed, second.allowed, refused.allowed]).toEqual([true, true, false])
    expect(refused.resetAtMs).toBe(first.resetAtMs)
  })

  test('a crowd of other keys does not make it forget within its stretch', () => {
    const slide = slidingTable(100)
    const budget = budgetOf(1, 60_000)
    slide(budget)
    for (let i = 0; i < 99; i += 1) slide(budgetOf(1, 60_000))
    expect(slide(budget).allowed).toBe(false)
  })
})

const redisUrl = process.env.TEST_REDIS_URL
if (!redisUrl) console.log('!! no Redis: the sliding limit over several processes is NOT tested')

describe.if(Boolean(redisUrl))('with Redis', () => {
  test('is exact for sixty at once over two processes, and slides', async () => {
    const [one, two] = [redisLimiter(redisUrl as string), redisLimiter(redisUrl as string)]
    for (const limiter of [one, two])
      await until('Redis counts', () => limiter.slide(budgetOf()) instanceof Promise)
    const budget = budgetOf(3, 60_000)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => ([one, two][i % 2] as Limiter).slide(budget)),
    )
    const allowed = answers.filter((verdict) => verdict.allowed)
    expect(allowed.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2])
    expect(new Set(answers.map(({ resetAtMs }) => resetAtMs)).size).toBe(1)
    // As if the first of the three were older than the stretch.
    const redis = new Redis(redisUrl as string)
    const key = redisKey(budget.key)
    const [oldest = '', ...rest] = ((await redis.get(key)) ?? '').split(' ')
    await redis.set(key, [Number(oldest) - 60_001, ...rest].join(' '), 'KEEPTTL')
    expect(await three(one, budget)).toEqual([true, false, false])
    redis.disconnect()
    one.close()
    two.close()
  })
})
