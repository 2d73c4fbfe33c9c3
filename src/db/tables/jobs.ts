import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'
import { users } from './users'

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
