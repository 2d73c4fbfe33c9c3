import { nowMs } from '@/core/clock'

/** A fixed window that opens with the first hit. */
export type Budget = { key: string; limit: number; windowMs: number }

export type Verdict = { allowed: boolean; limit: number; remaining: number; resetAtMs: number }

/** An attempt that counts only when it fails: whether it may begin, and how many that began before it still run. */
export type Attempt = {
  verdict: Verdict
  running: number
  /** Only for one that began: lets go of its place, or charges the budget when it failed. */
  end(failed: boolean): void | Promise<void>
}

/** The verdict of several budgets together, and the budget that decided it. */
export type Joint = { verdict: Verdict; budget: Budget }

export type Limiter = {
  /** Charges a budget, or with `cost` 0 only looks at it. */
  hit(budget: Budget, cost: number): Verdict | Promise<Verdict>
  /** Charges each of them once, or none where one of them has no room: a refusal must not use up the others. */
  hitAll(budgets: Budget[]): Joint | Promise<Joint>
  /** Takes one charge off each of them. */
  giveBack(budgets: Budget[]): void | Promise<void>
  /** Charges a stretch that slides: no `windowMs` holds more than `limit` hits, wherever it begins. */
  slide(budget: Budget): Verdict | Promise<Verdict>
  /** Begins an attempt where the budget has room for it and for all that run, should all of them fail. */
  beginAttempt(budget: Budget): Attempt | Promise<Attempt>
}

/** The budget that has least left or, of those that refuse, the one that does so for longest. */
export function decide(budgets: Budget[], verdicts: Verdict[], allowed: boolean): Joint {
  const rank = ({ remaining, resetAtMs }: Verdict) => (allowed ? remaining : remaining > 0 ? 0 : -resetAtMs)
  let first = 0
  for (const [index, verdict] of verdicts.entries())
    if (rank(verdict) < rank(verdicts[first] as Verdict)) first = index
  return { verdict: { ...(verdicts[first] as Verdict), allowed }, budget: budgets[first] as Budget }
}

/** Seconds until the window ends, as `Retry-After` says it: at least one. */
export const secondsLeft = ({ resetAtMs }: Verdict): number =>
  Math.max(1, Math.ceil((resetAtMs - nowMs()) / 1000))
