import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
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
