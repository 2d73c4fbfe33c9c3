import type { DomainEvent, EventType } from '@/core/events'
import type { Tx } from '@/db/client'

/** A domain event as a listener gets it: the id is the same however often it comes. */
export type HeardEvent = DomainEvent & { id: string; at: Date }

/**
 * A reaction to domain events. It runs inside the transaction that also marks it as done, so however often a job
 * is delivered its effect happens once. It talks to the database only; the network has workers of its own.
 */
export type Listener = {
  name: string
  on: readonly EventType[]
  /** The types that it would do anything about just now: saves writing down reactions that come to nothing. */
  relevantNow?: () => ReadonlySet<string> | Promise<ReadonlySet<string>>
  react: (tx: Tx, event: HeardEvent) => Promise<void>
}

export const listener = (definition: Listener): Listener => {
  if (!/^[a-z][a-z-]*$/.test(definition.name))
    throw new Error(`A listener is called ${definition.name}: use lower case and hyphens`)
  return definition
}
