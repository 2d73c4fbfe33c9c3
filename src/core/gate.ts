import { AppError } from './errors'

const FULL = new AppError('unavailable', 'Too much is asked for at once: try again in a moment', {
  'retry-after': '5',
})

/** Lets so many through at once and so many more wait, in the order in which they came; others are sent away. */
export function gate({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }) {
  const waiting: (() => void)[] = []
  let inside = 0

  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (inside >= atOnce) {
      if (waiting.length >= waitingMax) throw FULL
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else inside += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Whoever waited takes over the place of the one who leaves.
      if (next) next()
      else inside -= 1
    }
  }
}
