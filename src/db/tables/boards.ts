import { bigint, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'
import { users } from './users'

/**
 * The log of global scores, written by the trigger that maintains the score. The first change after a moment tells the score at
 * that moment and since when, so the board of any retained moment can be rebuilt.
 */
export const scoreChanges = pgTable(
  'score_changes',
  {
    /** Orders changes within one millisecond. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    change: integer('change').notNull(),
    xp: integer('xp').notNull(),
    /** When the previous score was reached. */
    reachedBefore: at('reached_before'),
  },
  (table) => [
    index('score_changes_lately').on(table.at, table.userId),
    index('score_changes_of_user').on(table.userId, table.id),
  ],
)

/** Days whose board is recorded. */
export const boardDays = pgTable('board_days', {
  day: date('day').primaryKey(),
  takenAt: at('taken_at').notNull(),
})

/**
 * The board at the beginning of a day. No foreign key: deleting a board of a million would lock everyone on it; a trigger removes
 * deleted people.
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
    // Days are appended in order, so a small BRIN index finds an old one.
    index('board_snapshots_days').using('brin', table.day),
  ],
)

/**
 * A board in progress: scores of a past moment, sorted by the index, so that ranks are assigned in slices. Emptied once the day
 * is written; a sweep deletes rows of a crashed run.
 */
export const boardDrafts = pgTable(
  'board_drafts',
  {
    run: uuid('run').notNull(),
    /** The negated score, so that the whole index ascends. */
    belowZero: integer('below_zero').notNull(),
    reachedAt: at('reached_at').notNull(),
    userId: uuid('user_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.run, table.userId] }),
    index('board_drafts_order').on(table.run, table.belowZero, table.reachedAt),
    index('board_drafts_user').on(table.userId),
  ],
)

/* No foreign keys, for the reason above: the same trigger removes deleted people. */

/** A list of movers counted by a worker, if too many people moved to count them per request. */
export const moverLists = pgTable('mover_lists', {
  id: uuid('id').primaryKey(),
  period: text('period').notNull(),
  startsAt: at('starts_at').notNull(),
  endsAt: at('ends_at').notNull(),
  /** Null until the list is complete. */
  total: integer('total'),
})

/** The people of a list. The index is its order; all columns ascend. */
export const movers = pgTable(
  'movers',
  {
    list: uuid('list').notNull(),
    /** The negated gain. */
    loss: integer('loss').notNull(),
    /** Places lost since the previous rank; the largest integer without one. */
    fall: integer('fall').notNull(),
    /** The username in its sort form. */
    name: text('name').notNull(),
    userId: uuid('user_id').notNull(),
    xp: integer('xp').notNull(),
    rank: integer('rank').notNull(),
    previousRank: integer('previous_rank'),
  },
  (table) => [
    primaryKey({ columns: [table.list, table.userId] }),
    index('movers_order').on(table.list, table.loss, table.fall, table.name),
    index('movers_user').on(table.userId),
  ],
)

/** Every thousandth position of a list: a deep page starts at the nearest. */
export const moverMarks = pgTable(
  'mover_marks',
  {
    list: uuid('list')
      .notNull()
      .references(() => moverLists.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    loss: integer('loss').notNull(),
    fall: integer('fall').notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.place] })],
)
