import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'

/** Whom strangers may know of. Every list, count and board of people says it with these words. */
const PUBLIC = sql`profile_visibility = 'public' and suspended_at is null and username is not null`

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** As typed; unique and found without regard to case. */
    username: text('username'),
    email: text('email'),
    avatarUrl: text('avatar_url'),
    heroImageUrl: text('hero_image_url'),
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
    /** People who follow this one, and whom this one follows, as far as strangers may know of them. */
    followerCount: integer('follower_count').notNull().default(0),
    followingCount: integer('following_count').notNull().default(0),
    xp: integer('xp').notNull().default(0),
    badgeCount: integer('badge_count').notNull().default(0),
    suspendedAt: at('suspended_at'),
    lastLoginAt: at('last_login_at'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_username_key').on(sql`lower(${table.username})`),
    uniqueIndex('users_email_key').on(sql`lower(${table.email})`),
    index('users_joined').on(table.createdAt, table.id).where(PUBLIC),
    index('users_by_xp').on(table.xp, table.id).where(PUBLIC),
    index('users_by_badges').on(table.badgeCount, table.id).where(PUBLIC),
    index('users_name_search').using('gin', sql`lower(${table.name}) gin_trgm_ops`).where(PUBLIC),
    index('users_username_search').using('gin', sql`lower(${table.username}) gin_trgm_ops`).where(PUBLIC),
    check('users_role', sql`${table.role} in ('user', 'admin')`),
    check('users_visibility', sql`${table.profileVisibility} in ('public', 'private')`),
    check('users_counts', sql`${table.followerCount} >= 0 and ${table.followingCount} >= 0`),
  ],
)
