import { nowMs } from '@/core/clock'

/** A fixed window that opens with the first hit. */
export type Budget = { key: string; limit: number; windowMs: number }

export type Verdict = { allowed: boolean; limit: number; remaining: number; resetAtMs: number }

/** An attempt that counts only if it fails: whether it may begin, and how many earlier ones still run. */
export type Attempt = {
  verdict: Verdict
  running: number
  /** Only for an attempt that began: releases its place, or charges the budget on failure. */
  end(failed: boolean): void | Promise<void>
}

/** The combined verdict of several budgets, and the budget that decided it. */
export type Joint = { verdict: Verdict; budget: Budget }

export type Limiter = {
  /** Charges a budget; `cost` 0 only reads it. */
  hit(budget: Budget, cost: number): Verdict | Promise<Verdict>
  /** Charges each once, or none if one is exhausted: a refusal must not use up the others. */
  hitAll(budgets: Budget[]): Joint | Promise<Joint>
  /** Refunds one charge to each. */
  giveBack(budgets: Budget[]): void | Promise<void>
  /** Charges a sliding window: no interval of `windowMs` holds more than `limit` hits. */
  slide(budget: Budget): Verdict | Promise<Verdict>
  /** Begins an attempt if the budget allows it and all running ones to fail. */
  beginAttempt(budget: Budget): Attempt | Promise<Attempt>
}

/** The budget with the least left or, of those that refuse, the longest refusal. */
export function decide(budgets: Budget[], verdicts: Verdict[], allowed: boolean): Joint {
  const rank = ({ remaining, resetAtMs }: Verdict) => (allowed ? remaining : remaining > 0 ? 0 : -resetAtMs)
  let first = 0
  for (const [index, verdict] of verdicts.entries())
    if (rank(verdict) < rank(verdicts[first] as Verdict)) first = index
  return { verdict: { ...(verdicts[first] as Verdict), allowed }, budget: budgets[first] as Budget }
}

/** Seconds until the window ends, for `Retry-After`: at least one. */
export const secondsLeft = ({ resetAtMs }: Verdict): number =>
  Math.max(1, Math.ceil((resetAtMs - nowMs()) / 1000))
