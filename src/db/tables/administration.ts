import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'
import { users } from './users'

/** The use of a database, marked by its first server: at most one row. */
export const installation = pgTable(
  'installation',
  {
    only: boolean().primaryKey().default(true),
    use: text({ enum: ['demo', 'production'] }).notNull(),
    /** The start of the last backup that was verified. */
    backedUpAt: at('backed_up_at'),
  },
  (table) => [
    check('installation_only', sql`${table.only}`),
    check('installation_use', sql`${table.use} in ('demo', 'production')`),
  ],
)

/** Extra rights or benefits of a person. */
export const entitlements = pgTable(
  'entitlements',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    entitlement: text('entitlement').notNull(),
    grantedAt: at('granted_at').notNull().defaultNow(),
    /** Null: never. */
    expiresAt: at('expires_at'),
    source: text('source'),
  },
  (table) => [
    unique('entitlements_once').on(table.userId, table.entitlement),
    index('entitlements_of_user').on(table.userId, table.grantedAt, table.id),
  ],
)

/**
 * Actions of administrators. Append-only: a trigger refuses every other change. It holds ids and settings, never personal text,
 * so it may outlive the account.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    at: at('at').notNull(),
    actorId: uuid('actor_id'),
    action: text('action').notNull(),
    targetType: text('target_type').notNull(),
    targetId: text('target_id').notNull(),
    changes: jsonb('changes').$type<Record<string, unknown>>().notNull(),
    requestId: text('request_id').notNull(),
  },
  (table) => [
    index('audit_log_age').on(table.at, table.id),
    index('audit_log_actor').on(table.actorId, table.at, table.id),
    index('audit_log_target').on(table.targetId, table.at, table.id),
    index('audit_log_action').on(table.action, table.at, table.id),
  ],
)
