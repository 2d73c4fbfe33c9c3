import { EVENTS, type EventType } from '@/core/events'
import { newId } from '@/core/ids'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import type { TakenFact } from '@/jobs/relay'
import { findHearers, insertMessages, type Told } from './queries'

/** What anyone may hear of, as long as the group is listed and the event no draft. */
const PUBLIC_TYPES = new Set<string>(['event.published', 'event.updated', 'event.cancelled'])

/**
 * Writes a message for every webhook that may hear of these facts. Run in the transaction that takes the facts up,
 * so that each is told once. Gives the webhooks that have something to send.
 */
export async function fanOut(tx: Tx, facts: TakenFact[], at: Date): Promise<string[]> {
  const told = facts.map(toldOf)
  if (told.length === 0) return []
  const hearers = await findHearers(tx, told)
  if (hearers.length === 0) return []
  const byId = new Map(told.map((fact) => [fact.id, fact]))
  // In one order, so that two who tell the same wait for each other in turn.
  hearers.sort((a, b) => compare(a.factId, b.factId) || compare(a.webhookId, b.webhookId))
  await insertMessages(
    tx,
    hearers.map(({ factId, webhookId }) => {
      const fact = byId.get(factId) as Told
      return {
        id: newId(),
        webhookId,
        factId,
        eventType: fact.type,
        body: fact.body,
        nextAttemptAt: at,
      }
    }),
  )
  return [...new Set(hearers.map(({ webhookId }) => webhookId))]
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toldOf({ id, type, data, at }: TakenFact): Told {
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
    body: bodyOf(type, at, data),
  }
}

/** The bytes of a delivery: made once, kept, and sent as they are on every attempt. */
export const bodyOf = (type: string, at: Date, data: unknown) =>
  JSON.stringify({ type, timestamp: iso(at), data })
