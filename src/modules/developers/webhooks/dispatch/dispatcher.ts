import { now, nowMs } from '@/core/clock'
import type { BusMessage } from '@/core/domain-events'
import { failpoint } from '@/core/failpoint'
import { newId } from '@/core/ids'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { startLoop } from '@/delivery/engine'
import {
  CLAIMED_MAX,
  claimedOf,
  type EndpointQueue,
  extended,
  FAILING_AFTER,
  isFailing,
  type Leased,
  leased,
} from './endpoint-queue'
import { startHeartbeat } from './heartbeat'
import { claimDue, findReceivers, type ReceiverRow, releaseLeases } from './queries'
import { recordInBatches } from './result-batches'
import { startSender } from './sender'

/** Longer than a receiver may take to answer. */
const STOP_MS = 15_000
const LEASE_MS = 30_000
/** Messages claimed at once over all endpoints, and how many of them may be for endpoints that keep failing. */
const TOTAL_MAX = 2048
const TOTAL_FAILING_MAX = 512
/** However many are claimed, so many more may be: the first of each endpoint, so that slow ones shut nobody out. */
const ALWAYS = 64
/** After these messages what is claimed for an endpoint may not be its to get any more. */
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
 * Sends what is due. The truth is in the database: messages are claimed by lease, each endpoint has a queue of its own,
 * and results are recorded in batches. A process that dies leaves leases, which are free once its heartbeat has been
 * missed.
 */
export function startDispatcher({ pollMs }: { pollMs?: number } = {}) {
  const leaseOwner = newId()
  const queues = new Map<string, EndpointQueue>()
  let givingBack: Promise<unknown> | undefined
  let stopped = false

  const heartbeat = startHeartbeat(leaseOwner, (wasSilent) => {
    if (wasSilent) dropAll()
    for (const queue of [...queues.values()]) advance(queue)
  })
  const results = recordInBatches(leaseOwner, (webhookId) => dismiss(webhookId))
  const advance = startSender({
    queues,
    isOpen: () => !stopped && heartbeat.isHeard(),
    onResult: results.add,
    onLow: () => loop.wake(),
  })

  /** Other dispatchers may have claimed what was not begun, so all of it is claimed anew. */
  function dropAll() {
    for (const id of [...queues.keys()]) dismiss(id)
    loop.wake()
  }

  const claimedFor = (failing: boolean) =>
    queues
      .values()
      .filter((queue) => isFailing(queue) === failing)
      .reduce((sum, queue) => sum + claimedOf(queue), 0)

  async function claim() {
    const [sound, failing] = [claimedFor(false), claimedFor(true)]
    const limit = Math.max(ALWAYS, TOTAL_MAX - sound - failing)
    const leaseUntil = new Date(nowMs() + LEASE_MS)
    const before = Object.fromEntries(queues.values().map((queue) => [queue.id, claimedOf(queue)]))
    // A full queue is not asked for: what was known of it stays true.
    for (const queue of queues.values()) if (claimedOf(queue) < CLAIMED_MAX) queue.hasMore = false
    const claimed = await claimDue(queueDb, {
      at: now(),
      leaseOwner,
      leaseUntil,
      limit,
      failingLimit: Math.max(0, Math.min(limit, TOTAL_FAILING_MAX - failing)),
      each: CLAIMED_MAX,
      failingAfter: FAILING_AFTER,
      claimed: before,
    })
    if (claimed.length > 0) failpoint('after-claim')
    const byWebhook = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    const ids = [...new Set([...queues.keys(), ...byWebhook.keys()])]
    if (ids.length === 0) return
    const webhooks = new Map((await findReceivers(queueDb, ids)).map((webhook) => [webhook.id, webhook]))
    for (const id of ids) {
      const webhook = webhooks.get(id)
      const messages = leased(byWebhook.get(id) ?? [], leaseUntil)
      if (webhook) {
        const room = isFailing(webhook) ? 1 : CLAIMED_MAX - (before[id] ?? 0)
        extend(webhook, messages, messages.length >= room || claimed.length >= limit)
      } else dismiss(id, messages)
    }
  }

  function extend(webhook: ReceiverRow, messages: Leased[], hasMore: boolean) {
    const queue = extended(queues.get(webhook.id), webhook, messages, hasMore)
    if (claimedOf(queue) > 0) queues.set(queue.id, queue)
    advance(queue)
  }

  /** Nothing more goes to a webhook that was deleted or switched off; what waits is there when it is switched on again. */
  function dismiss(id: string, messages: Leased[] = []) {
    const queue = queues.get(id)
    giveBack([...(queue?.waiting ?? []), ...messages])
    if (!queue) return
    queue.waiting = []
    advance(queue)
  }

  function giveBack(messages: Leased[]) {
    if (messages.length === 0) return
    const ids = messages.map(({ id }) => id)
    givingBack = releaseLeases(queueDb, leaseOwner, ids).catch((error) =>
      log.warn('webhooks: leases are left to run out', reasonOf(error)),
    )
  }

  const loop = startLoop({
    name: 'webhooks',
    wakesOn: ({ type }) => type === 'webhooks.due' || (queues.size > 0 && ENDINGS.has(type)),
    pollMs,
    stopMs: STOP_MS,
    async look() {
      // What a dispatcher without a heartbeat claims is free for others at once.
      if (!heartbeat.isHeard()) await heartbeat.beat()
      await claim()
    },
    /** Waits for what is in flight; what only waits goes back to others. */
    async finish() {
      for (const id of [...queues.keys()]) dismiss(id)
      while (queues.values().some(({ inFlight }) => inFlight > 0)) await Bun.sleep(10)
      await results.done()
      await givingBack
      await heartbeat.stop()
    },
  })

  return {
    id: leaseOwner,
    wake: loop.wake,
    stop() {
      stopped = true
      return loop.stop()
    },
  }
}
