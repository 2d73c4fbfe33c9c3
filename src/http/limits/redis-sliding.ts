import type { Budget, Verdict } from './limiter'
import type { Scripted } from './redis-scripts'
import { slidingVerdict } from './sliding'

type Waiting = { budget: Budget; resolve: (verdict: Verdict) => void }

/** Stretches that slide, exact over all processes: the hits of one turn of the event loop go in one script call. */
export function redisSliding(
  redis: Scripted,
  prefix: string,
  { instead, lost }: { instead: (budget: Budget) => Verdict; lost: (error: unknown) => void },
) {
  let waiting: Waiting[] = []

  async function ask() {
    const batch = waiting
    waiting = []
    const grouped = Map.groupBy(batch, ({ budget }) => budget.key)
    const keys: string[] = []
    const terms: number[] = []
    for (const hits of grouped.values()) {
      const { key, limit, windowMs } = (hits[0] as Waiting).budget
      keys.push(prefix + key)
      terms.push(limit, windowMs, hits.length)
    }
    try {
      const answer = await redis.slide(keys.length, ...keys, ...terms)
      let at = 0
      for (const hits of grouped.values()) {
        const [granted, used, resetAtMs] = answer.slice(at, at + 3) as [number, number, number]
        at += 3
        for (const [index, { budget, resolve }] of hits.entries())
          resolve(
            slidingVerdict(
              index < granted,
              budget.limit,
              used - granted + Math.min(index + 1, granted),
              resetAtMs,
            ),
          )
      }
    } catch (error) {
      lost(error)
      for (const { budget, resolve } of batch) resolve(instead(budget))
    }
  }

  return (budget: Budget): Promise<Verdict> =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(ask)
      waiting.push({ budget, resolve })
    })
}
