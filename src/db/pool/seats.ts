import { unavailableBy } from '@/core/errors'
import { patientTimeout } from '@/core/patience'

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
  /** Seats that can be taken now; others come by `giveBack`. */
  all: Seat[]
  waitingMax: number
  waitMs: number
  /** Told how long somebody had to wait for a seat. */
  onWaited?: ((seconds: number) => void) | undefined
}) {
  // The seat that was given back last is taken first, so that the others may rest.
  const free = [...all].reverse()
  const waiting: Waiter<Seat>[] = []
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
        const leave = (error: unknown) => {
          timer.clear()
          reject(error)
        }
        const waiter = { sit, leave }
        const timer = patientTimeout(waitMs, () => {
          waiting.splice(waiting.indexOf(waiter), 1)
          reject(refuse())
        })
        waiting.push(waiter)
      })
    },
    giveBack(seat: Seat): void {
      const next = waiting.shift()
      if (next) next.sit(seat)
      else free.push(seat)
    },
    /** Sends away all who wait, for a reason that is theirs as well. */
    sendAway(error: unknown): void {
      for (const { leave } of waiting.splice(0)) leave(error)
    },
    /** The seat that would be taken next. */
    next: () => free.at(-1),
    /** Takes a free seat away for good. */
    remove(seat: Seat): void {
      const at = free.indexOf(seat)
      if (at >= 0) free.splice(at, 1)
    },
    free: () => free,
    waiting: () => waiting.length,
    refused: () => refused,
  }
}

type Waiter<Seat> = { sit(seat: Seat): void; leave(error: unknown): void }
