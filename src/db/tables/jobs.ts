import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'
import { users } from './users'

/** Long work that somebody asked for, how far it has come, and what came of it. */
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
    /** Null while nobody knows how much there is. */
    total: integer('total'),
    result: jsonb('result'),
    /** Why it failed, in words for its owner. */
    error: text('error'),
    /** How often it was begun. A run holds the job only as long as this is the number that it began with. */
    attempts: integer('attempts').notNull().default(0),
    /** When it may be taken. For a job that is running that is the end of its lease, which the run puts off. */
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
