import Redis from 'ioredis'
import { redisAddress } from '@/config/redis-address'
import { log } from '@/core/log'
import { counter, gauge } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { type Attempt, type Budget, decide, type Joint, type Limiter, type Verdict } from './limiter'
import { memoryLimiter } from './memory'
import { type Debt, debts, isOnlyLate } from './redis-debts'
import { redisAttempts } from './redis-failures'
import { redisKey } from './redis-keys'
import { withScripts } from './redis-scripts'
import { redisSliding } from './redis-sliding'

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

type Waiting = { budget: Budget; cost: number; resolve: (verdict: Verdict) => void }

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
  let waiting: Waiting[] = []
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

  const sliding = redisSliding(redis, { isAway, inMemory: memory.slide, lost })
  const owed = debts({
    isAway,
    lost,
    pay: (debts) =>
      redis.grant(
        debts.length,
        ...debts.map(({ budget }) => redisKey(budget.key)),
        ...debts.flatMap(({ budget: { limit, windowMs }, hits }) => [limit, windowMs, 0, 1, hits]),
      ),
  })

  function hitInMemory(budget: Budget, cost: number): Verdict {
    const verdict = memory.hit(budget, cost)
    if (verdict.allowed && cost > 0) owed.add(budget, cost)
    return verdict
  }

  function hitAllInMemory(budgets: Budget[]): Joint {
    const joint = memory.hitAll(budgets)
    if (joint.verdict.allowed) for (const budget of budgets) owed.add(budget, 1)
    return joint
  }

  function hit(budget: Budget, cost: number): Verdict | Promise<Verdict> {
    if (isAway()) return hitInMemory(budget, cost)
    return new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(ask)
      waiting.push({ budget, cost, resolve })
    })
  }

  async function ask() {
    const batch = waiting
    waiting = []
    const grouped = Map.groupBy(batch, ({ budget: { key }, cost }) => (cost > 1 ? `${key} ${cost}` : key))
    const keys: string[] = []
    const wishes: number[] = []
    const paid: Debt[] = []
    for (const hits of grouped.values()) {
      const {
        budget: { key, limit, windowMs },
        cost,
      } = hits[0] as Waiting
      keys.push(redisKey(key))
      const wanted = hits.reduce((sum, hit) => sum + hit.cost, 0)
      const debt = owed.take(key)
      if (debt) paid.push(debt)
      wishes.push(limit, windowMs, wanted, Math.max(1, cost), debt?.hits ?? 0)
    }
    try {
      const answer = await redis.grant(keys.length, ...keys, ...wishes)
      setInRedis(true)
      let at = 0
      for (const hits of grouped.values()) {
        const { key } = (hits[0] as Waiting).budget
        share(hits, answer[at] as number, answer[at + 1] as number, answer[at + 2] as number)
        memory.learn(key, answer[at + 1] as number, answer[at + 2] as number)
        at += 3
      }
    } catch (error) {
      owed.fail(error, paid)
      const count = isOnlyLate(error) ? memory.hit : hitInMemory
      for (const { budget, cost, resolve } of batch) resolve(count(budget, cost))
    }
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
    slide: sliding.slide,
    beginAttempt,
    close() {
      closed = true
      owed.close()
      sliding.close()
      redis.disconnect()
    },
  }
}

/** Grants hits in order of arrival. */
function share(hits: Waiting[], granted: number, used: number, resetAtMs: number) {
  let spent = 0
  for (const { budget, cost, resolve } of hits) {
    const allowed = spent + cost <= granted
    if (allowed) spent += cost
    resolve({
      allowed,
      limit: budget.limit,
      remaining: Math.max(0, budget.limit - used + granted - spent),
      resetAtMs,
    })
  }
}
