import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { feedTokens } from './feeds'

const about = {
  /** The canonical path and query of the feed, without the token of a personal one. */
  topic: text('topic').notNull(),
  userId: uuid('user_id'),
  /** The group of the feed. If it was deleted, the subscriber is notified. */
  groupId: uuid('group_id'),
  callback: text('callback').notNull(),
  callbackHost: text('callback_host').notNull(),
  /** The topic as the subscriber wrote it, maybe with a token, and the signing secret. */
  sealed: bytes('sealed').notNull(),
}

const leased = { leaseOwner: uuid('lease_owner'), leaseUntil: at('lease_until') }

/** WebSub subscriptions. The push is a state, not a log: at most one is due, and it carries the feed at the time of sending. */
export const feedSubscriptions = pgTable(
  'feed_subscriptions',
  {
    id: uuid('id').primaryKey(),
    /** A hash of topic, token and callback, which are too long for an index. */
    key: bytes('key').notNull(),
    /** The token of a personal feed. If it was revoked, the subscriber is notified. */
    feedTokenId: uuid('feed_token_id'),
    /** A hash of the first requester's address, so that one address cannot use up the whole quota. */
    asker: bytes('asker'),
    ...about,
    expiresAt: at('expires_at').notNull(),
    /** The version that the subscriber has. */
    etag: text('etag'),
    /** The time of the last push, accepted or not, and the size of the feed then or at subscription. */
    pushedAt: at('pushed_at'),
    bytes: integer('bytes').notNull().default(0),
    /** When the next push may be sent; null without changes. */
    dueAt: at('due_at'),
    /** Counts changes, so that one during a push is not taken for sent. */
    changes: integer('changes').notNull().default(0),
    /** Of the pending push. */
    attempts: integer('attempts').notNull().default(0),
    failingSince: at('failing_since'),
    ...leased,
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('feed_subscriptions_once').on(table.key),
    index('feed_subscriptions_due').on(table.dueAt).where(sql`due_at is not null`),
    index('feed_subscriptions_group').on(table.groupId),
    index('feed_subscriptions_user').on(table.userId),
    index('feed_subscriptions_token').on(table.feedTokenId),
    index('feed_subscriptions_host').on(table.callbackHost),
    index('feed_subscriptions_asker').on(table.asker),
    index('feed_subscriptions_age').on(table.expiresAt, table.id),
    check('feed_subscriptions_person', sql`(${table.feedTokenId} is null) = (${table.userId} is null)`),
  ],
)

/** Requests to subscribe or unsubscribe that the callback has not confirmed yet. */
export const feedSubscriptionRequests = pgTable(
  'feed_subscription_requests',
  {
    id: uuid('id').primaryKey(),
    mode: text('mode', { enum: ['subscribe', 'unsubscribe'] }).notNull(),
    /** As in subscriptions. */
    key: bytes('key').notNull(),
    /** A hash of the requester's address: a request replaces only one of the same address. */
    asker: bytes('asker').notNull(),
    /** Requests for a personal feed end with its token. */
    feedTokenId: uuid('feed_token_id').references(() => feedTokens.id, { onDelete: 'cascade' }),
    ...about,
    leaseSeconds: integer('lease_seconds').notNull(),
    dueAt: at('due_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    ...leased,
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('feed_subscription_requests_once').on(table.key, table.asker),
    index('feed_subscription_requests_due').on(table.dueAt),
    index('feed_subscription_requests_host').on(table.callbackHost, table.asker),
    index('feed_subscription_requests_token').on(table.feedTokenId),
    index('feed_subscription_requests_age').on(table.createdAt, table.id),
    check('feed_subscription_requests_mode', sql`${table.mode} in ('subscribe', 'unsubscribe')`),
  ],
)
