import { sql } from 'drizzle-orm'
import { boolean, check, date, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { users } from './users'

/** The token in the addresses of a person's feeds. Encrypted rather than hashed, because the person can view it again. */
export const feedTokens = pgTable(
  'feed_tokens',
  {
    /** A new one per token: dependent rows end with it. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: bytes('hash').notNull(),
    sealed: bytes('sealed').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [unique('feed_tokens_owner').on(table.userId), unique('feed_tokens_hash').on(table.hash)],
)

/**
 * When the content of a feed last changed, for `Last-Modified`: the database cannot tell when an event left a feed, and all
 * processes must answer the same. A missing row only causes more full answers.
 */
export const feedVersions = pgTable(
  'feed_versions',
  {
    /** A hash of the address, which may hold a token. */
    key: bytes('key').primaryKey(),
    etag: text('etag').notNull(),
    changedAt: at('changed_at').notNull().defaultNow(),
    /** The last day on which it was rendered for a reader. */
    readOn: date('read_on').notNull().default(sql`current_date`),
  },
  (table) => [
    index('feed_versions_age').on(table.readOn, table.key),
    check('feed_versions_key', sql`octet_length(${table.key}) = 32`),
  ],
)

/** The host in the UIDs of calendar entries: that of the first start, since a UID must survive a move of the server. */
export const calendarHost = pgTable(
  'calendar_host',
  {
    only: boolean('only').primaryKey().default(true),
    host: text('host').notNull(),
  },
  (table) => [check('calendar_host_only', sql`${table.only}`)],
)
