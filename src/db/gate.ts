import { unavailable } from '@/core/errors'

/**
 * Bounds what a database in trouble can cost. The driver itself has no queue bound, no acquire timeout and
 * no client-side deadline, so a frozen server would otherwise collect requests for ever.
 */
export function gate({
  slots,
  waitingMax,
  waitMs,
  deadlineMs,
}: {
  slots: number
  waitingMax: number
  waitMs: number
  deadlineMs: number
}) {
  let free = slots
  const waiting: Array<() => void> = []

  const acquire = () => {
    if (free > 0) {
      free -= 1
      return undefined
    }
    if (waiting.length >= waitingMax) throw unavailable()
    return new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(unavailable())
      }, waitMs)
      waiting.push(enter)
    })
  }

  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  /** Runs work in a slot. The slot is given back when the work really ends, not when we stop waiting for it. */
  async function hold<T>(work: () => PromiseLike<T>): Promise<{ pending: PromiseLike<T> }> {
    const turn = acquire()
    if (turn) await turn
    try {
      const pending = work()
      pending.then(release, release)
      return { pending }
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    run: async <T>(work: () => PromiseLike<T>): Promise<T> =>
      deadline((await hold(work)).pending, deadlineMs),
    deadline: <T>(pending: PromiseLike<T>) => deadline(pending, deadlineMs),
    /**
     * A transaction has three stages: it begins, its statements run (each with a deadline of its own), it
     * commits. The first and the last may not take longer than a statement; one that begins too late is undone.
     */
    async stages<T>(work: (stage: (body: () => Promise<T>) => Promise<T>) => PromiseLike<T>): Promise<T> {
      const clock = stopwatch(deadlineMs)
      const stage = async (body: () => Promise<T>) => {
        if (clock.hasRun()) throw unavailable()
        clock.stop()
        const result = await body()
        clock.start()
        return result
      }
      const { pending } = await hold(() => {
        clock.start()
        return work(stage)
      })
      try {
        return await Promise.race([pending, clock.late])
      } finally {
        clock.stop()
      }
    },
  }
}

export type Gate = ReturnType<typeof gate>

function deadline<T>(pending: PromiseLike<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable()), limitMs)
    pending.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

function stopwatch(limitMs: number) {
  let timer: Timer | undefined
  let ran = false
  const { promise: late, reject } = Promise.withResolvers<never>()
  late.catch(() => {})
  return {
    late,
    hasRun: () => ran,
    stop: () => clearTimeout(timer),
    start() {
      timer = setTimeout(() => {
        ran = true
        reject(unavailable())
      }, limitMs)
    },
  }
}
