import { gathering } from './gathering'
import type { Budget, Verdict } from './limiter'
import { type Debt, debts, isOnlyLate } from './redis-debts'
import { redisKey } from './redis-keys'
import type { Script } from './redis-scripts'

type Waiting = { budget: Budget; cost: number; resolve: (verdict: Verdict) => void }

type Wish = { budget: Budget; wanted: number; cost: number; owed: number }

type Terms = {
  /** `grant` for fixed windows, `slide` for sliding ones. */
  script: Script
  isAway: () => boolean
  inMemory: (budget: Budget, cost: number) => Verdict
  lost: (error: unknown) => void
  /** What Redis has counted. */
  counted?: (key: string, used: number, resetAtMs: number) => void
}

/** Windows in Redis, exact across processes. Without Redis it counts in memory, and Redis gets the hits afterwards. */
export function redisWindows({ script, isAway, inMemory, lost, counted }: Terms) {
  /** The terms go as one text, since the client measures every argument. */
  const send = (wishes: Wish[]) =>
    script(
      wishes.length,
      ...wishes.map(({ budget }) => redisKey(budget.key)),
      wishes
        .map(
          ({ budget, wanted, cost, owed }) => `${budget.limit} ${budget.windowMs} ${wanted} ${cost} ${owed}`,
        )
        .join(' '),
    )
  const owed = debts({
    isAway,
    lost,
    pay: (debts) => send(debts.map(({ budget, hits }) => ({ budget, wanted: 0, cost: 1, owed: hits }))),
  })

  /** Counts in memory and owes the hit to Redis. */
  function instead(budget: Budget, cost: number): Verdict {
    const verdict = inMemory(budget, cost)
    if (verdict.allowed && cost > 0) owed.add(budget, cost)
    return verdict
  }

  const { add, take } = gathering<Waiting>(async (batch) => {
    const groups = new Map<string, Waiting[]>()
    for (const one of batch) {
      const name = one.cost > 1 ? `${one.budget.key} ${one.cost}` : one.budget.key
      const same = groups.get(name)
      if (same === undefined) groups.set(name, [one])
      else same.push(one)
    }
    const paid: Debt[] = []
    const wishes: Wish[] = []
    for (const hits of groups.values()) {
      const { budget, cost } = hits[0] as Waiting
      const debt = owed.take(budget.key)
      if (debt) paid.push(debt)
      const wanted = hits.reduce((sum, hit) => sum + hit.cost, 0)
      wishes.push({ budget, wanted, cost: Math.max(1, cost), owed: debt?.hits ?? 0 })
    }
    try {
      const answer = await send(wishes)
      let at = 0
      for (const hits of groups.values()) {
        const [granted, used, resetAtMs] = answer.slice(at, at + 3) as [number, number, number]
        share(hits, granted, used, resetAtMs)
        counted?.((hits[0] as Waiting).budget.key, used, resetAtMs)
        at += 3
      }
    } catch (error) {
      owed.fail(error, paid)
      const count = isOnlyLate(error) ? inMemory : instead
      for (const { budget, cost, resolve } of batch) resolve(count(budget, cost))
      // Hits that arrived meanwhile would wait in vain as well.
      for (const { budget, cost, resolve } of take()) resolve(instead(budget, cost))
    }
  })

  return {
    owed,
    hit: (budget: Budget, cost: number): Verdict | Promise<Verdict> =>
      isAway() ? instead(budget, cost) : new Promise((resolve) => add({ budget, cost, resolve })),
  }
}

/** Grants hits in order of arrival. */
function share(hits: Waiting[], granted: number, used: number, resetAtMs: number) {
  let spent = 0
  for (const { budget, cost, resolve } of hits) {
    const allowed = spent + cost <= granted
    if (allowed) spent += cost
    const remaining = Math.max(0, budget.limit - used + granted - spent)
    resolve({ allowed, limit: budget.limit, remaining, resetAtMs })
  }
}
