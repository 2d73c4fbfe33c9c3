import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at, pictureAddress, uploadIndex } from './columns'

/** Publicly visible people, in every list, count and board: the column `is_public`. */
const PUBLIC = "profile_visibility = 'public' and suspended_at is null and username is not null"
const isPublic = sql`is_public`

/** People on the leaderboard: the column `on_board`. */
const ON_BOARD = `${PUBLIC} and show_on_leaderboard is not false and xp > 0`
const onBoard = sql`on_board`

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** As typed; unique and found case-insensitively. */
    username: text('username'),
    email: text('email'),
    avatarUrl: pictureAddress('avatar_url'),
    heroImageUrl: pictureAddress('hero_image_url'),
    themeColor: text('theme_color'),
    bio: text('bio'),
    location: text('location'),
    socialLinks: text('social_links').array(),
    role: text('role', { enum: ['user', 'admin'] })
      .notNull()
      .default('user'),
    profileVisibility: text('profile_visibility', { enum: ['public', 'private'] })
      .notNull()
      .default('public'),
    showOnLeaderboard: boolean('show_on_leaderboard'),
    /** Counts of publicly visible people only. */
    followerCount: integer('follower_count').notNull().default(0),
    followingCount: integer('following_count').notNull().default(0),
    /** Points of the person's visible platform badges; maintained by a trigger on badge_awards. */
    xp: integer('xp').notNull().default(0),
    badgeCount: integer('badge_count').notNull().default(0),
    /** When `xp` reached its value. */
    xpReachedAt: at('xp_reached_at'),
    suspendedAt: at('suspended_at'),
    isPublic: boolean('is_public').notNull().generatedAlwaysAs(sql.raw(PUBLIC)),
    onBoard: boolean('on_board').notNull().generatedAlwaysAs(sql.raw(ON_BOARD)),
    /** The language of their mail; null before the first visit with a browser. */
    language: text('language'),
    /** Null if never set. */
    timeZone: text('time_zone'),
    lastLoginAt: at('last_login_at'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_username_key').on(sql`lower(${table.username})`),
    uniqueIndex('users_email_key').on(sql`lower(${table.email})`),
    index('users_joined').on(table.createdAt, table.id).where(isPublic),
    index('users_by_xp').on(table.xp, table.id).where(isPublic),
    index('users_by_badges').on(table.badgeCount, table.id).where(isPublic),
    index('users_name_search').using('gin', sql`lower(${table.name}) gin_trgm_ops`).where(isPublic),
    index('users_username_search').using('gin', sql`lower(${table.username}) gin_trgm_ops`).where(isPublic),
    // For administrators, who search all people.
    index('users_private_name_search')
      .using('gin', sql`lower(${table.name}) gin_trgm_ops`)
      .where(sql`not is_public`),
    index('users_private_username_search')
      .using('gin', sql`lower(${table.username}) gin_trgm_ops`)
      .where(sql`not is_public`),
    index('users_email_search').using('gin', sql`lower(${table.email}) gin_trgm_ops`),
    index('users_board')
      .on(table.xp.desc().nullsFirst(), table.xpReachedAt, sql`lower(${table.username})`)
      .where(onBoard),
    index('users_scored_lately').on(table.xpReachedAt).where(onBoard),
    index('users_administrators').on(table.id).where(sql`role = 'admin'`),
    uploadIndex('users_avatar_upload', table.avatarUrl),
    uploadIndex('users_hero_upload', table.heroImageUrl),
    check('users_xp', sql`${table.xp} >= 0 and ${table.badgeCount} >= 0`),
    check('users_role', sql`${table.role} in ('user', 'admin')`),
    check('users_visibility', sql`${table.profileVisibility} in ('public', 'private')`),
    check('users_counts', sql`${table.followerCount} >= 0 and ${table.followingCount} >= 0`),
  ],
)
