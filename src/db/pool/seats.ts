import { unavailableBy } from '@/core/errors'
import { patientTimeout } from '@/core/patience'

/** How a pool stands. */
export type SeatFigures = { seats: number; busy: number; waiting: number; refused: number }

/**
 * Bounds what a database in trouble can cost: so many hold a seat, so many wait for one, and nobody waits for long.
 * The driver itself has neither a bound nor a limit of time, so a frozen server would collect requests for ever.
 */
export function seats<Seat>({
  all,
  waitingMax,
  waitMs,
  onWaited = () => {},
}: {
  all: Seat[]
  waitingMax: number
  waitMs: number
  /** Told how long somebody had to wait for a seat. */
  onWaited?: (seconds: number) => void
}) {
  // The seat that was given back last is taken first, so that the others may rest.
  const free = [...all].reverse()
  const waiting: Array<(seat: Seat) => void> = []
  let refused = 0
  const refuse = () => {
    refused += 1
    return unavailableBy('POOL_BUSY')
  }

  return {
    take(): Seat | Promise<Seat> {
      const seat = free.pop()
      if (seat !== undefined) return seat
      if (waiting.length >= waitingMax) throw refuse()
      const since = performance.now()
      return new Promise<Seat>((resolve, reject) => {
        const sit = (given: Seat) => {
          timer.clear()
          onWaited((performance.now() - since) / 1000)
          resolve(given)
        }
        const timer = patientTimeout(waitMs, () => {
          waiting.splice(waiting.indexOf(sit), 1)
          reject(refuse())
        })
        waiting.push(sit)
      })
    },
    giveBack(seat: Seat): void {
      const next = waiting.shift()
      if (next) next(seat)
      else free.push(seat)
    },
    free: () => free,
    figures: (): SeatFigures => ({
      seats: all.length,
      busy: all.length - free.length,
      waiting: waiting.length,
      refused,
    }),
  }
}
