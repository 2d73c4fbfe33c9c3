import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { users } from './users'

/** Answers to requests with an `Idempotency-Key`, stored for a day and written with the change itself. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    keyHash: bytes('key_hash').notNull(),
    /** Method, path and body: the same key with another request is refused. */
    requestHash: bytes('request_hash').notNull(),
    /** The claim whose holder may write the outcome; null afterwards. */
    claim: uuid('claim'),
    claimedUntil: at('claimed_until').notNull(),
    /** The number of the answering process: its claim ends when it dies. */
    holder: integer('holder'),
    /** The answer, byte for byte; null if it held a secret. */
    outcome: text('outcome'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('idempotency_keys_caller').on(table.userId, table.keyHash),
    index('idempotency_keys_age').on(table.createdAt),
  ],
)

/** Long work that a person started, with its progress and result. */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    input: jsonb('input').notNull(),
    status: text('status', { enum: ['queued', 'running', 'done', 'failed'] })
      .notNull()
      .default('queued'),
    done: integer('done').notNull().default(0),
    /** Null while unknown. */
    total: integer('total'),
    result: jsonb('result'),
    /** Shown to the owner. */
    error: text('error'),
    /** A run holds the job only while this is the number it began with. */
    attempts: integer('attempts').notNull().default(0),
    /** When a worker may claim it; for a running job the end of its lease, which the run extends. */
    nextAttemptAt: at('next_attempt_at').notNull(),
    createdAt: at('created_at').notNull(),
    startedAt: at('started_at'),
    finishedAt: at('finished_at'),
  },
  (table) => [
    index('jobs_due').on(table.nextAttemptAt).where(sql`finished_at is null`),
    index('jobs_owner').on(table.ownerId),
    index('jobs_finished').on(table.finishedAt, table.id),
    check('jobs_status', sql`${table.status} in ('queued', 'running', 'done', 'failed')`),
    check(
      'jobs_finished_at',
      sql`(${table.status} in ('done', 'failed')) = (${table.finishedAt} is not null)`,
    ),
  ],
)
