import type { DomainEvent, EventType } from '@/core/events'
import type { Tx } from '@/db/client'

/**
 * A reaction to domain events. It runs inside the transaction that also marks it as done, so however often a job
 * is delivered its effect happens once. It talks to the database only; the network has workers of its own.
 */
export type Listener = {
  name: string
  hears: readonly EventType[]
  /** Which of them it would do anything about just now: saves writing down what comes to nothing. */
  minds?: () => ReadonlySet<string> | Promise<ReadonlySet<string>>
  react: (tx: Tx, fact: DomainEvent & { id: string; at: Date }) => Promise<void>
}

export const listener = (definition: Listener): Listener => {
  if (!/^[a-z][a-z-]*$/.test(definition.name))
    throw new Error(`A listener is called ${definition.name}: use lower case and hyphens`)
  return definition
}
