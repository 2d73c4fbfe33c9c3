/** Begun before the loop turns: whatever else waits for an answer waits for no more than these. */
const BEGUN_A_TURN = 8

/**
 * Begins work for whoever is ready, one piece after the other in turn, and a few pieces at a time. `begin` says
 * whether there is room for another piece.
 */
export function roundRobin<Lane>(begin: (lane: Lane) => boolean): (lane: Lane) => void {
  const ready = new Set<Lane>()
  let isTurning = false

  function turn() {
    // Whoever is put back at the end comes again in the same turn if nobody else is there.
    for (const lane of ready.values().take(BEGUN_A_TURN)) {
      ready.delete(lane)
      if (begin(lane)) ready.add(lane)
    }
    isTurning = ready.size > 0
    if (isTurning) setImmediate(turn)
  }

  return (lane) => {
    ready.add(lane)
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
}
