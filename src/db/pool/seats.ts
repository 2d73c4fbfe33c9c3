import { unavailable } from '@/core/errors'

/**
 * Bounds what a database in trouble can cost: so many hold a seat, so many wait for one, and nobody waits for long.
 * The driver itself has neither a bound nor a limit of time, so a frozen server would collect requests for ever.
 */
export function seats<Seat>({
  all,
  waitingMax,
  waitMs,
}: {
  all: Seat[]
  waitingMax: number
  waitMs: number
}) {
  // The seat that was given back last is taken first, so that the others may rest.
  const free = [...all].reverse()
  const waiting: Array<(seat: Seat) => void> = []

  return {
    take(): Seat | Promise<Seat> {
      const seat = free.pop()
      if (seat !== undefined) return seat
      if (waiting.length >= waitingMax) throw unavailable()
      return new Promise<Seat>((resolve, reject) => {
        const sit = (given: Seat) => {
          clearTimeout(timer)
          resolve(given)
        }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(sit), 1)
          reject(unavailable())
        }, waitMs)
        waiting.push(sit)
      })
    },
    giveBack(seat: Seat): void {
      const next = waiting.shift()
      if (next) next(seat)
      else free.push(seat)
    },
    free: () => free,
  }
}
