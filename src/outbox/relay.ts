import { now, nowMs } from '@/core/clock'
import type { DomainEvent, EventType } from '@/core/domain-events'
import { log, warnSparingly } from '@/core/log'
import { counter, counters } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { db, queueDb, type Tx } from '@/db/client'
import { isOutage } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { publish } from './bus'
import { ORDINARY, URGENT } from './emit'
import type { Effecting, Listener, Reacting } from './listener'
import {
  finishReaction,
  insertReactions,
  leaseReaction,
  listPendingEvents,
  postponeEvent,
  postponeReaction,
  type ReactionJob,
  type TakenEvent,
  takeDueReactions,
  takeEvents,
  takeReaction,
} from './queries'

export const EVENTS_AT_ONCE = 200
/** How long a job may take to arrive before the sweep enqueues it again. */
const PATIENCE_MS = 10_000
/** Domain events older than this when relayed are published again: their writer may have died before publishing. */
const REPUBLISH_AFTER_MS = 2000
const ATTEMPTS_MAX = 20
/** After this, the sweep starts an unfinished effect again: effects run at least once. */
const LEASE_MS = 60_000

const relayed = counter('folkmoot_outbox_relayed_total', 'Domain events that this process has relayed.')
const reactions = counters(
  'folkmoot_reactions_total',
  'Reactions to domain events: done, failed and retried, or dead (no more retries).',
  'outcome',
  ['done', 'failed', 'dead'],
)

/** Inserts outgoing messages for domain events, in the transaction that relays the events. */
export type FanOut = (tx: Tx, events: TakenEvent[]) => Promise<unknown>

const noFanOut: FanOut = async () => {}

/**
 * Relays up to EVENTS_AT_ONCE pending domain events: inserts a reaction for each listener, lets `fanOut` insert outgoing messages, and
 * returns the jobs to enqueue.
 */
export async function relayEvents(
  listeners: readonly Listener[],
  fanOut: FanOut = noFanOut,
): Promise<ReactionJob[]> {
  const listenersOf = await findListeners(listeners)
  const events = await relayBatchOrEach(listenersOf, fanOut)
  relayed.value += events.length
  const old = events.filter(({ at }) => nowMs() - at.getTime() > REPUBLISH_AFTER_MS)
  if (old.length > 0) publish(old as unknown as DomainEvent[])
  return events.flatMap(({ id, type }) =>
    listenersOf(type).map(({ name }) => ({ outboxId: id, listener: name, attempts: 0 })),
  )
}

/** The listeners to a type of domain event. */
type ListenersOf = (type: string) => Listener[]

/** Relays in one batch; if that fails, one by one, so that a broken event does not block the others. */
async function relayBatchOrEach(listenersOf: ListenersOf, fanOut: FanOut): Promise<TakenEvent[]> {
  try {
    return await relayBatch(listenersOf, fanOut)
  } catch {
    const taken: TakenEvent[] = []
    for (const { id, type } of await listPendingEvents(queueDb, { at: now(), limit: EVENTS_AT_ONCE }))
      try {
        taken.push(...(await relayBatch(listenersOf, fanOut, id)))
      } catch (error) {
        // An outage is not the event's failure: do not back off.
        if (isOutage(error)) throw error
        log.error('relay: cannot relay an event', { event: id, type, ...reasonOf(error) })
        await postponeEvent(queueDb, id, now())
      }
    return taken
  }
}

/** Marks events as relayed and inserts their reactions and outgoing messages, in one transaction. */
const relayBatch = (listenersOf: ListenersOf, fanOut: FanOut, only?: string): Promise<TakenEvent[]> =>
  transaction(async (tx) => {
    const found = await takeEvents(tx, { at: now(), limit: EVENTS_AT_ONCE, only })
    if (found.length === 0) return []
    const nextAttemptAt = new Date(nowMs() + PATIENCE_MS)
    await insertReactions(
      tx,
      found.flatMap(({ id, type }) =>
        listenersOf(type).map(({ name, isUrgent }) => ({
          outboxId: id,
          listener: name,
          urgency: isUrgent ? URGENT : ORDINARY,
          nextAttemptAt,
        })),
      ),
    )
    await fanOut(tx, found)
    return found
  }, queueDb)

/** Returns a look-up of the listeners to react to a type. Runs before the transaction, because `relevantNow` may query. */
async function findListeners(listeners: readonly Listener[]): Promise<ListenersOf> {
  const relevant = new Map<Listener, ReadonlySet<string>>()
  for (const listener of listeners)
    if (listener.relevantNow) relevant.set(listener, await listener.relevantNow())
  return (type) =>
    listeners.filter(
      (listener) => listener.on.includes(type as EventType) && relevant.get(listener)?.has(type) !== false,
    )
}

/** Reactions whose job was lost or failed, as jobs to enqueue again. */
export const sweepReactions = (): Promise<ReactionJob[]> =>
  takeDueReactions(queueDb, now(), new Date(nowMs() + PATIENCE_MS), EVENTS_AT_ONCE)

/** Runs one reaction. One that fails is tried again later. */
export async function react(listeners: readonly Listener[], outboxId: string, name: string): Promise<void> {
  const listener = listeners.find((candidate) => candidate.name === name)
  if (!listener) return
  try {
    await ('effect' in listener ? runEffect(listener, outboxId) : runReaction(listener, outboxId))
    reactions.done.value += 1
  } catch (error) {
    // If that fails too, the reaction is unchanged and the sweep finds it.
    await postpone(outboxId, name, error).catch((again) =>
      warnSparingly('reaction could not be postponed', {
        event: outboxId,
        listener: name,
        ...reasonOf(again),
      }),
    )
  }
}

/** The reaction's changes and its completion commit together. */
const runReaction = ({ name, react }: Reacting, outboxId: string) =>
  transaction(async (tx) => {
    const event = await takeReaction(tx, outboxId, name)
    if (!event) return
    await react(tx, event)
    await finishReaction(tx, outboxId, name)
  })

/** Holds a lease instead of a transaction. After it expires, the sweep finds the reaction again. */
async function runEffect({ name, effect }: Effecting, outboxId: string) {
  const at = nowMs()
  // An enqueued reaction is due within PATIENCE_MS. One due later than half a lease is leased by another worker, or backs off.
  const dueBy = new Date(at + LEASE_MS / 2)
  const event = await leaseReaction(db, outboxId, name, { dueBy, until: new Date(at + LEASE_MS) })
  if (!event) return
  await effect(event)
  await finishReaction(db, outboxId, name)
}

async function postpone(outboxId: string, name: string, error: unknown) {
  const why = reasonOf(error)
  const [row] = await postponeReaction(db, outboxId, name, {
    attemptsMax: ATTEMPTS_MAX,
    at: now(),
    error: [why.fault, why.code, why.reason].filter(Boolean).join(': '),
  })
  if (!row) return
  reactions[row.status === 'dead' ? 'dead' : 'failed'].value += 1
  log.warn(row.status === 'dead' ? 'reaction is dead' : 'reaction failed', {
    event: outboxId,
    listener: name,
    attempts: row.attempts,
    ...why,
  })
}
