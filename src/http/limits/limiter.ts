/** A fixed window that opens with the first hit. */
export type Budget = { key: string; limit: number; windowMs: number }

export type Verdict = { allowed: boolean; limit: number; remaining: number; resetAtMs: number }

/** Charges a budget, or with `cost` 0 only looks at it. */
export type Limiter = { hit(budget: Budget, cost: number): Verdict | Promise<Verdict> }
