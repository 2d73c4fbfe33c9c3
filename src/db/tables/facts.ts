import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at, transactionId } from './columns'

/** Facts, written in the transaction of the change that they tell of. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey(),
    type: text('type').notNull(),
    payload: jsonb('payload').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** Tells exactly whether it had happened when something else did. */
    xid: transactionId('xid').notNull().default(sql`pg_current_xact_id()`),
    /** When each listener's reaction was written down. */
    relayedAt: at('relayed_at'),
    /** One that cannot be taken up is tried again later, and keeps nobody else waiting. */
    tries: integer('tries').notNull().default(0),
    retryAt: at('retry_at'),
  },
  (table) => [
    // Pending rows only: the relay never pages by id, since ids of open transactions appear late.
    index('outbox_pending').on(table.createdAt, table.id).where(sql`relayed_at is null`),
    index('outbox_relayed').on(table.relayedAt),
  ],
)

/** What each listener still has to do about a fact. A job only rings the bell; this is the truth. */
export const reactions = pgTable(
  'reactions',
  {
    factId: uuid('fact_id')
      .notNull()
      .references(() => outbox.id, { onDelete: 'cascade' }),
    listener: text('listener').notNull(),
    status: text('status', { enum: ['pending', 'done', 'dead'] })
      .notNull()
      .default('pending'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: at('next_attempt_at').notNull().defaultNow(),
    lastError: text('last_error'),
  },
  (table) => [
    primaryKey({ columns: [table.factId, table.listener] }),
    index('reactions_due').on(table.nextAttemptAt).where(sql`status = 'pending'`),
    check('reactions_status', sql`${table.status} in ('pending', 'done', 'dead')`),
  ],
)

/** A sign of life of each worker process, so that a silent one is noticed. */
export const heartbeats = pgTable('heartbeats', {
  worker: text('worker').primaryKey(),
  at: at('at').notNull(),
})
