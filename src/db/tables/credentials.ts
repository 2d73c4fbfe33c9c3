import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { users } from './users'

/** Personal access tokens, stored as SHA-256. */
export const personalTokens = pgTable(
  'personal_tokens',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    hash: bytes('hash').notNull().unique(),
    prefix: text('prefix').notNull(),
    scopes: text('scopes').array().notNull(),
    /** The token that created this one; a token ends with its creator. */
    madeBy: uuid('made_by'),
    expiresAt: at('expires_at'),
    lastUsedAt: at('last_used_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    foreignKey({
      columns: [table.madeBy],
      foreignColumns: [table.id],
      name: 'personal_tokens_made_by',
    }).onDelete('cascade'),
    index('personal_tokens_user').on(table.userId, table.createdAt, table.id),
    index('personal_tokens_maker').on(table.madeBy),
    index('personal_tokens_expiry').on(table.expiresAt, table.id).where(sql`expires_at is not null`),
    check('personal_tokens_scopes', sql`cardinality(${table.scopes}) > 0`),
  ],
)

/** Browser sessions. The cookie is random and stored as SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: bytes('hash').notNull().unique(),
    userAgent: text('user_agent'),
    lastSeenAt: at('last_seen_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('sessions_user').on(table.userId, table.createdAt, table.id),
    index('sessions_expiry').on(table.expiresAt),
  ],
)
