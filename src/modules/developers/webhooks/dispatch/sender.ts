import { nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { keepShares } from '@/outbound/shares'
import { attemptDelivery, type Result, TIMEOUT_MS } from '../deliveries/attempt'
import { claimedOf, type EndpointQueue, hasRoom, isFailing, isLow, type Leased } from './endpoint-queue'

/**
 * Requests under way for one person at once, over all of their webhooks. A process sends 256 at once, whatever they are
 * for (Bun's own bound): receivers that hang must not take them all.
 */
export const OWNER_AT_ONCE = 64
/** What is left of a lease when the answer has come, to record it. */
const RECORDING_MS = 5000
/** An endpoint that keeps failing rests after each attempt. */
const REST_MS = 250

type Sending = {
  queues: Map<string, EndpointQueue>
  /** Whether anything may be begun just now. */
  isOpen: () => boolean
  onResult: (result: Result) => void
  /** The queue of an endpoint runs low, and the database may have more for it. */
  onLow: () => void
}

/**
 * Sends what waits in the queues, one endpoint after the other in turn, each within its own bound and its owner's share.
 * Gives what has to be called for a queue that may go on; one that is empty is dropped by that.
 */
export function startSender({ queues, isOpen, onResult, onLow }: Sending): (queue: EndpointQueue) => void {
  const shares = keepShares(OWNER_AT_ONCE)

  const mayBegin = (queue: EndpointQueue) => isOpen() && hasRoom(queue) && shares.hasShare(queue.ownerId)

  const getReady = roundRobin((queue: EndpointQueue) => {
    if (mayBegin(queue)) begin(queue)
    return mayBegin(queue)
  })

  function advance(queue: EndpointQueue) {
    if (mayBegin(queue)) getReady(queue)
    if (claimedOf(queue) === 0) queues.delete(queue.id)
  }

  function begin(queue: EndpointQueue) {
    const message = queue.waiting.shift() as Leased
    // A lease that may run out before the answer comes is left to run out: somebody will claim the message again.
    if (message.leaseUntil - nowMs() < TIMEOUT_MS + RECORDING_MS) return advance(queue)
    queue.inFlight += 1
    shares.take(queue.ownerId)
    void attempt(queue, message)
  }

  async function attempt(queue: EndpointQueue, message: Leased) {
    const { result } = await attemptDelivery(queue.receiver, message)
    yieldShare(queue)
    failpoint('after-send')
    queue.failures = result.success ? 0 : queue.failures + 1
    onResult(result)
    if (isFailing(queue)) await Bun.sleep(REST_MS)
    queue.inFlight -= 1
    advance(queue)
    if (queue.hasMore && isLow(queue)) onLow()
  }

  /** The owner's other queues that had to wait come next, those first that have the least in flight. */
  function yieldShare({ ownerId }: EndpointQueue) {
    const isAwaited = !shares.hasShare(ownerId)
    shares.giveBack(ownerId)
    if (!isAwaited) return
    const own = queues.values().filter((queue) => queue.ownerId === ownerId)
    for (const queue of [...own].sort((a, b) => a.inFlight - b.inFlight)) advance(queue)
  }

  return advance
}

/** Begun before the loop turns: whatever else waits for an answer waits for no more than these. */
const BEGUN_A_TURN = 8

/**
 * Begins work for queues that are ready, one piece after the other in turn, and a few pieces at a time. `begin` says
 * whether there is room for another piece.
 */
function roundRobin<Queue>(begin: (queue: Queue) => boolean): (queue: Queue) => void {
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
