import type { DomainEvent, EventType } from '@/core/domain-events'
import type { Tx } from '@/db/client'

/** A domain event as a listener gets it: the id is the same however often it comes. */
export type HeardEvent = DomainEvent & { id: string; at: Date }

type Named = {
  name: string
  on: readonly EventType[]
  /** Whether its reactions go ahead of those that wait in the queue. */
  isUrgent?: boolean
  /** The types that it would do anything about just now: saves writing down reactions that come to nothing. */
  relevantNow?: () => ReadonlySet<string> | Promise<ReadonlySet<string>>
}

/**
 * Runs inside the transaction that also marks it as done, so however often its job is delivered it happens once. It
 * talks to the database only.
 */
export type Reacting = Named & { react: (tx: Tx, event: HeardEvent) => Promise<void> }

/**
 * Runs outside of any transaction, so it may talk to the network, and is marked as done afterwards. It happens at least
 * once: again after a crash in between, and again later when it throws.
 */
export type Effecting = Named & { effect: (event: HeardEvent) => Promise<void> }

/** A consequence of domain events. */
export type Listener = Reacting | Effecting

export function listener(definition: Reacting): Reacting
export function listener(definition: Effecting): Effecting
export function listener(definition: Listener): Listener {
  if (!/^[a-z][a-z-]*$/.test(definition.name))
    throw new Error(`A listener is called ${definition.name}: use lower case and hyphens`)
  return definition
}
