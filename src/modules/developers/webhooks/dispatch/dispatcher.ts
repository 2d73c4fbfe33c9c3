import { now, nowMs } from '@/core/clock'
import type { BusMessage } from '@/core/domain-events'
import { failpoint } from '@/core/failpoint'
import { newId } from '@/core/ids'
import { log, warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { subscribe } from '@/outbox/bus'
import { attemptDelivery, type Result, TIMEOUT_MS } from '../deliveries/attempt'
import { receiverOf } from '../receiver'
import {
  EACH,
  FAILING_AFTER,
  type Held,
  hasRoom,
  held,
  inHandOf,
  isFailing,
  isLow,
  type Lane,
} from './endpoint-queue'
import { startHeartbeat } from './heartbeat'
import { claimDue, findReceivers, type ReceiverRow, releaseLeases } from './queries'
import { recordResults } from './record-results'
import { roundRobin } from './round-robin'
import { keepShares } from './shares'

const LOOK_MS = 1000
const LEASE_MS = 30_000
/** What is left of a lease when the answer has come, to write it down. */
const SETTLE_MS = 5000
/** Messages in hand at once, and how many of them may be for receivers that keep failing. */
const HANDS = 2048
const HANDS_FAILING = 512
/** However full the hands are, so many are taken: the first of each receiver, so that slow ones shut nobody out. */
const HANDS_ALWAYS = 64
/** One that keeps failing rests after each try. */
const REST_MS = 250
/** After these a receiver in hand may not be told anything any more. */
const ENDINGS = new Set<string>([
  'token.revoked',
  'grant.revoked',
  'access.ended',
  'app.deleted',
  'user.suspended',
  'user.deleted',
  'user.updated',
] satisfies BusMessage['type'][])

/**
 * Sends what is due. The truth is in the database: messages are taken by lease, each receiver has a lane of its own,
 * and what came of them is written down in batches. A process that dies leaves leases, which are free once its heartbeat
 * has been missed.
 */
export function startDispatcher({ lookMs = LOOK_MS } = {}) {
  const leaseOwner = newId()
  const lanes = new Map<string, Lane>()
  const shares = keepShares()
  let results: Result[] = []
  let settling: Promise<void> | undefined
  let givingBack: Promise<unknown> | undefined
  let stopped = false
  let wake = () => {}

  const heartbeat = startHeartbeat(leaseOwner, (wasSilent) => {
    if (wasSilent) dropHands()
    for (const lane of [...lanes.values()]) advance(lane)
  })

  /** Others may have taken what was not begun: whoever still can, takes it again. */
  function dropHands() {
    for (const id of [...lanes.keys()]) dismiss(id)
    wake()
  }

  const inHand = (failing: boolean) =>
    lanes
      .values()
      .filter((lane) => isFailing(lane) === failing)
      .reduce((sum, lane) => sum + inHandOf(lane), 0)

  async function take() {
    const [sound, failing] = [inHand(false), inHand(true)]
    const limit = Math.max(HANDS_ALWAYS, HANDS - sound - failing)
    const leaseUntil = new Date(nowMs() + LEASE_MS)
    const before = Object.fromEntries(lanes.values().map((lane) => [lane.id, inHandOf(lane)]))
    // One that is full is not asked for: what was known of it stays true.
    for (const lane of lanes.values()) if (inHandOf(lane) < EACH) lane.hasMore = false
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
    if (claimed.length > 0) failpoint('after-claim')
    const taken = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    const ids = [...new Set([...lanes.keys(), ...taken.keys()])]
    if (ids.length === 0) return
    const webhooks = new Map((await findReceivers(queueDb, ids)).map((webhook) => [webhook.id, webhook]))
    for (const id of ids) {
      const webhook = webhooks.get(id)
      const messages = held(taken.get(id) ?? [], leaseUntil)
      if (webhook) {
        const room = isFailing(webhook) ? 1 : EACH - (before[id] ?? 0)
        addToQueue(webhook, messages, messages.length >= room || claimed.length >= limit)
      } else dismiss(id, messages)
    }
  }

  /** Whatever changed about a receiver holds for all that is in hand for it, too. */
  function addToQueue(webhook: ReceiverRow, messages: Held[], hasMore: boolean) {
    const receiver = receiverOf(webhook, webhook.ownerRole, now())
    const known = lanes.get(webhook.id)
    const lane = known ?? {
      id: webhook.id,
      ownerId: webhook.ownerId,
      receiver,
      queue: [],
      busy: 0,
      failures: 0,
      hasMore,
    }
    // Another address begins with a clean slate.
    lane.failures = Math.max(webhook.failures, lane.receiver.url === webhook.url ? lane.failures : 0)
    lane.receiver = receiver
    lane.queue.push(...messages)
    if (messages.length > 0) lane.hasMore = hasMore
    if (inHandOf(lane) > 0) lanes.set(lane.id, lane)
    advance(lane)
  }

  /** Nothing more goes to one that was deleted or switched off; what waits is there when it is switched on again. */
  function dismiss(id: string, messages: Held[] = []) {
    const lane = lanes.get(id)
    giveBack([...(lane?.queue ?? []), ...messages])
    if (!lane) return
    lane.queue = []
    advance(lane)
  }

  function giveBack(messages: Held[]) {
    if (messages.length === 0) return
    const ids = messages.map(({ id }) => id)
    givingBack = releaseLeases(queueDb, leaseOwner, ids).catch((error) =>
      log.warn('webhooks: leases are left to run out', reasonOf(error)),
    )
  }

  const mayBegin = (lane: Lane) =>
    !stopped && heartbeat.isHeard() && hasRoom(lane) && shares.hasShare(lane.ownerId)

  const getReady = roundRobin((lane: Lane) => {
    if (mayBegin(lane)) begin(lane)
    return mayBegin(lane)
  })

  function advance(lane: Lane) {
    if (mayBegin(lane)) getReady(lane)
    if (inHandOf(lane) === 0) lanes.delete(lane.id)
  }

  function begin(lane: Lane) {
    const message = lane.queue.shift() as Held
    // A lease that may run out before the answer comes is left to run out: somebody will take the message again.
    if (message.leaseUntil - nowMs() < TIMEOUT_MS + SETTLE_MS) return advance(lane)
    lane.busy += 1
    shares.take(lane.ownerId)
    void attempt(lane, message)
  }

  /** Whoever of the same person had to wait comes next, those first who have the least under way. */
  function yieldShare({ ownerId }: Lane) {
    const isAwaited = !shares.hasShare(ownerId)
    shares.giveBack(ownerId)
    if (!isAwaited) return
    const own = lanes.values().filter((lane) => lane.ownerId === ownerId)
    for (const lane of [...own].sort((a, b) => a.busy - b.busy)) advance(lane)
  }

  async function attempt(lane: Lane, message: Held) {
    const { result } = await attemptDelivery(lane.receiver, message)
    yieldShare(lane)
    failpoint('after-send')
    lane.failures = result.success ? 0 : lane.failures + 1
    results.push(result)
    settling ??= flush()
    if (isFailing(lane)) await Bun.sleep(REST_MS)
    lane.busy -= 1
    advance(lane)
    if (lane.hasMore && isLow(lane)) wake()
  }

  /** Whatever came in while the last batch was being written goes into the next one. */
  async function flush() {
    while (results.length > 0) {
      const batch = results
      results = []
      try {
        const off = await recordResults(leaseOwner, batch)
        failpoint('after-settle')
        for (const id of off) dismiss(id)
      } catch (error) {
        // Their leases run out and they are sent again: at least once, and the receiver knows them by their ids.
        log.warn('webhooks: cannot write down what came of deliveries', reasonOf(error))
      }
    }
    settling = undefined
  }

  async function look() {
    // Whatever is taken by one whom nobody hears is free for others at once.
    if (!heartbeat.isHeard()) await heartbeat.beat()
    await take()
  }

  async function run() {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await look().catch((error) => warnSparingly('webhooks: cannot look for what is due', reasonOf(error)))
      await Promise.race([woken, Bun.sleep(lookMs)])
    }
  }
  const running = run()
  const unsubscribe = subscribe((messages) => {
    if (messages.some(({ type }) => type === 'webhooks.due' || (lanes.size > 0 && ENDINGS.has(type)))) wake()
  })

  return {
    id: leaseOwner,
    wake: () => wake(),
    /** Waits for what is under way; what is only in hand goes back to others. */
    async stop() {
      stopped = true
      unsubscribe()
      wake()
      await running
      for (const id of [...lanes.keys()]) dismiss(id)
      while (lanes.values().some(({ busy }) => busy > 0)) await Bun.sleep(10)
      await settling
      await givingBack
      await heartbeat.stop()
    },
  }
}
