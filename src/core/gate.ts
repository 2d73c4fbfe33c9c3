import { AppError } from './errors'

export const tooMuch = () =>
  new AppError('unavailable', 'Too much is asked for at once: try again in a moment', { 'retry-after': '5' })

type Terms = {
  atOnce: number
  waitingMax: number
  /** Nobody waits for longer: for ever, unless it is said. */
  patienceMs?: number
}

/** Lets so many through at once and so many more wait, in the order in which they came; others are sent away. */
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
      // Whoever waited takes over the place of the one who leaves.
      if (next) {
        waiting.delete(next)
        next()
      } else inside -= 1
    }
  }
}
