const TICK_MS = 25
const WEIGHT = 0.05
/** A starved process gets a processor for less than half of the time that it wants one. */
const STARVED = 2
const RECOVERED = 1.3
const FACTOR = 4
/** A timer that is later than this was delayed by this process, not by the process it waits for. */
const LATE_MS = 50

/** How long ticks take, as a multiple of what they should; recent ones count most. */
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
 * What deadlines are multiplied by. On a machine that has no time for this process it has none for the database either: answers
 * are slow then, and nothing is broken.
 */
export const patience = () => Math.max(isStarved ? FACTOR : 1, usual)

/** For tests, which may share their machine with other work. Returns the factor before. */
export function setPatience(factor: number): number {
  const before = usual
  usual = factor
  return before
}

/**
 * A timeout for the answer of another process. It allows for the time in which this one did not run: the answer may
 * be in the socket already, unread.
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
