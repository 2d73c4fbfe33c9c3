import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { at, bytes, snapshot } from './columns'
import { personalTokens } from './credentials'
import { oauthGrants } from './oauth'
import { users } from './users'

/** In base64, with the end of its validity. */
export type OldSecret = { sealed: string; until: string }

/** Secrets are encrypted rather than hashed, since signing needs them. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    /** Names of domain events, `prefix.*`, or `*`. */
    eventTypes: text('event_types').array().notNull(),
    /** The scopes of the creating credential limit what it receives. */
    scopes: text('scopes').array().notNull(),
    /** The creating credential. When it is revoked, a trigger disables the webhook with the reason. */
    maker: text('maker', { enum: ['person', 'token', 'grant'] })
      .notNull()
      .default('person'),
    madeByToken: uuid('made_by_token'),
    madeByGrant: uuid('made_by_grant'),
    isActive: boolean('is_active').notNull().default(true),
    /** Why it was disabled, unless its owner did it. */
    disabledReason: text('disabled_reason', { enum: ['gone', 'failing', 'token_revoked', 'access_ended'] }),
    secret: bytes('secret').notNull(),
    /** Earlier secrets, newest first: each still signs for a while, so that receivers can rotate. */
    oldSecrets: jsonb('old_secrets').$type<OldSecret[]>().notNull().default([]),
    /** Failures since the last success, and the time of the first. */
    failures: integer('failures').notNull().default(0),
    failingSince: at('failing_since'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    foreignKey({
      columns: [table.madeByToken],
      foreignColumns: [personalTokens.id],
      name: 'webhooks_made_by_token',
    }).onDelete('set null'),
    foreignKey({
      columns: [table.madeByGrant],
      foreignColumns: [oauthGrants.id],
      name: 'webhooks_made_by_grant',
    }).onDelete('set null'),
    index('webhooks_of_token').on(table.madeByToken).where(sql`made_by_token is not null`),
    index('webhooks_of_grant').on(table.madeByGrant).where(sql`made_by_grant is not null`),
    index('webhooks_owner').on(table.ownerId, table.createdAt, table.id),
    index('webhooks_types').using('gin', table.eventTypes).where(sql`is_active`),
    check('webhooks_event_types', sql`cardinality(${table.eventTypes}) > 0`),
    check(
      'webhooks_maker',
      sql`${table.maker} in ('person', 'token', 'grant') and (${table.madeByToken} is null or ${table.maker} = 'token')
        and (${table.madeByGrant} is null or ${table.maker} = 'grant')`,
    ),
    check(
      'webhooks_disabled',
      sql`${table.disabledReason} is null or (not ${table.isActive}
        and ${table.disabledReason} in ('gone', 'failing', 'token_revoked', 'access_ended'))`,
    ),
  ],
)

/**
 * The rule of a webhook before it was created, changed, or switched. Earlier domain events that are not relayed yet still follow
 * this rule.
 */
export const webhookPastRules = pgTable(
  'webhook_past_rules',
  {
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    place: bigint('place', { mode: 'number' }).generatedAlwaysAsIdentity(),
    eventTypes: text('event_types').array().notNull(),
    isActive: boolean('is_active').notNull(),
    until: snapshot('until').notNull().default(sql`pg_current_snapshot()`),
    /** Transaction ids differ in another cluster: then the clock decides. */
    changedAt: at('changed_at').notNull().default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.webhookId, table.place] })],
)

/** One message per domain event and webhook, with the same bytes and id on every attempt. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    id: uuid('id').primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** Null for a test. */
    outboxId: uuid('fact_id'),
    eventType: text('event_type').notNull(),
    body: text('body').notNull(),
    status: text('status', { enum: ['pending', 'succeeded', 'failed'] })
      .notNull()
      .default('pending'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: at('next_attempt_at'),
    /** The lease of the sending dispatcher. */
    leaseOwner: uuid('lease_owner'),
    leaseUntil: at('lease_until'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('webhook_messages_once').on(table.outboxId, table.webhookId),
    index('webhook_messages_due').on(table.webhookId, table.nextAttemptAt).where(sql`status = 'pending'`),
    index('webhook_messages_dead').on(table.id).where(sql`status = 'failed'`),
    index('webhook_messages_of_webhook').on(table.webhookId, table.createdAt),
    index('webhook_messages_age').on(table.createdAt),
    // Finds messages with words of a person, for account deletion.
    index('webhook_messages_words')
      .on(sql`(${table.body}::jsonb #>> '{data,userId}')`)
      .where(sql`event_type in ('token.created', 'upload.completed', 'upload.deleted')`),
    check('webhook_messages_status', sql`${table.status} in ('pending', 'succeeded', 'failed')`),
    check('webhook_messages_next', sql`(${table.status} = 'pending') = (${table.nextAttemptAt} is not null)`),
  ],
)

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: uuid('id').primaryKey(),
    messageId: uuid('message_id')
      .notNull()
      .references(() => webhookMessages.id, { onDelete: 'cascade' }),
    webhookId: uuid('webhook_id').notNull(),
    attempt: integer('attempt').notNull(),
    statusCode: integer('status_code'),
    success: boolean('success').notNull(),
    /** Shown to the owner. */
    error: text('error'),
    /** Null where receiver details are hidden. */
    durationMs: integer('duration_ms'),
    attemptedAt: at('attempted_at').notNull(),
    nextAttemptAt: at('next_attempt_at'),
  },
  (table) => [
    index('webhook_attempts_message').on(table.messageId),
    index('webhook_attempts_of_webhook').on(table.webhookId, table.attemptedAt, table.id),
  ],
)
