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
/** Time reserved at the end of a lease for recording the result. */
const RECORDING_MS = 5000
/** Pause before a claim, so that it refills all slots freed meanwhile. */
const GATHER_MS = 20
/** Messages claimed at once. */
const TOTAL_MAX = 2048
/** Of these, messages for endpoints that keep failing. */
const TOTAL_FAILING_MAX = 512
/** Of these, messages for one endpoint. */
const PER_ENDPOINT_MAX = 64
/** Each claim may take this many even above TOTAL_MAX, oldest message of each endpoint first: slow endpoints block no other. */
const ALWAYS = 64
/**
 * Requests in flight for all webhooks of an owner. Bun allows 256 concurrent requests per process; hanging receivers must not
 * use them all.
 */
export const OWNER_AT_ONCE = 64
/** Requests in flight for one endpoint. */
const ENDPOINT_AT_ONCE = 16
/** An endpoint that keeps failing gets a single request at a time, and rests after each. */
const FAILING_AFTER = 5
const REST_MS = 250
/** Bus messages after which endpoints are reloaded: access or role may have changed. */
const RELOAD_ON = new Set<string>([
  'token.revoked',
  'grant.revoked',
  'access.ended',
  'app.deleted',
  'user.suspended',
  'user.deleted',
  'user.updated',
] satisfies BusMessage['type'][])

type Endpoint = { ownerId: string; receiver: Receiver; failures: number }
/** `claimedAt` is from `performance.now()`, `leaseUntil` is epoch milliseconds. */
type Message = Claimed & { ownerId: string; claimedAt: number; leaseUntil: number }

/**
 * Sends due messages. Claims ahead: more messages per endpoint than may be in flight, so that the next starts without a
 * query. The leases of a dead process can be claimed after SILENT_MS without a heartbeat.
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

  const giveBack = inBatches('webhooks: cannot release leases; they will expire', (ids: string[]) =>
    releaseLeases(queueDb, leaseOwner, ids),
  )
  // If recording fails, the leases expire and the messages are sent again; receivers deduplicate by id.
  const record = inBatches('webhooks: cannot record results of deliveries', async (results: Result[]) => {
    const off = await recordResults(leaseOwner, results)
    failpoint('after-record')
    for (const id of off) dismiss(id)
  })

  /** Forgets an endpoint, for example of a deleted or disabled webhook, and releases its waiting messages, which stay pending. */
  function dismiss(id: string) {
    const endpoint = endpoints.get(id)
    endpoints.delete(id)
    if (endpoint) turns.dismiss(endpoint.ownerId, id)
  }

  /** Applies a changed webhook to waiting messages too. A new URL resets the failure count in memory. */
  function refresh(webhook: ReceiverRow) {
    const receiver = receiverOf(webhook, webhook.ownerRole, now())
    const known = endpoints.get(webhook.id) ?? { ownerId: webhook.ownerId, receiver, failures: 0 }
    const failures = known.receiver.url === webhook.url ? known.failures : 0
    // The higher count: recorded failures lag behind those in memory, and may include those of other processes.
    endpoints.set(
      webhook.id,
      Object.assign(known, { receiver, failures: Math.max(webhook.failures, failures) }),
    )
  }

  /** Null if nothing was sent. */
  async function attempt(message: Message): Promise<Result | null> {
    const isHeld = await heartbeat.holds(message.claimedAt)
    const endpoint = endpoints.get(message.webhookId)
    if (isStopped || !isHeld || !endpoint) return giveBack(message.id).then(() => null)
    // Too late: the lease may expire before the result is recorded. It is not released, because it expires soon anyway.
    if (message.leaseUntil - nowMs() < TIMEOUT_MS + RECORDING_MS) return null
    const { result } = await attemptDelivery(endpoint.receiver, message)
    failpoint('after-send')
    endpoint.failures = result.success ? 0 : endpoint.failures + 1
    return result
  }

  const lane = startLane<Message>({
    name: 'webhooks',
    wakesOn: ({ type }) => type === 'webhooks.due' || (endpoints.size > 0 && RELOAD_ON.has(type)),
    pollMs,
    gatherMs: GATHER_MS,
    stopMs: STOP_MS,
    atOnce: TOTAL_MAX,
    always: ALWAYS,
    keyOf: ({ webhookId }) => webhookId,
    async claim({ limit, busy }) {
      // Under a stale heartbeat, others may take at once what is claimed here.
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
        each: PER_ENDPOINT_MAX,
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
    /** Waits for requests in flight and releases the other messages. */
    async stop() {
      isStopped = true
      for (const id of [...endpoints.keys()]) dismiss(id)
      await lane.stop()
      await heartbeat.stop()
    },
  }
}
