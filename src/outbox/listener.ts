import type { DomainEvent, EventType } from '@/core/domain-events'
import type { Tx } from '@/db/client'

/** A domain event for a listener. Repeated deliveries have the same id. */
export type ReceivedEvent = DomainEvent & { id: string; at: Date }

type Named = {
  name: string
  on: readonly EventType[]
  /** Whether its reactions overtake others in the queue. */
  isUrgent?: boolean
  /** The types that currently have an effect; saves inserting reactions without one. */
  relevantNow?: () => ReadonlySet<string> | Promise<ReadonlySet<string>>
}

/** Runs in the transaction that marks the reaction as done, so it happens exactly once. It may use only the database. */
export type Reacting = Named & { react: (tx: Tx, event: ReceivedEvent) => Promise<void> }

/**
 * Runs outside a transaction, so it may use the network. It is marked as done afterwards, so it happens at least once: again after
 * a crash in between or an error.
 */
export type Effecting = Named & { effect: (event: ReceivedEvent) => Promise<void> }

/** A consequence of domain events. */
export type Listener = Reacting | Effecting

export function listener(definition: Reacting): Reacting
export function listener(definition: Effecting): Effecting
export function listener(definition: Listener): Listener {
  if (!/^[a-z][a-z-]*$/.test(definition.name))
    throw new Error(`A listener is called ${definition.name}: use lower case and hyphens`)
  return definition
}
