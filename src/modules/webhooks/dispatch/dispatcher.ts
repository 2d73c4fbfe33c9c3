import { now, nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { log } from '@/log'
import { receiverOf } from '../receiver'
import { attemptDelivery, type Receiver, TIMEOUT_MS } from './attempt'
import { tellOwners } from './farewell'
import { type Claimed, claimDue, findReceivers, type Result } from './queries'
import { settle } from './settle'

const LOOK_MS = 1000
const LEASE_MS = 30_000
/** Messages in hand at once, and how many of them may be for receivers that keep failing. */
const HANDS = 2048
const HANDS_FAILING = 512
/** However full the hands are, so many are taken: the first of each receiver, so that slow ones shut nobody out. */
const HANDS_ALWAYS = 64
/** For one receiver: messages in hand, and requests under way. One that keeps failing gets a single try at a time. */
const EACH = 64
const EACH_AT_ONCE = 16
const FAILING_AFTER = 5

/** Each message has a lease of its own: what came first runs out first. */
type Held = Claimed & { leaseUntil: number }

type Lane = { id: string; receiver: Receiver; queue: Held[]; busy: number; failures: number }

const held = (messages: Claimed[], leaseUntil: Date): Held[] =>
  messages.map((message) => ({ ...message, leaseUntil: leaseUntil.getTime() }))

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
      .filter((lane) => lane.failures >= FAILING_AFTER === failing)
      .reduce((sum, lane) => sum + lane.busy + lane.queue.length, 0)

  async function take(): Promise<number> {
    const [sound, failing] = [inHand(false), inHand(true)]
    const limit = Math.max(HANDS_ALWAYS, HANDS - sound - failing)
    const leaseUntil = new Date(nowMs() + LEASE_MS)
    const claimed = await claimDue(db, {
      at: now(),
      leaseOwner,
      leaseUntil,
      limit,
      failingLimit: Math.max(0, Math.min(limit, HANDS_FAILING - failing)),
      each: EACH,
      failingAfter: FAILING_AFTER,
      inHand: Object.fromEntries(lanes.values().map(({ id, busy, queue }) => [id, busy + queue.length])),
    })
    if (claimed.length === 0) return 0
    failpoint('after-claim')
    const byWebhook = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    for (const webhook of await findReceivers(db, [...byWebhook.keys()])) {
      const known = lanes.get(webhook.id)
      const lane = {
        id: webhook.id,
        receiver: receiverOf(webhook, now()),
        queue: [...(known?.queue ?? []), ...held(byWebhook.get(webhook.id) ?? [], leaseUntil)],
        busy: known?.busy ?? 0,
        failures: Math.max(webhook.failures, known?.failures ?? 0),
      }
      if (known) Object.assign(known, lane)
      else lanes.set(webhook.id, lane)
      advance(known ?? lane)
    }
    return claimed.length
  }

  function advance(lane: Lane) {
    const atOnce = () => (lane.failures >= FAILING_AFTER ? 1 : EACH_AT_ONCE)
    while (!stopped && lane.queue.length > 0 && lane.busy < atOnce()) {
      const message = lane.queue.shift() as Held
      // A lease that may run out before the answer comes is left to run out: somebody will take the message again.
      if (message.leaseUntil - nowMs() < TIMEOUT_MS) continue
      lane.busy += 1
      void attemptDelivery(lane.receiver, message).then(({ result }) => {
        failpoint('after-send')
        lane.busy -= 1
        lane.failures = result.success ? 0 : lane.failures + 1
        results.push(result)
        settling ??= flush()
        advance(lane)
        if (lane.busy === 0 && lane.queue.length === 0) lanes.delete(lane.id)
      })
    }
    if (lane.busy === 0 && lane.queue.length === 0) lanes.delete(lane.id)
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
      wake()
    }
    settling = undefined
  }

  async function run() {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const taken = await take().catch((error: Error) => {
        log.warn('webhooks: cannot look', { fault: error.name })
        return 0
      })
      if (taken === 0) await Promise.race([woken, Bun.sleep(LOOK_MS)])
      else await Promise.race([woken, Bun.sleep(0)])
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
