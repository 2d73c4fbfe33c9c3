import Redis from 'ioredis'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { type Budget, decide, type Joint, type Limiter, type Try, type Verdict } from './limiter'
import { memoryLimiter } from './memory'
import { triesIn } from './redis-failures'

/**
 * KEYS: windows. ARGV: limit, length in ms, what is wanted and what one hit costs, for each. Grants as many whole
 * hits as fit; answers granted, used and the end of the window, by the clock of Redis alone.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
for i = 1, #KEYS do
  local limit, length = tonumber(ARGV[4*i-3]), tonumber(ARGV[4*i-2])
  local wanted, cost = tonumber(ARGV[4*i-1]), tonumber(ARGV[4*i])
  local used = tonumber(redis.call('GET', KEYS[i]) or '0')
  local left = redis.call('PTTL', KEYS[i])
  local granted = math.max(0, math.min(wanted, limit - used))
  granted = granted - granted % cost
  if left < 0 then left = length end
  if granted > 0 then
    redis.call('SET', KEYS[i], used + granted, 'PX', left)
    used = used + granted
  end
  answer[#answer+1] = granted
  answer[#answer+1] = used
  answer[#answer+1] = now + left
end
return answer`

/**
 * KEYS: windows. ARGV: limit and length in ms of each. Charges all of them once, or none where one has no room; answers
 * whether it did, then used and the end of each window.
 */
const ALL_OR_NONE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {1}
for i = 1, #KEYS do
  local used = tonumber(redis.call('GET', KEYS[i]) or '0')
  local left = redis.call('PTTL', KEYS[i])
  if left < 0 then left = tonumber(ARGV[2*i]) end
  if used >= tonumber(ARGV[2*i-1]) then answer[1] = 0 end
  answer[2*i] = used
  answer[2*i+1] = left
end
for i = 1, #KEYS do
  if answer[1] == 1 then
    answer[2*i] = answer[2*i] + 1
    redis.call('SET', KEYS[i], answer[2*i], 'PX', answer[2*i+1])
  end
  answer[2*i+1] = now + answer[2*i+1]
end
return answer`

const PREFIX = 'folkmoot:limit:'
const REST_MS = 500

type Waiting = { budget: Budget; cost: number; resolve: (verdict: Verdict) => void }
type Script = (keyCount: number, ...rest: (string | number)[]) => Promise<number[]>
type Scripted = Redis & { grant: Script; grantAll: Script }

/**
 * Exact over all processes: every hit of one turn of the event loop goes in one script call. When Redis
 * cannot answer, this process carries on in memory from what Redis said last, and nobody sees an error.
 */
export function redisLimiter(url: string): Limiter & { close(): void } {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 150,
    connectTimeout: 1000,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
  }) as Scripted
  let trouble: unknown
  redis.on('error', (error) => {
    trouble = error
  })
  let counting: boolean | undefined
  let closed = false
  const tell = (inRedis: boolean) => {
    if (inRedis !== counting)
      if (inRedis) log.info('limits: counting in Redis')
      else log.warn('limits: counting in memory, Redis does not answer', trouble ? reasonOf(trouble) : {})
    counting = inRedis
  }
  redis.on('ready', () => tell(true))
  redis.on('close', () => closed || tell(false))
  redis.defineCommand('grant', { lua: SCRIPT })
  redis.defineCommand('grantAll', { lua: ALL_OR_NONE })
  const tries = triesIn(redis, PREFIX)

  const memory = memoryLimiter()
  let waiting: Waiting[] = []
  let restUntil = 0

  const isAway = () => performance.now() < restUntil || redis.status !== 'ready'

  function lost() {
    tell(false)
    restUntil = performance.now() + REST_MS
  }

  function hit(budget: Budget, cost: number): Verdict | Promise<Verdict> {
    if (isAway()) return memory.hit(budget, cost)
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
    for (const hits of grouped.values()) {
      const {
        budget: { key, limit, windowMs },
        cost,
      } = hits[0] as Waiting
      keys.push(PREFIX + key)
      const wanted = hits.reduce((sum, hit) => sum + hit.cost, 0)
      wishes.push(limit, windowMs, wanted, Math.max(1, cost))
    }
    try {
      const answer = await redis.grant(keys.length, ...keys, ...wishes)
      tell(true)
      let at = 0
      for (const hits of grouped.values()) {
        const { key } = (hits[0] as Waiting).budget
        share(hits, answer[at] as number, answer[at + 1] as number, answer[at + 2] as number)
        memory.learn(key, answer[at + 1] as number, answer[at + 2] as number)
        at += 3
      }
    } catch {
      lost()
      for (const { budget, cost, resolve } of batch) resolve(memory.hit(budget, cost))
    }
  }

  async function hitAll(budgets: Budget[]): Promise<Joint> {
    if (isAway()) return memory.hitAll(budgets)
    try {
      const keys = budgets.map(({ key }) => PREFIX + key)
      const terms = budgets.flatMap(({ limit, windowMs }) => [limit, windowMs])
      const [granted, ...counted] = await redis.grantAll(keys.length, ...keys, ...terms)
      const verdicts = budgets.map(({ key, limit }, index) => {
        const [used, resetAtMs] = counted.slice(2 * index) as [number, number]
        memory.learn(key, used, resetAtMs)
        return { allowed: granted === 1, limit, remaining: Math.max(0, limit - used), resetAtMs }
      })
      return decide(budgets, verdicts, granted === 1)
    } catch {
      lost()
      return memory.hitAll(budgets)
    }
  }

  async function begin(budget: Budget): Promise<Try> {
    if (isAway()) return memory.begin(budget)
    try {
      const { leave, ...begun } = await tries(budget)
      return {
        ...begun,
        async end(failed) {
          // Counted before its place is free, so that nobody finds both.
          if (failed) await hit(budget, 1)
          await leave().catch(lost)
        },
      }
    } catch {
      lost()
      return memory.begin(budget)
    }
  }

  return {
    hit,
    hitAll,
    begin,
    close() {
      closed = true
      redis.disconnect()
    },
  }
}

/** Hands what was granted to the hits in the order in which they came. */
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
