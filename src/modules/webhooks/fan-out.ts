import { EVENTS, type EventType } from '@/core/events'
import { newId } from '@/core/ids'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import {
  findHearers,
  findPendingFacts,
  insertMessages,
  insertUnheard,
  type PendingFact,
  type Told,
} from './queries'

/** After an outage there may be any number. */
const PAGE = 500

/** What anyone may hear of, as long as the group is listed and the event no draft. */
const PUBLIC_TYPES = new Set<string>(['event.published', 'event.updated', 'event.cancelled'])

/**
 * Writes a message for every webhook that may hear of these facts. Run in the transaction that takes the facts up,
 * so that each is told once. Gives the webhooks that have something to send.
 */
export async function fanOut(tx: Tx, facts: PendingFact[], at: Date, only?: string): Promise<string[]> {
  const told = facts.filter(({ type }) => type in EVENTS).map(toldOf)
  if (told.length === 0) return []
  const hearers = await findHearers(tx, told, only)
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

/** Tells a webhook what has happened so far by the rule that held meanwhile. The next rule is for what comes. */
export const fanOutSoFar = (tx: Tx, webhookId: string, at: Date) =>
  beginHearing(tx, webhookId, (facts) => fanOut(tx, facts, at, webhookId))

/** From here on a webhook hears: nothing of what has happened, though it may not have been told to anybody yet. */
export async function beginHearing(
  tx: Tx,
  webhookId: string,
  conclude: (facts: PendingFact[]) => Promise<unknown> = async () => {},
): Promise<void> {
  for (let facts = await findPendingFacts(tx, PAGE); facts.length > 0; ) {
    await conclude(facts)
    await insertUnheard(tx, webhookId, facts)
    facts = await findPendingFacts(tx, PAGE, facts.at(-1))
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toldOf({ id, type, data, at }: PendingFact): Told {
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
