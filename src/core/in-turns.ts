/** A stretch of work after which others have their turn. */
const TURN_MS = 2

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Does something for each of many, and lets other requests in between: the longest of them waits for a few milliseconds. */
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
  // What is then done with all of them is a turn of its own.
  if (performance.now() - startedAt > TURN_MS / 3) await nextTurn()
  return results
}
