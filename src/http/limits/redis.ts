import Redis from 'ioredis'
import { redisAddress } from '@/config/redis-address'
import { log } from '@/core/log'
import { counter, gauge } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { type Attempt, type Budget, decide, type Joint, type Limiter } from './limiter'
import { memoryLimiter } from './memory'
import { isOnlyLate } from './redis-debts'
import { redisAttempts } from './redis-failures'
import { redisKey } from './redis-keys'
import { withScripts } from './redis-scripts'
import { redisWindows } from './redis-windows'

const REST_MS = 500

let isCounting = false
gauge(
  'folkmoot_redis_up',
  'Whether limits are counted in Redis; if not, in the memory of this process.',
  () => Number(isCounting),
)
const failures = counter(
  'folkmoot_redis_failures_total',
  'Times that Redis did not answer when limits asked it.',
)

const OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: 150,
  connectTimeout: 1000,
  autoResendUnfulfilledCommands: false,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000),
}

const connect = (address: ReturnType<typeof redisAddress>) =>
  'url' in address ? new Redis(address.url, OPTIONS) : new Redis({ ...address, ...OPTIONS })

/**
 * Exact across processes: all hits of one turn of the event loop share one script call. If Redis fails, this process continues in
 * memory from the last known state without errors, and adds its count to Redis afterwards.
 */
export function redisLimiter(url: string): Limiter & { close(): void } {
  const redis = withScripts(connect(redisAddress(url)))
  // A graceful server shutdown closes the connection without an error.
  let lastError: unknown = new Error('The connection has ended')
  redis.on('error', (error) => {
    lastError = error
  })
  let counting: boolean | undefined
  let closed = false
  const setInRedis = (inRedis: boolean) => {
    if (inRedis !== counting)
      if (inRedis) log.info('limits: counting in Redis')
      else log.warn('limits: counting in memory, Redis does not answer', reasonOf(lastError))
    counting = inRedis
    isCounting = inRedis
  }
  redis.on('ready', () => setInRedis(true))
  redis.on('close', () => closed || setInRedis(false))
  const beginInRedis = redisAttempts(redis)

  const memory = memoryLimiter()
  let restUntil = 0

  const isAway = () => performance.now() < restUntil || redis.status !== 'ready'

  function lost(error: unknown) {
    failures.value += 1
    lastError = error
    setInRedis(false)
    restUntil = performance.now() + REST_MS
    // Separate counts let more pass, so a short hiccup must not cause a long pause.
    void redis.ping().then(
      () => {
        restUntil = 0
      },
      () => {},
    )
  }

  const terms = { isAway, lost }
  const { hit, owed } = redisWindows({
    ...terms,
    script: (...all) => redis.grant(...all),
    inMemory: memory.hit,
    counted(key, used, resetAtMs) {
      setInRedis(true)
      memory.learn(key, used, resetAtMs)
    },
  })
  const sliding = redisWindows({ ...terms, script: (...all) => redis.slide(...all), inMemory: memory.slide })

  function hitAllInMemory(budgets: Budget[]): Joint {
    const joint = memory.hitAll(budgets)
    if (joint.verdict.allowed) for (const budget of budgets) owed.add(budget, 1)
    return joint
  }

  async function hitAll(budgets: Budget[]): Promise<Joint> {
    if (isAway()) return hitAllInMemory(budgets)
    const paid = budgets.map(({ key }) => owed.take(key))
    try {
      const keys = budgets.map(({ key }) => redisKey(key))
      const terms = budgets.flatMap(({ limit, windowMs }, i) => [limit, windowMs, paid[i]?.hits ?? 0])
      const [granted, ...counted] = await redis.grantAll(keys.length, ...keys, ...terms)
      const verdicts = budgets.map(({ key, limit }, index) => {
        const [used, resetAtMs] = counted.slice(2 * index) as [number, number]
        memory.learn(key, used, resetAtMs)
        return { allowed: granted === 1, limit, remaining: Math.max(0, limit - used), resetAtMs }
      })
      return decide(budgets, verdicts, granted === 1)
    } catch (error) {
      owed.fail(
        error,
        paid.filter((debt) => debt !== undefined),
      )
      return isOnlyLate(error) ? memory.hitAll(budgets) : hitAllInMemory(budgets)
    }
  }

  async function giveBack(budgets: Budget[]): Promise<void> {
    memory.giveBack(budgets)
    if (isAway()) {
      for (const budget of budgets) owed.add(budget, -1)
      return
    }
    await redis.giveBack(budgets.length, ...budgets.map(({ key }) => redisKey(key))).catch(lost)
  }

  function beginInMemory(budget: Budget): Attempt {
    const begun = memory.beginAttempt(budget)
    return {
      ...begun,
      async end(failed) {
        if (failed) await hit(budget, 1)
        await begun.end(false)
      },
    }
  }

  async function beginAttempt(budget: Budget): Promise<Attempt> {
    if (isAway()) return beginInMemory(budget)
    try {
      const { leave, ...begun } = await beginInRedis(budget)
      return {
        ...begun,
        async end(failed) {
          // Counts the failure before it frees the place, so that no attempt sees both free.
          if (failed) await hit(budget, 1)
          await leave().catch(lost)
        },
      }
    } catch (error) {
      lost(error)
      return beginInMemory(budget)
    }
  }

  return {
    hit,
    hitAll,
    giveBack,
    slide: (budget) => sliding.hit(budget, 1),
    beginAttempt,
    close() {
      closed = true
      owed.close()
      sliding.owed.close()
      redis.disconnect()
    },
  }
}
