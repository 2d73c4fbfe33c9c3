const stops = new Set<() => unknown>()
let leaving: Promise<never> | undefined

/** Registers what has to be stopped however the bench ends; returns how to take that back. */
export function atEnd(stop: () => unknown): () => void {
  stops.add(stop)
  return () => stops.delete(stop)
}

export const isLeaving = () => leaving !== undefined

/** Stops everything, the newest first, and exits. The first caller decides the status. */
export function leave(status: number): Promise<never> {
  leaving ??= stopEverything().then(() => process.exit(status))
  return leaving
}

async function stopEverything() {
  for (let stop = newest(); stop; stop = newest()) {
    stops.delete(stop)
    try {
      await stop()
    } catch (error) {
      console.error(error)
    }
  }
}

const newest = () => [...stops].at(-1)
