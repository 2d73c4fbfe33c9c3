import { index, integer, pgTable, uuid } from 'drizzle-orm/pg-core'

/*
 * Counts that many people change at once. A change adds a row and locks no other; the count is the sum of the rows,
 * which a worker merges every minute. Triggers write them, so they hold whatever changes a person or an award.
 */

/** People whom strangers may know of. */
export const peopleTally = pgTable('people_tally', { people: integer('people').notNull() })

/** People on the leaderboard, by their score. */
export const boardTally = pgTable('board_tally', {
  xp: integer('xp').notNull(),
  people: integer('people').notNull(),
})

/** Holders of a badge, and those of them whom strangers may know of. */
export const badgeTally = pgTable(
  'badge_tally',
  {
    badgeId: uuid('badge_id').notNull(),
    holders: integer('holders').notNull(),
    publicHolders: integer('public_holders').notNull(),
  },
  (table) => [index('badge_tally_badge').on(table.badgeId)],
)
