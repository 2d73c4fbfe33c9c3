import { nowMs } from '@/core/clock'
import { type Attempt, type Budget, decide, type Limiter, type Verdict } from './limiter'
import { slidingTable, windowTable } from './windows'

type Windows = ReturnType<typeof windowTable>

export function memoryLimiter(windowsMax?: number) {
  const kinds = new Map<string, Windows>()

  /** One table per kind: callers may choose the keys of one, and must not evict another's. */
  function windowsOf(key: string): Windows {
    const kind = key.slice(0, key.indexOf(':'))
    const known = kinds.get(kind)
    if (known) return known
    const windows = windowTable(windowsMax)
    kinds.set(kind, windows)
    return windows
  }

  function hit({ key, limit, windowMs }: Budget, cost: number): Verdict {
    const at = nowMs()
    const windows = windowsOf(key)
    let window = windows.find(key)
    if (window === undefined || window.resetAtMs <= at) {
      if (cost === 0) return { allowed: true, limit, remaining: limit, resetAtMs: at + windowMs }
      window = windows.open(key, at + windowMs, at)
    }
    const allowed = window.used + cost <= limit
    if (allowed) windows.use(key, window, window.used + cost)
    return { allowed, limit, remaining: Math.max(0, limit - window.used), resetAtMs: window.resetAtMs }
  }

  function hitAll(budgets: Budget[]) {
    const seen = budgets.map((budget) => hit(budget, 0))
    const allowed = seen.every(({ remaining }) => remaining > 0)
    return decide(budgets, allowed ? budgets.map((budget) => hit(budget, 1)) : seen, allowed)
  }

  function giveBack(budgets: Budget[]) {
    for (const { key } of budgets) {
      const windows = windowsOf(key)
      const window = windows.find(key)
      if (window && window.used > 0 && window.resetAtMs > nowMs()) windows.use(key, window, window.used - 1)
    }
  }

  const running = new Map<string, number>()

  function beginAttempt(budget: Budget): Attempt {
    const { key } = budget
    const seen = hit(budget, 0)
    const others = running.get(key) ?? 0
    const allowed = others < seen.remaining
    if (allowed) running.set(key, others + 1)
    return {
      verdict: { ...seen, allowed },
      running: others,
      end(failed) {
        if (failed) hit(budget, 1)
        const left = (running.get(key) ?? 0) - 1
        if (left > 0) running.set(key, left)
        else running.delete(key)
      },
    }
  }

  return {
    hit,
    hitAll,
    giveBack,
    slide: slidingTable(windowsMax),
    beginAttempt,
    /** Takes over the count of another limiter. */
    learn(key: string, used: number, resetAtMs: number) {
      const windows = windowsOf(key)
      const window = windows.find(key) ?? windows.open(key, resetAtMs, nowMs())
      windows.use(key, window, used)
      window.resetAtMs = resetAtMs
    },
  } satisfies Limiter & { learn: unknown }
}
