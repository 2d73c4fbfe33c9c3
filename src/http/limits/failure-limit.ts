import { begin } from './hourly'
import type { Budget, Try, Verdict } from './limiter'

const AGAIN_MS = 5

type Terms<T> = {
  /** Whether what came of it counts. */
  failed: (outcome: PromiseSettledResult<T>) => boolean
  /** What is said to whoever has no tries left. */
  refuse: (verdict: Verdict) => Error
}

/**
 * Runs a try that counts only when it fails: a hall full of people is one address. Its place is taken before anybody
 * looks, so that those made at the same moment are no more than there are left; whoever finds all places taken by
 * tries that still run waits to see how they end.
 */
export async function tryWithin<T>(
  budget: Budget,
  run: () => T | Promise<T>,
  { failed, refuse }: Terms<T>,
): Promise<T> {
  const begun = await takePlace(budget)
  if (!begun.verdict.allowed) throw refuse(begun.verdict)
  const [outcome] = await Promise.allSettled([(async () => run())()])
  // Nobody waits for it: until it is done the place is taken.
  void begun.end(failed(outcome))
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

async function takePlace(budget: Budget): Promise<Try> {
  if (lines.has(budget.key)) return inLine(budget)
  const begun = await begin(budget)
  return isDecided(begun) ? begun : inLine(budget)
}

const isDecided = ({ verdict, running }: Try) => verdict.allowed || running === 0

const lines = new Map<string, Promise<Try>>()

/** One after the other, so that of all who wait for a place only the first keeps asking. */
async function inLine(budget: Budget): Promise<Try> {
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

async function askUntilDecided(budget: Budget): Promise<Try> {
  for (;;) {
    const begun = await begin(budget)
    if (isDecided(begun)) return begun
    // Some of them may run in another process, which tells nobody when they end.
    await Bun.sleep(AGAIN_MS)
  }
}
