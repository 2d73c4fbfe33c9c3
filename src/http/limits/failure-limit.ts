import { beginAttempt } from './hourly'
import type { Attempt, Budget, Verdict } from './limiter'

const AGAIN_MS = 5

type Terms<T> = {
  /** Whether an outcome counts as a failure. */
  failed: (outcome: PromiseSettledResult<T>) => boolean
  /** The refusal once too many have failed. */
  refuse: (verdict: Verdict) => Error
}

/**
 * Runs an attempt that counts only when it fails: a hall full of people is one address. Its place is taken before it
 * runs, so that attempts made at the same moment are no more than there are left; one that finds all places taken by
 * attempts that still run waits to see how they end.
 */
export async function withFailureLimit<T>(
  budget: Budget,
  run: () => T | Promise<T>,
  { failed, refuse }: Terms<T>,
): Promise<T> {
  const begun = await takePlace(budget)
  if (!begun.verdict.allowed) throw refuse(begun.verdict)
  const [outcome] = await Promise.allSettled([(async () => run())()])
  // The answer does not wait for the count: until that is done the place is taken.
  void begun.end(failed(outcome))
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

async function takePlace(budget: Budget): Promise<Attempt> {
  if (lines.has(budget.key)) return inLine(budget)
  const begun = await beginAttempt(budget)
  return isDecided(begun) ? begun : inLine(budget)
}

const isDecided = ({ verdict, running }: Attempt) => verdict.allowed || running === 0

/** The last attempt that waits for a place, for each key. */
const lines = new Map<string, Promise<Attempt>>()

/** Attempts that wait do so one after the other, so that only the first keeps asking. */
async function inLine(budget: Budget): Promise<Attempt> {
  const { key } = budget
  const ask = () => askUntilDecided(budget)
  const mine = lines.get(key)?.then(ask, ask) ?? ask()
  lines.set(key, mine)
  try {
    return await mine
  } finally {
    if (lines.get(key) === mine) lines.delete(key)
  }
}

async function askUntilDecided(budget: Budget): Promise<Attempt> {
  for (;;) {
    const begun = await beginAttempt(budget)
    if (isDecided(begun)) return begun
    // Some may run in another process, which tells nobody when they end.
    await Bun.sleep(AGAIN_MS)
  }
}
