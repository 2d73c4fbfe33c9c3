import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'
import { users } from './users'

const person = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const follows = pgTable(
  'follows',
  {
    followerId: person('follower_id'),
    followeeId: person('followee_id'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.followeeId] }),
    index('follows_followers').on(table.followeeId, table.createdAt, table.followerId),
    index('follows_following').on(table.followerId, table.createdAt, table.followeeId),
    check('follows_others', sql`${table.followerId} <> ${table.followeeId}`),
  ],
)

export const portfolioItems = pgTable(
  'portfolio_items',
  {
    id: uuid('id').primaryKey(),
    userId: person('user_id'),
    title: text('title').notNull(),
    description: text('description'),
    url: text('url'),
    imageUrl: text('image_url'),
    sortOrder: integer('sort_order').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [index('portfolio_items_order').on(table.userId, table.sortOrder, table.id)],
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
