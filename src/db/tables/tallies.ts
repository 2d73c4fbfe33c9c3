import { index, integer, pgTable, uuid } from 'drizzle-orm/pg-core'

/*
 * Counts with many concurrent writers. A change inserts a row and locks no other; the count is the sum of the rows, which a
 * worker merges every minute. Triggers write them for any change of a person or award.
 */

/** Publicly visible people. */
export const peopleTally = pgTable('people_tally', { people: integer('people').notNull() })

/** People on the leaderboard, by score. */
export const boardTally = pgTable('board_tally', {
  xp: integer('xp').notNull(),
  people: integer('people').notNull(),
})

/** Holders of a badge, and the publicly visible ones. */
export const badgeTally = pgTable(
  'badge_tally',
  {
    badgeId: uuid('badge_id').notNull(),
    holders: integer('holders').notNull(),
    publicHolders: integer('public_holders').notNull(),
  },
  (table) => [index('badge_tally_badge').on(table.badgeId)],
)
