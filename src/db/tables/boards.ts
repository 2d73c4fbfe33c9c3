import { bigint, date, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'
import { users } from './users'

/**
 * The log of global scores; written by the trigger that keeps the score. The first change after a moment tells what the
 * score was at that moment and since when, so the board of any moment that is kept can be drawn again.
 */
export const scoreChanges = pgTable(
  'score_changes',
  {
    /** Tells the order of changes within one millisecond. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    change: integer('change').notNull(),
    /** The score after the change. */
    xp: integer('xp').notNull(),
    /** When the score before the change was reached. */
    reachedBefore: at('reached_before'),
  },
  (table) => [
    index('score_changes_lately').on(table.at, table.userId),
    index('score_changes_of_user').on(table.userId, table.id),
  ],
)

/** Days whose board has been written down. */
export const boardDays = pgTable('board_days', {
  day: date('day').primaryKey(),
  takenAt: at('taken_at').notNull(),
})

/**
 * The board as it was when a day began. No foreign key: deleting a board of a million would lock everyone on it; a
 * trigger takes out people who are deleted.
 */
export const boardSnapshots = pgTable(
  'board_snapshots',
  {
    userId: uuid('user_id').notNull(),
    day: date('day').notNull(),
    rank: integer('rank').notNull(),
    xp: integer('xp').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.day] }),
    // Days come one after the other, so a few pages of summary find an old one.
    index('board_snapshots_days').using('brin', table.day),
  ],
)
