import { nowMs } from '@/core/clock'
import type { Budget } from './limiter'

/** Windows with hits that Redis has not counted yet. */
const DEBTS_MAX = 100_000
const AT_ONCE = 500
const PAUSE_MS = 50

export type Debt = { budget: Budget; hits: number; untilMs: number }

type Terms = {
  isAway: () => boolean
  pay: (debts: Debt[]) => Promise<unknown>
  lost: (error: unknown) => void
}

/** Hits counted in memory during a Redis outage, until Redis has counted them too. */
export function debts({ isAway, pay, lost }: Terms) {
  const owed = new Map<string, Debt>()
  let isPaying = false
  let isClosed = false

  /** A negative number takes back hits that are still owed. */
  function add(budget: Budget, hits: number, untilMs = nowMs() + budget.windowMs) {
    const known = owed.get(budget.key)
    const total = (known?.hits ?? 0) + hits
    if (total <= 0) owed.delete(budget.key)
    else if (known) known.hits = total
    else if (owed.size < DEBTS_MAX) owed.set(budget.key, { budget, hits: total, untilMs })
    if (!isPaying && owed.size > 0) void payAll()
  }

  /** Hands the debt of one window over to the caller, who must pay it. */
  function take(key: string): Debt | undefined {
    if (owed.size === 0) return undefined
    const debt = owed.get(key)
    owed.delete(key)
    return debt && debt.untilMs > nowMs() ? debt : undefined
  }

  /** A frozen server runs the sent commands when it resumes; a lost connection loses them too. */
  function fail(error: unknown, debts: Debt[]) {
    lost(error)
    if (!isOnlyLate(error)) for (const { budget, hits, untilMs } of debts) add(budget, hits, untilMs)
  }

  /** Pays without waiting for the next hit: the caller may reach another process from now on. */
  async function payAll() {
    isPaying = true
    while (owed.size > 0 && !isClosed) {
      await Bun.sleep(PAUSE_MS)
      if (isAway()) continue
      const some = [...owed.keys().take(AT_ONCE)].flatMap((key) => take(key) ?? [])
      if (some.length > 0) await pay(some).catch((error) => fail(error, some))
    }
    isPaying = false
  }

  return {
    add,
    take,
    fail,
    close() {
      isClosed = true
    },
  }
}

export const isOnlyLate = (error: unknown) => error instanceof Error && error.message === 'Command timed out'
