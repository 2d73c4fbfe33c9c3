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
    const hits = new Map<string, Waiting[]>()
    for (const one of batch) {
      const same = hits.get(one.budget.key)
      if (same === undefined) hits.set(one.budget.key, [one])
      else same.push(one)
    }
    const keys: string[] = []
    let terms = ''
    for (const [key, same] of hits) {
      const { limit, windowMs } = (same[0] as Waiting).budget
      keys.push(prefix + key)
      terms += `${limit} ${windowMs} ${same.length} `
    }
    try {
      const answer = await redis.slide(keys.length, ...keys, terms)
      let at = 0
      for (const same of hits.values()) {
        share(same, answer[at] as number, answer[at + 1] as number, answer[at + 2] as number)
        at += 3
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

/** Hands what was granted to the hits in the order in which they came. */
function share(hits: Waiting[], granted: number, used: number, resetAtMs: number) {
  for (let i = 0; i < hits.length; i += 1) {
    const { budget, resolve } = hits[i] as Waiting
    resolve(slidingVerdict(i < granted, budget.limit, used - granted + Math.min(i + 1, granted), resetAtMs))
  }
}
