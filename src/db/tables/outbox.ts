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

/** Domain events, written in the transaction of their change. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey(),
    type: text('type').notNull(),
    payload: jsonb('payload').notNull(),
    /** Rises with the domain events of an object. Null in rows of the previous release. */
    sequence: bigint('sequence', { mode: 'number' }),
    /** Lowest first. */
    urgency: smallint('urgency').notNull().default(1),
    createdAt: at('created_at').notNull().defaultNow(),
    /** The writing transaction, so that webhooks can tell which events precede a change of theirs. */
    xid: transactionId('xid').notNull().default(sql`pg_current_xact_id()`),
    /** When the reactions of all listeners were created. */
    relayedAt: at('relayed_at'),
    /** A domain event that cannot be relayed is retried later and blocks no other. */
    tries: integer('tries').notNull().default(0),
    retryAt: at('retry_at'),
  },
  (table) => [
    // Pending rows only: the relay never pages by id, since ids of open transactions appear late.
    index('outbox_pending').on(table.urgency, table.createdAt, table.id).where(sql`relayed_at is null`),
    index('outbox_relayed').on(table.relayedAt),
    // Finds events with words of a person, for account deletion.
    index('outbox_words')
      .on(sql`(${table.payload} ->> 'userId')`)
      .where(sql`type in ('token.created', 'upload.completed', 'upload.deleted')`),
  ],
)

/**
 * The last sequence number of each recently changed object. A transaction that emits holds the row until commit, so numbers
 * follow commit order. Objects are keyed by a hash: two that collide share their numbers.
 */
export const objectSequences = pgTable('object_sequences', {
  object: bigint('object', { mode: 'bigint' }).primaryKey(),
  /** Never behind the clock in microseconds, so that a purged object continues above its last number. */
  last: bigint('last', { mode: 'number' }).notNull(),
})

/** The reaction of each listener to a domain event. A job only wakes a worker; this row is authoritative. */
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
    /** Lowest first, as in the outbox. */
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

/** Worker heartbeats, so that a silent worker is noticed. */
export const heartbeats = pgTable('heartbeats', {
  worker: text('worker').primaryKey(),
  at: at('at').notNull(),
})
