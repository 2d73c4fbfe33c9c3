import { EVENTS, type EventType } from '@/core/events'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import type { TakenEvent } from '@/outbox/queries'
import { type Addressed, insertMessages } from './queries'

/** What any webhook may get, as long as the group is listed and the event no draft. */
const PUBLIC_TYPES = new Set<string>(['event.published', 'event.updated', 'event.cancelled'])

/**
 * Writes a message for every webhook that may get these domain events, and says whether there is any. Run in the
 * transaction that takes the domain events up, so that each is fanned out once.
 */
export const fanOut = async (tx: Tx, events: TakenEvent[], at: Date): Promise<boolean> =>
  (await insertMessages(tx, events.map(addressed), at)) > 0

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
