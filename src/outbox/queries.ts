import { and, type Column, eq, isNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { EVENT_TYPES, type EventData, type EventType, WORDED } from '@/core/domain-events'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { deleteInSlices, SLICE } from '@/db/delete-in-slices'
import { outbox, reactions } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { URGENT, urgencyOf } from './emit'
import type { ReceivedEvent } from './listener'

/** The payload of a reaction's job. */
export type ReactionJob = { outboxId: string; listener: string; attempts: number }

type Wanted = { at: Date; limit: number; only?: string }

export type TakenEvent = { id: string; type: string; data: unknown; at: Date; sequence: number }

/** Marks new domain events as relayed, or `only` one of them. Skips rows that another relay has locked. */
export async function takeEvents(tx: Tx, wanted: Wanted): Promise<TakenEvent[]> {
  const rows = await tx.execute<Omit<TakenEvent, 'at'> & { at: string }>(takingEvents(wanted))
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}

export const takingEvents = ({ at, limit, only }: Wanted): SQL => sql`
  update ${outbox} set relayed_at = ${at.toISOString()}::timestamptz
  where id = any(array(
    select id from ${outbox} where ${isPending(at)} ${only === undefined ? sql`` : sql`and id = ${only}::uuid`}
    order by urgency, created_at, id limit ${limit}::int for update skip locked
  ))
  returning id, type, payload as data, created_at as at,
    -- One that the release before this one wrote has no number but its time.
    coalesce(sequence, extract(epoch from created_at) * 1000000)::float8 as sequence`

export const listPendingEvents = (db: Db, { at, limit }: Wanted) =>
  db
    .select({ id: outbox.id, type: outbox.type })
    .from(outbox)
    .where(isPending(at))
    .orderBy(outbox.urgency, outbox.createdAt, outbox.id)
    .limit(limit)

/** Unknown types are left to a worker of a newer release. */
const isPending = (at: Date) =>
  and(
    isNull(outbox.relayedAt),
    or(isNull(outbox.retryAt), lte(outbox.retryAt, at)),
    sql`${outbox.type} = any(${sql.param(EVENT_TYPES)}::text[])`,
  )

/** Exponential backoff up to an hour, without a last attempt: a failing relay is a bug in the server. */
export const postponeEvent = (db: Db, id: string, at: Date) =>
  db
    .update(outbox)
    .set({ tries: sql`${outbox.tries} + 1`, retryAt: backOff(at, outbox.tries) })
    .where(and(eq(outbox.id, id), isNull(outbox.relayedAt)))
    .execute()

const backOff = (at: Date, tries: Column) =>
  sql`${at.toISOString()}::timestamptz + least(power(2, ${tries}), 3600) * interval '1 second'`

export async function insertReactions(
  tx: Tx,
  rows: { outboxId: string; listener: string; urgency: number; nextAttemptAt: Date }[],
) {
  if (rows.length === 0) return
  const ids = sql.param(rows.map(({ outboxId }) => outboxId))
  const listeners = sql.param(rows.map(({ listener }) => listener))
  const urgencies = sql.param(rows.map(({ urgency }) => urgency))
  const times = sql.param(rows.map(({ nextAttemptAt }) => nextAttemptAt.toISOString()))
  await tx.execute(sql`insert into ${reactions} (fact_id, listener, urgency, next_attempt_at)
    select * from unnest(${ids}::uuid[], ${listeners}::text[], ${urgencies}::smallint[], ${times}::text[]::timestamptz[]) on conflict do nothing`)
}

/** Not `= 'pending'`: with statistics from before a backlog, that made PostgreSQL read all pending ones to find one. */
const isReaction = (outboxId: string, listener: string) =>
  and(
    eq(reactions.outboxId, outboxId),
    eq(reactions.listener, listener),
    notInArray(reactions.status, ['done', 'dead']),
  )

/** Locks one pending reaction and reads its domain event; undefined if it is done or another worker has it. */
export async function takeReaction(tx: Tx, outboxId: string, listener: string) {
  const [row] = await tx
    .select({ id: outbox.id, type: outbox.type, data: outbox.payload, at: outbox.createdAt })
    .from(reactions)
    .innerJoin(outbox, eq(outbox.id, reactions.outboxId))
    .where(isReaction(outboxId, listener))
    .for('update', { of: reactions, skipLocked: true })
  return row && (row as ReceivedEvent)
}

/**
 * Leases a pending reaction and reads its domain event; undefined if it is done, leased by another worker, or waiting after a
 * failure (due after `dueBy`).
 */
export async function leaseReaction(
  db: Db,
  outboxId: string,
  listener: string,
  lease: { dueBy: Date; until: Date },
): Promise<ReceivedEvent | undefined> {
  const leased = await db
    .update(reactions)
    .set({ nextAttemptAt: lease.until })
    .where(and(isReaction(outboxId, listener), lte(reactions.nextAttemptAt, lease.dueBy)))
    .returning({ outboxId: reactions.outboxId })
  if (leased.length === 0) return undefined
  const [row] = await db
    .select({ id: outbox.id, type: outbox.type, data: outbox.payload, at: outbox.createdAt })
    .from(outbox)
    .where(eq(outbox.id, outboxId))
  return row && (row as ReceivedEvent)
}

export const finishReaction = (tx: Db | Tx, outboxId: string, listener: string) =>
  tx
    .update(reactions)
    .set({ status: 'done', lastError: null })
    .where(and(eq(reactions.outboxId, outboxId), eq(reactions.listener, listener)))
    .execute()

/** Exponential backoff up to an hour; after too many attempts the reaction is dead until an operator retries it. */
export const postponeReaction = (
  db: Db,
  outboxId: string,
  listener: string,
  failed: { attemptsMax: number; at: Date; error: string },
) =>
  db
    .update(reactions)
    .set({
      status: sql`case when ${reactions.attempts} + 1 >= ${failed.attemptsMax} then 'dead' else 'pending' end`,
      attempts: sql`${reactions.attempts} + 1`,
      nextAttemptAt: backOff(failed.at, reactions.attempts),
      lastError: failed.error,
    })
    .where(isReaction(outboxId, listener))
    .returning({ attempts: reactions.attempts, status: reactions.status })

/**
 * Reactions whose job was lost or failed. Postpones them slightly, so that only one sweep enqueues them. The array forces index
 * lookups.
 */
export const takeDueReactions = async (
  db: Db,
  at: Date,
  until: Date,
  limit: number,
): Promise<ReactionJob[]> =>
  (await db.execute(takingDueReactions(at, until, limit))) as unknown as ReactionJob[]

export const takingDueReactions = (at: Date, until: Date, limit: number): SQL => sql`
  with due as materialized (
    select fact_id, listener from reactions where status = 'pending' and next_attempt_at <= ${at.toISOString()}::timestamptz
    order by urgency, next_attempt_at limit ${limit}::int for update skip locked
  )
  update reactions set next_attempt_at = ${until.toISOString()}::timestamptz from due
  where reactions.fact_id = any(array(select fact_id from due))
    and reactions.fact_id = due.fact_id and reactions.listener = due.listener
  returning reactions.fact_id as "outboxId", reactions.listener, attempts`

/** Excludes reactions that wait after a failure. Event ids contain their time. */
export async function findPendingReactions(db: Db | Tx) {
  const [row] = await db.execute<{ pending: number; oldestSeconds: number | null }>(sql`
    select count(*)::int as pending, floor(extract(epoch from now() -
      min(uuid_extract_timestamp(fact_id)) filter (where attempts = 0)))::int as "oldestSeconds"
    from reactions where status = 'pending'`)
  return row ?? { pending: 0, oldestSeconds: null }
}

/** Whether an event of this type with these fields is not relayed yet, or an urgent reaction to it is pending. */
export async function hasPendingEvent<T extends EventType>(
  tx: Tx,
  type: T,
  fields: Partial<EventData<T>>,
): Promise<boolean> {
  const isIt = sql`type = ${type} and payload @> ${JSON.stringify(fields)}::jsonb`
  const [row] = await tx.execute<{ found: boolean }>(sql`
    select exists (
      select 1 from outbox where relayed_at is null and urgency = ${urgencyOf(type)}::smallint and ${isIt}
    ) or exists (
      select 1 from reactions join outbox on outbox.id = fact_id
      where status = 'pending' and reactions.urgency = ${URGENT}::smallint and ${isIt}
    ) as found`)
  return row?.found === true
}

export const countUnsettled = async (db: Db) => {
  const events = await db.$count(outbox, sql`${outbox.relayedAt} is null`)
  const pending = await db.$count(reactions, is(reactions.status, 'pending'))
  return events + pending
}

const isReactedTo = sql`not exists (select 1 from ${reactions} where ${reactions.outboxId} = ${outbox.id} and ${reactions.status} = 'pending')`

/** Keeps domain events until all their reactions are done, and a while longer. */
export const deleteOldEvents = (db: Db, before: Date) =>
  deleteInSlices(db, outbox, {
    old: lt(outbox.relayedAt, before),
    by: [outbox.relayedAt, outbox.id],
    only: isReactedTo,
  })

/** Spelled as in the partial index. */
const hasText = sql.raw(`type in (${WORDED.map((type) => `'${type}'`).join(', ')})`)

/** Deletes domain events that contain a person's texts, with their reactions. */
export const deleteTextsOf = (tx: Tx, userId: string) =>
  tx.delete(outbox).where(sql`${hasText} and ${outbox.payload} ->> 'userId' = ${userId}`).execute()

/** The same for deleted people, in slices: the previous release emitted such events while it erased them. */
export async function deleteTextsOfDeletedUsers(db: Db): Promise<void> {
  const slice = sql`select ${outbox.id} from ${outbox} where ${hasText}
    and not exists (select 1 from ${users} where ${users.id}::text = ${outbox.payload} ->> 'userId') limit ${SLICE}::int`
  for (let gone = SLICE; gone === SLICE; )
    gone = (
      await db.delete(outbox).where(sql`${outbox.id} = any(array(${slice}))`).returning({ id: outbox.id })
    ).length
}
