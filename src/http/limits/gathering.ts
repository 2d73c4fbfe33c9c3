/**
 * Gathers what is asked in one turn of the event loop, and while a run is under way, for the next run: in a crowd a call to another
 * process costs as much as several questions. `run` must not throw.
 */
export function gathering<T>(run: (batch: T[]) => void | Promise<void>) {
  let waiting: T[] = []
  let isRunning = false

  function take(): T[] {
    const batch = waiting
    waiting = []
    return batch
  }

  async function next() {
    await run(take())
    isRunning = waiting.length > 0
    if (isRunning) setImmediate(next)
  }

  return {
    add(one: T) {
      waiting.push(one)
      if (isRunning) return
      isRunning = true
      setImmediate(next)
    },
    /** What waits for the next run, for a run that has failed. */
    take,
  }
}
