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
