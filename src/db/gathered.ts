import { databaseError } from './conflicts'
import { borrowing } from './pool/shares'

const AT_ONCE = 500
/** Running statements: later items batch up meanwhile, so that a crowd makes a few long statements instead of many short ones. */
const RUNNING_MAX = 2
/** Items worth a second concurrent statement: fewer wait for the first, since a statement costs more than a tap. */
const CROWD = 50

type Waiting<T, R> = { item: T; key: string; resolve: (result: R) => void; reject: (error: unknown) => void }

type Terms<T, R> = {
  /** Two items with one key never share a run. */
  keyOf: (item: T) => string
  run: (items: T[]) => Promise<R>
  /** Minimum time between statements for smaller batches. */
  pauseMs?: number
}

/**
 * Batches the items of one turn of the event loop into one run, which costs as much as a single item. Each caller gets the result
 * of its run.
 */
export function gathered<T, R>({ keyOf, run, pauseMs = 0 }: Terms<T, R>) {
  let waiting: Waiting<T, R>[] = []
  let running = 0
  let isScheduled = false
  let isPausing = false
  let begunAt = Number.NEGATIVE_INFINITY

  function schedule() {
    if (isScheduled || waiting.length === 0) return
    const isCrowd = waiting.length >= CROWD
    if (running >= (isCrowd ? RUNNING_MAX : 1)) return
    if (!isCrowd && isTooSoon()) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      // A batch serves many callers, so it counts toward the share of none.
      void borrowing.run(undefined, begin)
      schedule()
    })
  }

  /** Schedules a retry when the pause is over. */
  function isTooSoon(): boolean {
    if (isPausing) return true
    const restMs = begunAt + pauseMs - performance.now()
    if (restMs <= 0) return false
    isPausing = true
    setTimeout(() => {
      isPausing = false
      schedule()
    }, restMs)
    return true
  }

  function take(): Waiting<T, R>[] {
    const keys = new Set<string>()
    const batch: Waiting<T, R>[] = []
    const rest: Waiting<T, R>[] = []
    for (const one of waiting)
      if (batch.length < AT_ONCE && !keys.has(one.key)) {
        keys.add(one.key)
        batch.push(one)
      } else rest.push(one)
    waiting = rest
    return batch
  }

  async function begin() {
    const batch = take()
    begunAt = performance.now()
    running += 1
    try {
      const result = await run(batch.map(({ item }) => item))
      for (const { resolve } of batch) resolve(result)
    } catch (error) {
      await apart(batch, error)
    } finally {
      running -= 1
      schedule()
    }
  }

  /** Retries the items one by one, so that an invalid one does not fail the others. */
  async function apart(batch: Waiting<T, R>[], error: unknown) {
    const isOneItem = batch.length > 1 && isRefusal(error)
    for (const { item, resolve, reject } of batch)
      if (isOneItem) await run([item]).then(resolve, reject)
      else reject(error)
  }

  return (item: T): Promise<R> => {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    waiting.push({ item, key: keyOf(item), resolve, reject })
    schedule()
    return promise
  }
}

/** A constraint violation (SQLSTATE class 23), for example of a deleted account. */
const isRefusal = (error: unknown) => databaseError(error)?.code?.startsWith('23') === true
