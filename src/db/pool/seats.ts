import { unavailableBy } from '@/core/errors'
import { patientTimeout } from '@/core/patience'

/** Bounds holders, waiters and wait time. The driver bounds none of these, so a frozen server would collect requests for ever. */
export function seats<Seat>({
  all,
  waitingMax,
  waitMs,
  onWaited = () => {},
}: {
  /** Free seats at the start; others arrive by `giveBack`. */
  all: Seat[]
  waitingMax: number
  waitMs: number
  /** Receives each wait time. */
  onWaited?: ((seconds: number) => void) | undefined
}) {
  // LIFO, so that unused seats become idle.
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
    /** Rejects all waiters with an error that applies to each. */
    rejectAll(error: unknown): void {
      for (const { leave } of waiting.splice(0)) leave(error)
    },
    next: () => free.at(-1),
    /** Removes a free seat permanently. */
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
