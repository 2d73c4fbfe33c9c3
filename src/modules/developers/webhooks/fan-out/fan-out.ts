import { EVENTS, type EventType } from '@/core/domain-events'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { broadcast } from '@/outbox/broadcast'
import type { TakenEvent } from '@/outbox/queries'
import { type Addressed, insertMessages } from './queries'

/** What any webhook may get, as long as the group is listed and the event no draft. */
const PUBLIC_TYPES = new Set<string>(['event.published', 'event.updated', 'event.cancelled'])

/**
 * Writes a message for every webhook that may get these domain events, in the transaction that takes them up, so that each
 * is fanned out once. Dispatchers of all workers are woken: another one may have room while this one has none.
 */
export async function fanOut(tx: Tx, events: TakenEvent[], at: Date): Promise<void> {
  const messages = await insertMessages(tx, events.map(addressed), at)
  if (messages > 0) broadcast(tx, { type: 'webhooks.due', data: {} })
}

function addressed({ id, type, data, at, sequence }: TakenEvent): Addressed {
  const { scope, people } = EVENTS[type as EventType]
  const fields = data as Record<string, string | null>
  return {
    id,
    type,
    patterns: ['*', type, `${type.split('.')[0]}.*`],
    scope,
    people: people.map((field) => fields[field]).filter((person) => typeof person === 'string'),
    groupId: fields.groupId ?? null,
    eventId: PUBLIC_TYPES.has(type) ? (fields.eventId ?? null) : null,
    body: bodyOf(type, at, { ...fields, sequence }),
  }
}

/** The bytes of a delivery: made once, kept, and sent as they are on every attempt. */
export const bodyOf = (type: string, at: Date, data: unknown) =>
  JSON.stringify({ type, timestamp: iso(at), data })
