import type { Budget, Verdict } from './limiter'
import { type Debt, debts, isOnlyLate } from './redis-debts'
import { redisKey } from './redis-keys'
import type { Scripted } from './redis-scripts'
import { slidingVerdict } from './sliding'

type Waiting = { budget: Budget; resolve: (verdict: Verdict) => void }

type Terms = {
  isAway: () => boolean
  inMemory: (budget: Budget) => Verdict
  lost: (error: unknown) => void
}

/**
 * Sliding windows, exact across processes. Hits batch up during a script call and go with the next: in a crowd a call costs as
 * much as several hits.
 */
export function redisSliding(redis: Scripted, { isAway, inMemory, lost }: Terms) {
  const owed = debts({
    isAway,
    lost,
    pay: (debts) =>
      redis.slide(
        debts.length,
        ...debts.map(({ budget }) => redisKey(budget.key)),
        debts.map(({ budget, hits }) => `${budget.limit} ${budget.windowMs} 0 ${hits} `).join(''),
      ),
  })
  let waiting: Waiting[] = []
  let isAsking = false

  /** Counts in memory and owes the hit to Redis. */
  function instead(budget: Budget): Verdict {
    const verdict = inMemory(budget)
    if (verdict.allowed) owed.add(budget, 1)
    return verdict
  }

  function take(): Waiting[] {
    const batch = waiting
    waiting = []
    return batch
  }

  async function ask() {
    const batch = take()
    const hits = new Map<string, Waiting[]>()
    for (const one of batch) {
      const same = hits.get(one.budget.key)
      if (same === undefined) hits.set(one.budget.key, [one])
      else same.push(one)
    }
    const keys: string[] = []
    const paid: Debt[] = []
    let terms = ''
    for (const [key, same] of hits) {
      const { limit, windowMs } = (same[0] as Waiting).budget
      const debt = owed.take(key)
      if (debt) paid.push(debt)
      keys.push(redisKey(key))
      terms += `${limit} ${windowMs} ${same.length} ${debt?.hits ?? 0} `
    }
    try {
      const answer = await redis.slide(keys.length, ...keys, terms)
      let at = 0
      for (const same of hits.values()) {
        share(same, answer[at] as number, answer[at + 1] as number, answer[at + 2] as number)
        at += 3
      }
    } catch (error) {
      owed.fail(error, paid)
      const count = isOnlyLate(error) ? inMemory : instead
      for (const { budget, resolve } of batch) resolve(count(budget))
      // Hits that arrived meanwhile would wait in vain as well.
      for (const { budget, resolve } of take()) resolve(instead(budget))
    }
    isAsking = waiting.length > 0
    if (isAsking) setImmediate(ask)
  }

  function slide(budget: Budget): Verdict | Promise<Verdict> {
    if (isAway()) return instead(budget)
    return new Promise((resolve) => {
      waiting.push({ budget, resolve })
      if (isAsking) return
      isAsking = true
      setImmediate(ask)
    })
  }

  return { slide, close: owed.close }
}

/** Grants hits in order of arrival. */
function share(hits: Waiting[], granted: number, used: number, resetAtMs: number) {
  for (let i = 0; i < hits.length; i += 1) {
    const { budget, resolve } = hits[i] as Waiting
    resolve(slidingVerdict(i < granted, budget.limit, used - granted + Math.min(i + 1, granted), resetAtMs))
  }
}
