import { AppError } from './errors'
import { refusals } from './refusals'

export const tooMuch = () => new AppError('unavailable', refusals.tooMuchAtOnce, { 'retry-after': '5' })

type Terms = {
  atOnce: number
  waitingMax: number
  /** The maximum wait; unlimited if omitted. */
  patienceMs?: number
}

/** A FIFO semaphore with a bounded queue; callers beyond it are rejected. */
export function gate({ atOnce, waitingMax, patienceMs }: Terms) {
  const waiting = new Set<() => void>()
  let inside = 0

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(impatient)
        resolve()
      }
      waiting.add(enter)
      const impatient =
        patienceMs === undefined
          ? undefined
          : setTimeout(() => {
              waiting.delete(enter)
              reject(tooMuch())
            }, patienceMs)
    })

  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (inside >= atOnce) {
      if (waiting.size >= waitingMax) throw tooMuch()
      await wait()
    } else inside += 1
    try {
      return await work()
    } finally {
      const [next] = waiting
      // The first waiter takes over the slot.
      if (next) {
        waiting.delete(next)
        next()
      } else inside -= 1
    }
  }
}
