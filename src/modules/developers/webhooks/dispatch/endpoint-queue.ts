import { now } from '@/core/clock'
import type { Receiver } from '../deliveries/attempt'
import { receiverOf } from '../receiver'
import type { Claimed, ReceiverRow } from './queries'

/** For one endpoint: messages claimed, with how few waiting more are claimed, and requests in flight. */
export const CLAIMED_MAX = 64
const WAITING_LOW = 32
const IN_FLIGHT_MAX = 16
/** An endpoint that keeps failing gets a single request at a time: its long queue is nobody else's load. */
export const FAILING_AFTER = 5

/** Each message has a lease of its own: what was claimed first runs out first. */
export type Leased = Claimed & { leaseUntil: number }

/** What a dispatcher has claimed for one endpoint. */
export type EndpointQueue = {
  id: string
  ownerId: string
  receiver: Receiver
  waiting: Leased[]
  inFlight: number
  failures: number
  /** The database may have more for it than was claimed. */
  hasMore: boolean
}

export const leased = (messages: Claimed[], leaseUntil: Date): Leased[] =>
  messages.map((message) => ({ ...message, leaseUntil: leaseUntil.getTime() }))

/** The queue with these messages at its end. What changed about the webhook holds for all that waits in it. */
export function extended(
  known: EndpointQueue | undefined,
  webhook: ReceiverRow,
  messages: Leased[],
  hasMore: boolean,
): EndpointQueue {
  const receiver = receiverOf(webhook, webhook.ownerRole, now())
  const { id, ownerId } = webhook
  const queue = known ?? { id, ownerId, receiver, waiting: [], inFlight: 0, failures: 0, hasMore }
  // Another address begins with a clean slate.
  queue.failures = Math.max(webhook.failures, queue.receiver.url === webhook.url ? queue.failures : 0)
  queue.receiver = receiver
  queue.waiting.push(...messages)
  if (messages.length > 0) queue.hasMore = hasMore
  return queue
}

export const isFailing = ({ failures }: Pick<EndpointQueue, 'failures'>) => failures >= FAILING_AFTER

export const claimedOf = ({ inFlight, waiting }: EndpointQueue) => inFlight + waiting.length

/** So little is left that more should be on its way. */
export const isLow = (queue: EndpointQueue) =>
  isFailing(queue) ? claimedOf(queue) === 0 : queue.waiting.length < WAITING_LOW

export const hasRoom = (queue: EndpointQueue) =>
  queue.waiting.length > 0 && queue.inFlight < (isFailing(queue) ? 1 : IN_FLIGHT_MAX)
