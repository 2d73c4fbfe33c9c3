/** A fixed window that opens with the first hit. */
export type Budget = { key: string; limit: number; windowMs: number }

export type Verdict = { allowed: boolean; limit: number; remaining: number; resetAtMs: number }

/** A try of something: whether it may begin, and how many that began before it have not ended yet. */
export type Try = {
  verdict: Verdict
  running: number
  /** Only for one that began: lets go of its place, or charges the budget when it failed. */
  end(failed: boolean): void | Promise<void>
}

export type Limiter = {
  /** Charges a budget, or with `cost` 0 only looks at it. */
  hit(budget: Budget, cost: number): Verdict | Promise<Verdict>
  /** Begins a try where the budget has room for it and for all that run, should all of them fail. */
  begin(budget: Budget): Try | Promise<Try>
}
