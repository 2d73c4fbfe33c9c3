const TICK_MS = 25
const WEIGHT = 0.05
/** A starved process runs for less than half of the time it is ready to run. */
const STARVED = 2
const RECOVERED = 1.3
const FACTOR = 4
/** A timer later than this was delayed by this process, not by the peer it waits for. */
const LATE_MS = 50

/** The moving average of tick duration over its nominal value. */
let slowness = 1
let isStarved = false
let usual = 1
let tickedAt = performance.now()

const ticking = setInterval(() => {
  const now = performance.now()
  slowness += WEIGHT * ((now - tickedAt) / TICK_MS - slowness)
  tickedAt = now
  isStarved = slowness > (isStarved ? RECOVERED : STARVED)
}, TICK_MS)
ticking.unref()

/**
 * The factor for deadlines. A machine without time for this process has none for the database either: answers are slow, but
 * nothing is broken.
 */
export const patience = () => Math.max(isStarved ? FACTOR : 1, usual)

/** For tests on a shared machine. Returns the previous factor. */
export function setPatience(factor: number): number {
  const before = usual
  usual = factor
  return before
}

/**
 * A timeout for a peer's answer. Discounts the time in which this process did not run: the answer may be in the socket, unread.
 */
export function patientTimeout(ms: number, fire: () => void): { clear(): void } {
  const startedAt = performance.now()
  let dueAt = startedAt + ms
  let timer = setTimeout(expire, ms)
  function expire() {
    const now = performance.now()
    const isLate = now - dueAt > LATE_MS
    const restMs = Math.max(startedAt + ms * patience() - now, isLate ? LATE_MS : 0)
    if (restMs < 1) return fire()
    dueAt = now + restMs
    timer = setTimeout(expire, restMs)
  }
  return { clear: () => clearTimeout(timer) }
}
