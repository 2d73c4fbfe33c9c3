import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { at, transactionId } from './columns'

/** Domain events, written in the transaction of the change itself. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey(),
    type: text('type').notNull(),
    payload: jsonb('payload').notNull(),
    /** Rises with the domain events of the same object. Null in rows of the release before this one. */
    sequence: bigint('sequence', { mode: 'number' }),
    /** The lowest number is relayed first. */
    urgency: smallint('urgency').notNull().default(1),
    createdAt: at('created_at').notNull().defaultNow(),
    /** The transaction that wrote it, so that webhooks can tell what had happened before they were changed. */
    xid: transactionId('xid').notNull().default(sql`pg_current_xact_id()`),
    /** When each listener's reaction was written down. */
    relayedAt: at('relayed_at'),
    /** A domain event that cannot be relayed is tried again later, and keeps no other waiting. */
    tries: integer('tries').notNull().default(0),
    retryAt: at('retry_at'),
  },
  (table) => [
    // Pending rows only: the relay never pages by id, since ids of open transactions appear late.
    index('outbox_pending').on(table.urgency, table.createdAt, table.id).where(sql`relayed_at is null`),
    index('outbox_relayed').on(table.relayedAt),
    // What holds words of a person is found by them when they go.
    index('outbox_words')
      .on(sql`(${table.payload} ->> 'userId')`)
      .where(sql`type in ('token.created', 'upload.completed', 'upload.deleted')`),
  ],
)

/**
 * The number of the last domain event of each object that changed lately. A transaction that emits one of an object holds its row until the commit,
 * so numbers come in the order of commits. Objects go by a hash of their name: two that share one share their numbers.
 */
export const objectSequences = pgTable('object_sequences', {
  object: bigint('object', { mode: 'bigint' }).primaryKey(),
  /** Never behind the clock, in microseconds, so that an object that was forgotten goes on above where it was. */
  last: bigint('last', { mode: 'number' }).notNull(),
})

/** The reaction of each listener to a domain event. A job only wakes a worker; the truth is here. */
export const reactions = pgTable(
  'reactions',
  {
    outboxId: uuid('fact_id')
      .notNull()
      .references(() => outbox.id, { onDelete: 'cascade' }),
    listener: text('listener').notNull(),
    status: text('status', { enum: ['pending', 'done', 'dead'] })
      .notNull()
      .default('pending'),
    /** The lowest number goes first, as in the outbox. */
    urgency: smallint('urgency').notNull().default(1),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: at('next_attempt_at').notNull().defaultNow(),
    lastError: text('last_error'),
  },
  (table) => [
    primaryKey({ columns: [table.outboxId, table.listener] }),
    index('reactions_due').on(table.urgency, table.nextAttemptAt).where(sql`status = 'pending'`),
    check('reactions_status', sql`${table.status} in ('pending', 'done', 'dead')`),
  ],
)

/** A sign of life of each worker process, so that a silent one is noticed. */
export const heartbeats = pgTable('heartbeats', {
  worker: text('worker').primaryKey(),
  at: at('at').notNull(),
})
