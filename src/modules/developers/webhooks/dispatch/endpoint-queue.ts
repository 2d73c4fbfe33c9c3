import type { Receiver } from '../deliveries/attempt'
import type { Claimed } from './queries'

/** For one receiver: messages in hand, with how few left more are taken, and requests under way. */
export const EACH = 64
const EACH_LOW = 32
const EACH_AT_ONCE = 16
/** One that keeps failing gets a single try at a time: its long queue is nobody else's load. */
export const FAILING_AFTER = 5

/** Each message has a lease of its own: what came first runs out first. */
export type Held = Claimed & { leaseUntil: number }

/** What is in hand for one receiver. */
export type Lane = {
  id: string
  ownerId: string
  receiver: Receiver
  queue: Held[]
  busy: number
  failures: number
  /** The database may have more for it than was taken. */
  hasMore: boolean
}

export const held = (messages: Claimed[], leaseUntil: Date): Held[] =>
  messages.map((message) => ({ ...message, leaseUntil: leaseUntil.getTime() }))

export const isFailing = ({ failures }: Pick<Lane, 'failures'>) => failures >= FAILING_AFTER

export const inHandOf = ({ busy, queue }: Lane) => busy + queue.length

/** So little is left that more should be on its way. */
export const isLow = (lane: Lane) => (isFailing(lane) ? inHandOf(lane) === 0 : lane.queue.length < EACH_LOW)

export const hasRoom = (lane: Lane) =>
  lane.queue.length > 0 && lane.busy < (isFailing(lane) ? 1 : EACH_AT_ONCE)
