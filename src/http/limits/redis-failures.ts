import type Redis from 'ioredis'
import { gathering } from './gathering'
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

type Waiting = {
  budget: Budget
  name: string
  resolve: (begun: Begun) => void
  reject: (error: unknown) => void
}

type Begun = Omit<Attempt, 'end'> & { leave(): Promise<unknown> }

/** Running attempts, exact across processes. Those of a key that gather share a call. */
export function redisAttempts(client: Redis) {
  const redis = client as Scripted
  redis.defineCommand('beginAttempts', { lua: SCRIPT })
  const runningIn = (key: string) => `${redisKey(key)} running`

  const beginning = gathering<Waiting>(async (batch) => {
    await Promise.all(
      Map.groupBy(batch, ({ budget }) => budget.key)
        .values()
        .map((same) => begin((same[0] as Waiting).budget, same)),
    )
  })

  async function begin({ key, limit, windowMs }: Budget, batch: Waiting[]) {
    const names = batch.map(({ name }) => name)
    try {
      const [begun, before, used, resetAtMs] = (await redis.beginAttempts(
        ...[2, redisKey(key), runningIn(key), limit, windowMs, LASTS_MS, ...names],
      )) as [number, number, number, number]
      const verdict = { limit, remaining: Math.max(0, limit - used), resetAtMs }
      for (const [index, { name, resolve }] of batch.entries())
        resolve({
          verdict: { ...verdict, allowed: index < begun },
          running: before + Math.min(index, begun),
          leave: () => redis.zrem(runningIn(key), name),
        })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (budget: Budget): Promise<Begun> =>
    new Promise((resolve, reject) => beginning.add({ budget, name: crypto.randomUUID(), resolve, reject }))
}
