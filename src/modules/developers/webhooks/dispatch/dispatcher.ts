import { now, nowMs } from '@/core/clock'
import type { BusMessage } from '@/core/domain-events'
import { failpoint } from '@/core/failpoint'
import { newId } from '@/core/ids'
import { queueDb } from '@/db/client'
import { inBatches } from '@/delivery/batches'
import { startLane } from '@/delivery/engine'
import { keepTurns } from '@/delivery/turns'
import { attemptDelivery, type Receiver, type Result, TIMEOUT_MS } from '../deliveries/attempt'
import { receiverOf } from '../receiver'
import { startHeartbeat } from './heartbeat'
import { type Claimed, claimDue, findReceivers, type ReceiverRow, releaseLeases } from './queries'
import { recordResults } from './record-results'

/** Longer than a receiver may take to answer. */
const STOP_MS = 15_000
const LEASE_MS = 30_000
/** What is left of a lease when the answer has come, to record it. */
const RECORDING_MS = 5000
/** One claim replaces messages that are answered shortly after each other. */
const GATHER_MS = 20
/** Messages claimed at once: all, for endpoints that keep failing, and for one endpoint. */
const TOTAL_MAX = 2048
const TOTAL_FAILING_MAX = 512
const CLAIMED_MAX = 64
/** However many are claimed, so many more may be: the first of each endpoint, so that slow ones shut nobody out. */
const ALWAYS = 64
/**
 * Requests in flight for one owner, over all webhooks, and for one endpoint. A process sends 256 at once, whatever they
 * are for (Bun's own bound): receivers that hang must not take them all.
 */
export const OWNER_AT_ONCE = 64
const ENDPOINT_AT_ONCE = 16
/** An endpoint that keeps failing gets a single request at a time, and rests after each. */
const FAILING_AFTER = 5
const REST_MS = 250
/** After these messages what is claimed for an endpoint may no longer be meant for it. */
const ENDINGS = new Set<string>([
  'token.revoked',
  'grant.revoked',
  'access.ended',
  'app.deleted',
  'user.suspended',
  'user.deleted',
  'user.updated',
] satisfies BusMessage['type'][])

type Endpoint = { ownerId: string; receiver: Receiver; failures: number }
/** `claimedAt` is a time of `performance`. */
type Message = Claimed & { ownerId: string; claimedAt: number; leaseUntil: number }

/**
 * Sends what is due. More is claimed for an endpoint than may be in flight, so that it need not wait for the next claim.
 * A process that dies leaves leases, which are free once its heartbeat has been missed.
 */
export function startDispatcher({ pollMs }: { pollMs?: number } = {}) {
  const leaseOwner = newId()
  const heartbeat = startHeartbeat(leaseOwner)
  const endpoints = new Map<string, Endpoint>()
  let isStopped = false

  const isFailing = (id: string) => (endpoints.get(id)?.failures ?? 0) >= FAILING_AFTER
  const turns = keepTurns({
    ofOwner: OWNER_AT_ONCE,
    ofKey: (id) => (isFailing(id) ? 1 : ENDPOINT_AT_ONCE),
  })

  const giveBack = inBatches('webhooks: leases are left to run out', (ids: string[]) =>
    releaseLeases(queueDb, leaseOwner, ids),
  )
  // Their leases run out and they are sent again: at least once, and the receiver knows them by their ids.
  const record = inBatches('webhooks: cannot record results of deliveries', async (results: Result[]) => {
    const off = await recordResults(leaseOwner, results)
    failpoint('after-record')
    for (const id of off) dismiss(id)
  })

  /** Gives back what waits for a webhook that was deleted or switched off: it is there when it is switched on again. */
  function dismiss(id: string) {
    const endpoint = endpoints.get(id)
    endpoints.delete(id)
    if (endpoint) turns.dismiss(endpoint.ownerId, id)
  }

  /** A change of a webhook holds for all that waits for it. A new address begins with a clean slate. */
  function refresh(webhook: ReceiverRow) {
    const receiver = receiverOf(webhook, webhook.ownerRole, now())
    const known = endpoints.get(webhook.id) ?? { ownerId: webhook.ownerId, receiver, failures: 0 }
    const failures = known.receiver.url === webhook.url ? known.failures : 0
    endpoints.set(
      webhook.id,
      Object.assign(known, { receiver, failures: Math.max(webhook.failures, failures) }),
    )
  }

  /** Null for a message that is no longer ours to send. */
  async function attempt(message: Message): Promise<Result | null> {
    const isHeld = await heartbeat.holds(message.claimedAt)
    const endpoint = endpoints.get(message.webhookId)
    if (isStopped || !isHeld || !endpoint) return giveBack(message.id).then(() => null)
    // A lease that may run out before the answer comes is left to run out: another claim takes the message.
    if (message.leaseUntil - nowMs() < TIMEOUT_MS + RECORDING_MS) return null
    const { result } = await attemptDelivery(endpoint.receiver, message)
    failpoint('after-send')
    endpoint.failures = result.success ? 0 : endpoint.failures + 1
    return result
  }

  const lane = startLane<Message>({
    name: 'webhooks',
    wakesOn: ({ type }) => type === 'webhooks.due' || (endpoints.size > 0 && ENDINGS.has(type)),
    pollMs,
    gatherMs: GATHER_MS,
    stopMs: STOP_MS,
    atOnce: TOTAL_MAX,
    always: ALWAYS,
    keyOf: ({ webhookId }) => webhookId,
    async claim({ limit, busy }) {
      // What a dispatcher without a heartbeat claims is free for others at once.
      await heartbeat.ensure()
      const claimedAt = performance.now()
      const leaseUntil = new Date(nowMs() + LEASE_MS)
      const failing = Object.keys(busy).reduce((sum, id) => sum + (isFailing(id) ? (busy[id] ?? 0) : 0), 0)
      const claimed = await claimDue(queueDb, {
        at: now(),
        leaseOwner,
        leaseUntil,
        limit,
        failingLimit: Math.max(0, Math.min(limit, TOTAL_FAILING_MAX - failing)),
        each: CLAIMED_MAX,
        failingAfter: FAILING_AFTER,
        claimed: busy,
      })
      if (claimed.length > 0) failpoint('after-claim')
      const ids = new Set([...Object.keys(busy), ...claimed.map(({ webhookId }) => webhookId)])
      const receivers = ids.size > 0 ? await findReceivers(queueDb, [...ids]) : []
      const owners = new Map(receivers.map(({ id, ownerId }) => [id, ownerId]))
      for (const id of [...endpoints.keys()]) if (!owners.has(id)) dismiss(id)
      for (const webhook of receivers) refresh(webhook)
      return claimed.map((message) => ({
        ...message,
        ownerId: owners.get(message.webhookId) ?? '',
        claimedAt,
        leaseUntil: leaseUntil.getTime(),
      }))
    },
    async run(message, free) {
      const { id, ownerId, webhookId } = message
      if (!(await turns.enter(ownerId, webhookId))) return giveBack(id)
      const result = await attempt(message)
      const recorded = result && record(result)
      if (result && isFailing(webhookId)) await Bun.sleep(REST_MS)
      turns.leave(ownerId, webhookId)
      free()
      await recorded
    },
  })

  return {
    id: leaseOwner,
    wake: lane.wake,
    /** Waits for what is in flight; what only waits goes back to others. */
    async stop() {
      isStopped = true
      for (const id of [...endpoints.keys()]) dismiss(id)
      await lane.stop()
      await heartbeat.stop()
    },
  }
}
