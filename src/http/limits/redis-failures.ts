import type Redis from 'ioredis'
import type { Attempt, Budget } from './limiter'
import { redisKey } from './redis-keys'

/**
 * KEYS: a window and its running attempts, each with its end. ARGV: limit, length in ms, maximum run time, then a name for each
 * new attempt. As many begin as fit; returns how many, how many ran before, used, and the end of the window, by the clock of
 * Redis alone.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left < 0 then left = tonumber(ARGV[2]) end
local running = redis.call('ZCARD', KEYS[2])
local begun = math.max(0, math.min(#ARGV - 3, ARGV[1] - used - running))
for i = 1, begun do redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[3 + i]) end
if begun > 0 then redis.call('PEXPIRE', KEYS[2], ARGV[3]) end
return {begun, running, used, now + left}`

/** Longer than any request may run: an older attempt belongs to a dead process. */
const LASTS_MS = 30_000

type Scripted = Redis & { beginAttempts(keyCount: number, ...rest: (string | number)[]): Promise<number[]> }

type Waiting = { name: string; resolve: (begun: Begun) => void; reject: (error: unknown) => void }

type Begun = Omit<Attempt, 'end'> & { leave(): Promise<unknown> }

/** Running attempts, exact across processes. Those of a key in one turn of the event loop share a call. */
export function redisAttempts(client: Redis) {
  const redis = client as Scripted
  redis.defineCommand('beginAttempts', { lua: SCRIPT })
  const runningIn = (key: string) => `${redisKey(key)} running`

  const begin = perTurn<Waiting, Budget>(async ({ key, limit, windowMs }, batch) => {
    const names = batch.map(({ name }) => name)
    try {
      const answer = await redis.beginAttempts(
        2,
        redisKey(key),
        runningIn(key),
        limit,
        windowMs,
        LASTS_MS,
        ...names,
      )
      const [begun, before, used, resetAtMs] = answer as [number, number, number, number]
      const verdict = { limit, remaining: Math.max(0, limit - used), resetAtMs }
      for (const [index, { name, resolve }] of batch.entries())
        resolve({
          verdict: { ...verdict, allowed: index < begun },
          running: before + Math.min(index, begun),
          leave: () => new Promise((done, failed) => leave({ key }, { name, done, failed })),
        })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  })

  type Leaving = { name: string; done: (left: unknown) => void; failed: (error: unknown) => void }
  const leave = perTurn<Leaving, { key: string }>(async ({ key }, batch) => {
    const left = redis.zrem(runningIn(key), ...batch.map(({ name }) => name))
    for (const { done, failed } of batch) left.then(done, failed)
  })

  return (budget: Budget): Promise<Begun> =>
    new Promise((resolve, reject) => begin(budget, { name: crypto.randomUUID(), resolve, reject }))
}

/** Batches the calls of a key in one turn of the event loop. */
function perTurn<T, K extends { key: string }>(ask: (of: K, batch: T[]) => Promise<void>) {
  const batches = new Map<string, T[]>()
  return (of: K, one: T) => {
    const batch = batches.get(of.key)
    if (batch) return void batch.push(one)
    const mine = [one]
    batches.set(of.key, mine)
    setImmediate(() => {
      batches.delete(of.key)
      void ask(of, mine)
    })
  }
}
