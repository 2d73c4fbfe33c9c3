import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { users } from './users'

/** Accounts at identity providers. */
export const identities = pgTable(
  'identities',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    /** The provider's permanent id of the person. */
    subject: text('subject').notNull(),
    username: text('username'),
    email: text('email'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('identities_subject').on(table.provider, table.subject),
    unique('identities_of_user').on(table.userId, table.provider),
  ],
)

/** Sign-in mails. The link's token and the code are hashed; both work once. */
export const signInMails = pgTable(
  'sign_in_mails',
  {
    id: uuid('id').primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    tokenHash: bytes('token_hash').notNull().unique(),
    /** Keyed, because six digits can be enumerated. */
    codeHash: bytes('code_hash').notNull(),
    /** Wrong codes tried. */
    attempts: integer('attempts').notNull().default(0),
    returnTo: text('return_to').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('sign_in_mails_address').on(table.email, table.createdAt),
    index('sign_in_mails_expiry').on(table.expiresAt),
    check('sign_in_mails_attempts', sql`${table.attempts} >= 0`),
  ],
)

/**
 * Wrong codes per mailbox and day. They guard a secret, so PostgreSQL counts them: a limiter's windows end with its process or
 * Redis.
 */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    /** A keyed hash. */
    mailbox: bytes('mailbox').primaryKey(),
    failures: integer('failures').notNull(),
    endsAt: at('ends_at').notNull(),
  },
  (table) => [
    index('sign_in_failures_end').on(table.endsAt),
    check('sign_in_failures_count', sql`${table.failures} >= 0`),
  ],
)

/** Where to return after a provider's sign-in; the rest of the login state is in the browser. */
export const loginStates = pgTable(
  'sign_in_errands',
  {
    id: uuid('id').primaryKey(),
    returnTo: text('return_to').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [index('sign_in_errands_expiry').on(table.expiresAt)],
)
