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
  uuid,
} from 'drizzle-orm/pg-core'
import { badges } from './badges'
import { at } from './columns'
import { users } from './users'

export type Condition = {
  field: string
  op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'contains'
  value: string | number | boolean | null | (string | number | boolean)[]
}

/** Definitions: a number of domain events of a type, or of distinct values of one of their fields. */
export const achievements = pgTable(
  'achievements',
  {
    key: text('key').primaryKey(),
    name: text('name').notNull(),
    description: text('description'),
    icon: text('icon'),
    color: text('color'),
    targetValue: integer('target_value').notNull(),
    badgeSlug: text('badge_slug').references(() => badges.slug, {
      onDelete: 'set null',
      onUpdate: 'cascade',
    }),
    eventType: text('event_type').notNull(),
    conditions: jsonb('conditions').$type<Condition[]>().notNull().default([]),
    progressMode: text('progress_mode', { enum: ['counter', 'distinct'] })
      .notNull()
      .default('counter'),
    progressField: text('progress_field'),
    hidden: boolean('hidden').notNull().default(false),
    enabled: boolean('enabled').notNull().default(true),
    sortOrder: bigint('sort_order', { mode: 'number' }).notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('achievements_order').on(table.sortOrder, table.key),
    index('achievements_badge').on(table.badgeSlug),
    check('achievements_target', sql`${table.targetValue} >= 1`),
    check('achievements_mode', sql`${table.progressMode} in ('counter', 'distinct')`),
    check(
      'achievements_distinct',
      sql`${table.progressMode} = 'counter' or ${table.progressField} is not null`,
    ),
  ],
)

const person = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const achievementProgress = pgTable(
  'achievement_progress',
  {
    userId: person(),
    achievementKey: text('achievement_key')
      .notNull()
      .references(() => achievements.key, { onDelete: 'cascade' }),
    currentValue: integer('current_value').notNull().default(0),
    completedAt: at('completed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.achievementKey] }),
    index('achievement_progress_key').on(table.achievementKey),
  ],
)

/** The distinct values counted so far. */
export const achievementValues = pgTable(
  'achievement_values',
  { userId: person(), achievementKey: text('achievement_key').notNull(), value: text('value').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.achievementKey, table.value] }),
    foreignKey({
      name: 'achievement_values_progress',
      columns: [table.userId, table.achievementKey],
      foreignColumns: [achievementProgress.userId, achievementProgress.achievementKey],
    }).onDelete('cascade'),
  ],
)
