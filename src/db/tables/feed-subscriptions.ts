import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { feedTokens } from './feeds'

/** What a subscription and a request for one are about. */
const about = {
  /** The canonical path and query of the feed. A person's own have no token in it. */
  topic: text('topic').notNull(),
  userId: uuid('user_id'),
  /** The one group that the feed is of. It may be gone: then the subscriber is told so. */
  groupId: uuid('group_id'),
  callback: text('callback').notNull(),
  callbackHost: text('callback_host').notNull(),
  /** The topic as the subscriber wrote it, in which there may be a token, and the secret that signs. */
  sealed: bytes('sealed').notNull(),
}

/** Who sends it just now, and until when they may. */
const leased = { leaseOwner: uuid('lease_owner'), leaseUntil: at('lease_until') }

/**
 * Subscriptions to feeds (WebSub). What is to be pushed is a state and no log: one push at most is due, and it carries
 * what the feed shows when it is sent.
 */
export const feedSubscriptions = pgTable(
  'feed_subscriptions',
  {
    id: uuid('id').primaryKey(),
    /** A hash of topic, token and callback: together they are too long for an index. */
    key: bytes('key').notNull(),
    /** The token in the address of a person's own feed. It may be gone: then the subscriber is told so. */
    feedTokenId: uuid('feed_token_id'),
    /** A hash of the address that asked first: all that one asks for are not all that there may be. */
    asker: bytes('asker'),
    ...about,
    expiresAt: at('expires_at').notNull(),
    /** Of the bytes that the subscriber has. */
    etag: text('etag'),
    /** When they were last sent something, accepted or not, and how long the feed was then or when they came. */
    pushedAt: at('pushed_at'),
    bytes: integer('bytes').notNull().default(0),
    /** When the next push may be sent; null while nothing has changed. */
    dueAt: at('due_at'),
    /** Counts changes, so that one that comes while a push is under way is not taken for sent. */
    changes: integer('changes').notNull().default(0),
    /** Of the push that is due. */
    attempts: integer('attempts').notNull().default(0),
    /** The first failure since the last success. */
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
    /** A hash of the address that asked: it replaces its own request, and nobody else's. */
    asker: bytes('asker').notNull(),
    /** A person's own feeds end with their token, and so does what hangs on them. */
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
