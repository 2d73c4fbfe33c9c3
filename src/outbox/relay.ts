import { now, nowMs } from '@/core/clock'
import type { DomainEvent, EventType } from '@/core/events'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db, queueDb, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { publish } from './bus'
import type { Listener } from './listener'
import {
  finishReaction,
  insertReactions,
  listPendingEvents,
  postponeEvent,
  postponeReaction,
  type TakenEvent,
  takeDueReactions,
  takeEvents,
  takeReaction,
} from './queries'

export const EVENTS_AT_ONCE = 200
/** How long a job may take to arrive before the sweeper rings again. */
const PATIENCE_MS = 10_000
/** A domain event that is older than this was perhaps never announced: whoever wrote it may have died. */
const UNPUBLISHED_MS = 2000
const ATTEMPTS_MAX = 20

export type Bell = { outboxId: string; listener: string; attempts: number }

/** Tells the world outside of domain events: writes down what is to be sent, in the transaction that takes them up. */
export type Tell = (tx: Tx, facts: TakenEvent[]) => Promise<unknown>

const tellNobody: Tell = async () => {}

/** Writes down what every listener has to do about new domain events, and gives the jobs to ring for. */
export async function relayEvents(listeners: readonly Listener[], tell: Tell = tellNobody): Promise<Bell[]> {
  const hearers = await hearersNow(listeners)
  const facts = await takeUpAll(hearers, tell)
  const old = facts.filter(({ at }) => nowMs() - at.getTime() > UNPUBLISHED_MS)
  if (old.length > 0) publish(old as unknown as DomainEvent[])
  return facts.flatMap(({ id, type }) =>
    hearers(type).map((name) => ({ outboxId: id, listener: name, attempts: 0 })),
  )
}

type Hearers = (type: string) => string[]

/** All together; where that fails, one by one, so that a domain event that nobody can take up keeps none of the others waiting. */
async function takeUpAll(hearers: Hearers, tell: Tell): Promise<TakenEvent[]> {
  try {
    return await takeUp(hearers, tell)
  } catch {
    const taken: TakenEvent[] = []
    for (const { id, type } of await listPendingEvents(queueDb, { at: now(), limit: EVENTS_AT_ONCE }))
      try {
        taken.push(...(await takeUp(hearers, tell, id)))
      } catch (error) {
        log.error('relay: a fact cannot be taken up', { fact: id, type, ...reasonOf(error) })
        await postponeEvent(queueDb, id, now())
      }
    return taken
  }
}

/** In one transaction, with what everyone has to do about them. */
const takeUp = (hearers: Hearers, tell: Tell, only?: string): Promise<TakenEvent[]> =>
  transaction(async (tx) => {
    const found = await takeEvents(tx, { at: now(), limit: EVENTS_AT_ONCE, only })
    if (found.length === 0) return []
    const nextAttemptAt = new Date(nowMs() + PATIENCE_MS)
    await insertReactions(
      tx,
      found.flatMap(({ id, type }) =>
        hearers(type).map((name) => ({ outboxId: id, listener: name, nextAttemptAt })),
      ),
    )
    await tell(tx, found)
    return found
  }, queueDb)

/** Asked before the transaction: a listener may have to look something up in order to know. */
async function hearersNow(listeners: readonly Listener[]): Promise<Hearers> {
  const minded = new Map<Listener, ReadonlySet<string>>()
  for (const listener of listeners) if (listener.minds) minded.set(listener, await listener.minds())
  return (type) =>
    listeners
      .filter(
        (listener) => listener.hears.includes(type as EventType) && minded.get(listener)?.has(type) !== false,
      )
      .map(({ name }) => name)
}

/** What a lost or failed job would have done. */
export const sweepReactions = () =>
  takeDueReactions(queueDb, now(), new Date(nowMs() + PATIENCE_MS), EVENTS_AT_ONCE)

/** Runs one reaction. Its effect and the note that it is done commit together. */
export async function react(listeners: readonly Listener[], outboxId: string, name: string): Promise<void> {
  const listener = listeners.find((candidate) => candidate.name === name)
  if (!listener) return
  try {
    await transaction(async (tx) => {
      const fact = await takeReaction(tx, outboxId, name)
      if (!fact) return
      await listener.react(tx, fact)
      await finishReaction(tx, outboxId, name)
    })
  } catch (error) {
    // Where even that fails, the reaction stands as it was, and the sweeper comes by.
    await postpone(outboxId, name, error).catch((again) =>
      log.warn('reaction could not be postponed', { fact: outboxId, listener: name, ...reasonOf(again) }),
    )
  }
}

async function postpone(outboxId: string, name: string, error: unknown) {
  const why = reasonOf(error)
  const [row] = await postponeReaction(db, outboxId, name, {
    attemptsMax: ATTEMPTS_MAX,
    at: now(),
    error: [why.fault, why.code, why.reason].filter(Boolean).join(': '),
  })
  if (row)
    log.warn(row.status === 'dead' ? 'reaction given up' : 'reaction failed', {
      fact: outboxId,
      listener: name,
      attempts: row.attempts,
      ...why,
    })
}
