import type { Broadcast, BusMessage } from '@/core/domain-events'
import type { Tx } from '@/db/client'
import { afterCommit } from '@/db/transaction'
import { publish } from './bus'

const gathered = new WeakMap<Tx, BusMessage[]>()

/**
 * Reaches the caches of every process, once the transaction has committed. Nothing of it is written down: a process that
 * dies in between loses it, which leaves a stale cache entry at worst. What must not be lost is a domain event: `emit`.
 */
export const broadcast = (tx: Tx, message: Broadcast) => publishAfterCommit(tx, message)

export function publishAfterCommit(tx: Tx, message: BusMessage) {
  const known = gathered.get(tx)
  if (known) return void known.push(message)
  const messages = [message]
  gathered.set(tx, messages)
  afterCommit(tx, () => publish(messages))
}
