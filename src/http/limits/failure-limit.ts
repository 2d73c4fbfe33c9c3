import { beginAttempt } from './hourly'
import type { Attempt, Budget, Verdict } from './limiter'

const AGAIN_MS = 5

type Terms<T> = {
  failed: (outcome: PromiseSettledResult<T>) => boolean
  /** The error after too many failures. */
  refuse: (verdict: Verdict) => Error
}

/**
 * Runs an attempt that counts only if it fails, because a hall full of people shares one address. It reserves its place before it
 * runs, so that concurrent attempts cannot exceed the limit; if running attempts hold all places, it waits for them.
 */
export async function withFailureLimit<T>(
  budget: Budget,
  run: () => T | Promise<T>,
  { failed, refuse }: Terms<T>,
): Promise<T> {
  const begun = await takePlace(budget)
  if (!begun.verdict.allowed) throw refuse(begun.verdict)
  const [outcome] = await Promise.allSettled([(async () => run())()])
  // The answer does not wait for the count: the place stays reserved until then.
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

/** The last waiting attempt per key. */
const lines = new Map<string, Promise<Attempt>>()

/** Waiting attempts queue up, so that only the first polls. */
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
    // Attempts in other processes do not signal their end.
    await Bun.sleep(AGAIN_MS)
  }
}
