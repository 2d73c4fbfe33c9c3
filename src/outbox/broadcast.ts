import type { Broadcast, BusMessage } from '@/core/domain-events'
import type { Tx } from '@/db/client'
import { afterCommit } from '@/db/transaction'
import { publish } from './bus'

const gathered = new WeakMap<Tx, BusMessage[]>()

/**
 * Notifies the caches of every process after the commit. The message is not stored: if the process dies in between, the worst case
 * is a stale cache entry. Use `emit` for anything that must not be lost.
 */
export const broadcast = (tx: Tx, message: Broadcast) => publishAfterCommit(tx, message)

export function publishAfterCommit(tx: Tx, message: BusMessage) {
  const known = gathered.get(tx)
  if (known) return void known.push(message)
  const messages = [message]
  gathered.set(tx, messages)
  afterCommit(tx, () => publish(messages))
}
