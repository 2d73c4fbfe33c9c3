import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { at } from './columns'
import { groups } from './groups'
import { users } from './users'

const person = (name: string) => uuid(name).references((): AnyPgColumn => users.id, { onDelete: 'cascade' })

/** Of a group, or of the platform without one. */
export const badges = pgTable(
  'badges',
  {
    id: uuid('id').primaryKey(),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description'),
    /** One emoji. */
    icon: text('icon').notNull(),
    color: text('color').notNull(),
    points: integer('points').notNull().default(0),
    sortOrder: bigint('sort_order', { mode: 'number' }).notNull().default(0),
    /** Visible to holders and administrators only, and counted nowhere; platform badges only. */
    hidden: boolean('hidden').notNull().default(false),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('badges_slug_key').on(table.slug),
    index('badges_of_platform').on(table.sortOrder, table.id).where(sql`group_id is null`),
    index('badges_of_group').on(table.groupId, table.sortOrder, table.id),
    check('badges_points', sql`${table.points} between 0 and 1000`),
    check('badges_hidden', sql`not ${table.hidden} or ${table.groupId} is null`),
  ],
)

/**
 * Badges that people hold. A trigger copies fields of the badge and the person, and maintains scores and counts for any writer.
 */
export const badgeAwards = pgTable(
  'badge_awards',
  {
    id: uuid('id').primaryKey(),
    /** No foreign key: awards of a deleted badge are deleted in batches. A trigger checks the badge of a new one. */
    badgeId: uuid('badge_id').notNull(),
    userId: person('user_id').notNull(),
    /** Copied from the badge. */
    groupId: uuid('group_id'),
    points: integer('points').notNull().default(0),
    /** Copied from the badge: a hidden badge counts in no score, since scores are public. */
    hidden: boolean('hidden').notNull().default(false),
    /** Whether the holder is publicly visible. */
    isPublic: boolean('is_public').notNull().default(false),
    source: text('source', { enum: ['group', 'admin', 'claim', 'achievement'] }).notNull(),
    awardedAt: at('awarded_at').notNull().defaultNow(),
  },
  (table) => [
    unique('badge_awards_once').on(table.badgeId, table.userId),
    index('badge_awards_of_user').on(table.userId, table.awardedAt, table.id),
    check('badge_awards_source', sql`${table.source} in ('group', 'admin', 'claim', 'achievement')`),
  ],
)

/** Badges whose points, visibility or deletion have not reached all awards yet. */
export const unsettledBadges = pgTable('unsettled_badges', {
  badgeId: uuid('badge_id').primaryKey(),
  groupId: uuid('group_id'),
})

/** XP within a group; maintained by a trigger on badge_awards. */
export const groupScores = pgTable(
  'group_scores',
  {
    /** No foreign key, as for events of a group. */
    groupId: uuid('group_id').notNull(),
    userId: person('user_id').notNull(),
    xp: integer('xp').notNull(),
    badgeCount: integer('badge_count').notNull(),
    /** When `xp` reached its value. */
    reachedAt: at('reached_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    index('group_scores_board').on(
      table.groupId,
      table.xp.desc().nullsFirst(),
      table.reachedAt,
      table.userId,
    ),
    index('group_scores_of_user').on(table.userId),
    check('group_scores_counts', sql`${table.xp} >= 0 and ${table.badgeCount} >= 0`),
  ],
)

/** Each gives a badge to people who open it. */
export const claimLinks = pgTable(
  'claim_links',
  {
    id: uuid('id').primaryKey(),
    badgeId: uuid('badge_id')
      .notNull()
      .references(() => badges.id, { onDelete: 'cascade' }),
    /** Lower case. */
    code: text('code').notNull().unique(),
    maxUses: integer('max_uses'),
    currentUses: integer('current_uses').notNull().default(0),
    expiresAt: at('expires_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('claim_links_badge').on(table.badgeId, table.createdAt, table.id),
    check(
      'claim_links_uses',
      sql`${table.currentUses} >= 0 and (${table.maxUses} is null or ${table.currentUses} <= ${table.maxUses})`,
    ),
  ],
)
