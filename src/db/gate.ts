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

  return {
    /** Runs work in a slot. The slot is given back when the work really ends, not when we stop waiting for it. */
    async run<T>(work: () => PromiseLike<T>, limitMs = deadlineMs): Promise<T> {
      const turn = acquire()
      if (turn) await turn
      let pending: PromiseLike<T>
      try {
        pending = work()
      } catch (error) {
        release()
        throw error
      }
      pending.then(release, release)
      return deadline(pending, limitMs)
    },
    deadline: <T>(pending: PromiseLike<T>) => deadline(pending, deadlineMs),
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
