/** Begun before the loop turns: whatever else waits for an answer waits for no more than these. */
const BEGUN_A_TURN = 8

/**
 * Begins work for queues that are ready, one piece after the other in turn, and a few pieces at a time. `begin` says
 * whether there is room for another piece.
 */
export function roundRobin<Queue>(begin: (queue: Queue) => boolean): (queue: Queue) => void {
  const ready = new Set<Queue>()
  let isTurning = false

  function turn() {
    // A queue that is put back at the end comes again in the same turn if no other is there.
    for (const queue of ready.values().take(BEGUN_A_TURN)) {
      ready.delete(queue)
      if (begin(queue)) ready.add(queue)
    }
    isTurning = ready.size > 0
    if (isTurning) setImmediate(turn)
  }

  return (queue) => {
    ready.add(queue)
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
}
