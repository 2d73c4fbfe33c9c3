import { config } from '@/config/config'
import { log } from './log'
import { reasonOf } from './reason'

/** The maximum wait. With many tests at once, small work takes longer than a second. */
const ENOUGH_MS = config.mode === 'test' ? 10_000 : 1000

/** Waits briefly for work that usually ends in time; otherwise it continues in the background. A sweep retries failures. */
export async function soon(what: string, work: () => Promise<void>): Promise<void> {
  const logged = work().catch((error: Error) => log.warn(`${what} is left to the sweep`, reasonOf(error)))
  await Promise.race([logged, Bun.sleep(ENOUGH_MS)])
}

const TURN_MS = 2

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Maps many items and yields to the event loop, so that other requests wait for a few milliseconds at most. */
export async function inTurns<T, R>(items: readonly T[], one: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  let startedAt = performance.now()
  for (const item of items) {
    if (performance.now() - startedAt > TURN_MS) {
      await nextTurn()
      startedAt = performance.now()
    }
    results.push(one(item))
  }
  // The caller's work on the results gets its own turn.
  if (performance.now() - startedAt > TURN_MS / 3) await nextTurn()
  return results
}
