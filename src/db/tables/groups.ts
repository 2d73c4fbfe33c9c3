import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { at, pictureAddress, uploadIndex } from './columns'
import { users } from './users'

export const groups = pgTable(
  'groups',
  {
    id: uuid('id').primaryKey(),
    /** Lower case; the path of the group's page. */
    urlname: text('urlname').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    website: text('website'),
    tags: text('tags').array().notNull().default([]),
    /** Addresses by the name of a service. */
    socialLinks: jsonb('social_links').$type<Record<string, string>>().notNull().default({}),
    photoUrl: pictureAddress('photo_url'),
    heroImageUrl: pictureAddress('hero_image_url'),
    themeColor: text('theme_color'),
    isListed: boolean('is_listed').notNull().default(true),
    isFeatured: boolean('is_featured').notNull().default(false),
    /** Quotas that administrators change. */
    maxBadges: integer('max_badges').notNull().default(10),
    maxBadgePoints: integer('max_badge_points').notNull().default(50),
    /** Maintained by a trigger on favorites. */
    favoritesCount: integer('favorites_count').notNull().default(0),
    /** The member count on the platform that the group is synced from. */
    upstreamMemberCount: integer('upstream_member_count'),
    memberCount: integer('member_count')
      .notNull()
      .generatedAlwaysAs(sql`favorites_count + coalesce(upstream_member_count, 0)`),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('groups_urlname_key').on(sql`lower(${table.urlname})`),
    index('groups_by_members').on(table.memberCount, table.id).where(sql`is_listed`),
    index('groups_by_name').on(table.name, table.id).where(sql`is_listed`),
    index('groups_by_age').on(table.createdAt, table.id).where(sql`is_listed`),
    index('groups_name_search').using('gin', sql`lower(${table.name}) gin_trgm_ops`),
    index('groups_tags').using('gin', table.tags),
    uploadIndex('groups_photo_upload', table.photoUrl),
    uploadIndex('groups_hero_upload', table.heroImageUrl),
    check('groups_badge_limits', sql`${table.maxBadges} >= 0 and ${table.maxBadgePoints} >= 0`),
    check('groups_favorites', sql`${table.favoritesCount} >= 0`),
  ],
)

/** The staff of a group. A trigger refuses to remove the last owner. */
export const groupMembers = pgTable(
  'group_members',
  {
    id: uuid('id').primaryKey(),
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'manager', 'volunteer'] }).notNull(),
    /** Whether another owner added this person, which does not count toward their quota of groups. */
    isGiven: boolean('is_given').notNull().default(false),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('group_members_once').on(table.groupId, table.userId),
    index('group_members_user').on(table.userId, table.groupId),
    check('group_members_role', sql`${table.role} in ('owner', 'manager', 'volunteer')`),
  ],
)

/** Deleted groups whose events, favorites and scores are still being deleted. A trigger adds them. */
export const endedGroups = pgTable('ended_groups', { groupId: uuid('group_id').primaryKey() })

/** A favorite makes a person a member of a group. No foreign key to the group, as for its events. */
export const favorites = pgTable(
  'favorites',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.groupId] }),
    index('favorites_of_group').on(table.groupId, table.createdAt, table.userId),
    index('favorites_of_user').on(table.userId, table.createdAt, table.groupId),
  ],
)
