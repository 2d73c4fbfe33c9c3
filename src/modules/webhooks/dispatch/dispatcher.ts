import { now, nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { newId } from '@/core/ids'
import { queueDb } from '@/db/client'
import { log } from '@/log'
import { attemptDelivery, type Receiver, type Result, TIMEOUT_MS } from '../deliveries/attempt'
import { receiverOf } from '../receiver'
import { tellOwners } from './farewell'
import { type Claimed, claimDue, findReceivers } from './queries'
import { settle } from './settle'
import { takeTurns } from './turns'

const LOOK_MS = 1000
const LEASE_MS = 30_000
/** Messages in hand at once, and how many of them may be for receivers that keep failing. */
const HANDS = 2048
const HANDS_FAILING = 512
/** However full the hands are, so many are taken: the first of each receiver, so that slow ones shut nobody out. */
const HANDS_ALWAYS = 64
/** For one receiver: messages in hand, with how few left more are taken, and requests under way. */
const EACH = 64
const EACH_LOW = 32
const EACH_AT_ONCE = 16
/** One that keeps failing gets a single try at a time and a rest after it: its long queue is nobody else's load. */
const FAILING_AFTER = 5
const REST_MS = 250

/** Each message has a lease of its own: what came first runs out first. */
type Held = Claimed & { leaseUntil: number }

type Lane = {
  id: string
  receiver: Receiver
  queue: Held[]
  busy: number
  failures: number
  /** The database may have more for it than was taken. */
  hasMore: boolean
}

const held = (messages: Claimed[], leaseUntil: Date): Held[] =>
  messages.map((message) => ({ ...message, leaseUntil: leaseUntil.getTime() }))

const isFailing = ({ failures }: Pick<Lane, 'failures'>) => failures >= FAILING_AFTER

const inHandOf = ({ busy, queue }: Lane) => busy + queue.length

/**
 * Sends what is due. The truth is in the database: messages are taken by lease, each receiver has a lane of its own,
 * and what came of them is written down in batches. A process that dies leaves leases that run out.
 */
export function startDispatcher() {
  const leaseOwner = newId()
  const lanes = new Map<string, Lane>()
  let results: Result[] = []
  let settling: Promise<void> | undefined
  let stopped = false
  let wake = () => {}

  const inHand = (failing: boolean) =>
    lanes
      .values()
      .filter((lane) => isFailing(lane) === failing)
      .reduce((sum, lane) => sum + inHandOf(lane), 0)

  async function take() {
    const [sound, failing] = [inHand(false), inHand(true)]
    const limit = Math.max(HANDS_ALWAYS, HANDS - sound - failing)
    const leaseUntil = new Date(nowMs() + LEASE_MS)
    for (const lane of lanes.values()) lane.hasMore = false
    const before = Object.fromEntries(lanes.values().map((lane) => [lane.id, inHandOf(lane)]))
    const claimed = await claimDue(queueDb, {
      at: now(),
      leaseOwner,
      leaseUntil,
      limit,
      failingLimit: Math.max(0, Math.min(limit, HANDS_FAILING - failing)),
      each: EACH,
      failingAfter: FAILING_AFTER,
      inHand: before,
    })
    if (claimed.length === 0) return
    failpoint('after-claim')
    const byWebhook = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    for (const webhook of await findReceivers(queueDb, [...byWebhook.keys()])) {
      const known = lanes.get(webhook.id)
      const taken = held(byWebhook.get(webhook.id) ?? [], leaseUntil)
      const room = isFailing(webhook) ? 1 : EACH - (before[webhook.id] ?? 0)
      const lane = {
        id: webhook.id,
        receiver: receiverOf(webhook, now()),
        queue: [...(known?.queue ?? []), ...taken],
        busy: known?.busy ?? 0,
        failures: Math.max(webhook.failures, known?.failures ?? 0),
        hasMore: taken.length >= room || claimed.length >= limit,
      }
      if (known) Object.assign(known, lane)
      else lanes.set(webhook.id, lane)
      advance(known ?? lane)
    }
  }

  const mayBegin = (lane: Lane) =>
    !stopped && lane.queue.length > 0 && lane.busy < (isFailing(lane) ? 1 : EACH_AT_ONCE)

  const getReady = takeTurns((lane: Lane) => {
    if (mayBegin(lane)) begin(lane)
    return mayBegin(lane)
  })

  function advance(lane: Lane) {
    if (mayBegin(lane)) getReady(lane)
    if (lane.hasMore && lane.queue.length < EACH_LOW) wake()
    if (inHandOf(lane) === 0) lanes.delete(lane.id)
  }

  function begin(lane: Lane) {
    const message = lane.queue.shift() as Held
    // A lease that may run out before the answer comes is left to run out: somebody will take the message again.
    if (message.leaseUntil - nowMs() < TIMEOUT_MS) return advance(lane)
    lane.busy += 1
    void attempt(lane, message)
  }

  async function attempt(lane: Lane, message: Held) {
    const { result } = await attemptDelivery(lane.receiver, message)
    failpoint('after-send')
    lane.failures = result.success ? 0 : lane.failures + 1
    results.push(result)
    settling ??= flush()
    if (isFailing(lane)) await Bun.sleep(REST_MS)
    lane.busy -= 1
    advance(lane)
  }

  /** Whatever came in while the last batch was being written goes into the next one. */
  async function flush() {
    while (results.length > 0) {
      const batch = results
      results = []
      try {
        const off = await settle(leaseOwner, batch)
        failpoint('after-settle')
        if (off.length > 0) void tellOwners(off).catch(() => log.warn('webhooks: cannot tell an owner'))
      } catch (error) {
        // Their leases run out and they are sent again: at least once, and the receiver knows them by their ids.
        log.warn('webhooks: cannot write down what came of deliveries', { fault: (error as Error).name })
      }
    }
    settling = undefined
  }

  async function run() {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await take().catch((error: Error) => log.warn('webhooks: cannot look', { fault: error.name }))
      await Promise.race([woken, Bun.sleep(LOOK_MS)])
    }
  }
  const running = run()

  return {
    wake: () => wake(),
    /** Waits for what is under way; what is only in hand is left to others. */
    async stop() {
      stopped = true
      wake()
      await running
      while (lanes.values().some(({ busy }) => busy > 0)) await Bun.sleep(10)
      await settling
    },
  }
}
