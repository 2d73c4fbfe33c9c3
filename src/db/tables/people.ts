import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at, pictureAddress, uploadIndex } from './columns'
import { users } from './users'

const person = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * Follows of a deleted person stay until every follower count is corrected, in batches, so no foreign key: a trigger refuses
 * unknown people.
 */
export const follows = pgTable(
  'follows',
  {
    followerId: uuid('follower_id').notNull(),
    followeeId: uuid('followee_id').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** Whether each is in the other's count: those publicly visible, or visible until just now. */
    followerCounts: boolean('follower_counts').notNull().default(true),
    followeeCounts: boolean('followee_counts').notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.followeeId] }),
    index('follows_followers').on(table.followeeId, table.createdAt, table.followerId),
    index('follows_following').on(table.followerId, table.createdAt, table.followeeId),
    check('follows_others', sql`${table.followerId} <> ${table.followeeId}`),
  ],
)

/** People who became visible or hidden or were deleted, until the counts of everyone around them are corrected. */
export const uncounted = pgTable('uncounted', { userId: uuid('user_id').primaryKey() })

export const portfolioItems = pgTable(
  'portfolio_items',
  {
    id: uuid('id').primaryKey(),
    userId: person('user_id'),
    title: text('title').notNull(),
    description: text('description'),
    url: text('url'),
    imageUrl: pictureAddress('image_url'),
    sortOrder: bigint('sort_order', { mode: 'number' }).notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('portfolio_items_order').on(table.userId, table.sortOrder, table.id),
    uploadIndex('portfolio_items_image_upload', table.imageUrl),
  ],
)

export const onboardingDismissals = pgTable(
  'onboarding_dismissals',
  {
    userId: person('user_id'),
    step: text('step').notNull(),
    dismissedAt: at('dismissed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.step] })],
)
