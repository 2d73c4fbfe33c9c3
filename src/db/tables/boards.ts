import { bigint, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
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

/**
 * A board that is being drawn: scores of a past moment, which the index sorts, so that ranks are given slice by slice.
 * Emptied once the day is written; rows of a run that died go with a sweep.
 */
export const boardDrafts = pgTable(
  'board_drafts',
  {
    run: uuid('run').notNull(),
    /** The score below zero, so that all of the index ascends. */
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

/*
 * Neither has a foreign key, for the reason above: the same trigger takes out people who are deleted.
 */

/** A list of movers that a worker has counted, where too many people moved to count them for each reader. */
export const moverLists = pgTable('mover_lists', {
  id: uuid('id').primaryKey(),
  period: text('period').notNull(),
  startsAt: at('starts_at').notNull(),
  endsAt: at('ends_at').notNull(),
  /** Null until all of it is there. */
  total: integer('total'),
})

/** The people of a list. The index is its order; all of it ascends. */
export const movers = pgTable(
  'movers',
  {
    list: uuid('list').notNull(),
    /** What they gained, below zero. */
    loss: integer('loss').notNull(),
    /** Places that they fell since the rank before; the greatest number without one. */
    fall: integer('fall').notNull(),
    /** The username, as it is sorted. */
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

/** Every thousandth place of a list: a page far down begins at the nearest. */
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
