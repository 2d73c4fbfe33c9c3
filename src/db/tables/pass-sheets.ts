import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns'
import { checkinCodes, events } from './events'
import { jobs } from './jobs'

/** A name with characters that no font has. */
export type MissingGlyphs = { name: string; characters: string[] }

/**
 * Print sheets of events. The job has the progress; the result is here. A sheet ends with its event, at its expiry, or if its job
 * is gone without a file: then its object is deleted from the storage, and the row last.
 */
export const passSheets = pgTable(
  'pass_sheets',
  {
    id: uuid('id').primaryKey(),
    /** Null after deletion of the event, or of the account of a person on the sheet. */
    eventId: uuid('event_id').references(() => events.id, { onDelete: 'set null' }),
    /** Null after deletion of the job, or of the requester's account. */
    jobId: uuid('job_id').references(() => jobs.id, { onDelete: 'set null' }),
    kind: text('kind', { enum: ['badges', 'stickers', 'checkin-poster'] }).notNull(),
    paper: text('paper', { enum: ['a4', 'letter', 'avery-l7160', 'avery-5163', 'badge-86x54'] }).notNull(),
    /** The first free label of the first page, counted from 1. */
    startAt: integer('start_at').notNull(),
    sort: text('sort', { enum: ['name', 'rsvp'] }).notNull(),
    checkinCodeId: uuid('checkin_code_id').references(() => checkinCodes.id, { onDelete: 'set null' }),
    /** The object `sheets/<file>`, once written. */
    file: uuid('file'),
    size: integer('size'),
    pages: integer('pages'),
    missing: jsonb('missing').$type<MissingGlyphs[]>().notNull().default([]),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('pass_sheets_file').on(table.file),
    index('pass_sheets_event').on(table.eventId, table.createdAt, table.id),
    index('pass_sheets_job').on(table.jobId).where(sql`job_id is not null`),
    index('pass_sheets_code').on(table.checkinCodeId).where(sql`checkin_code_id is not null`),
    index('pass_sheets_expired').on(table.expiresAt, table.id),
    index('pass_sheets_ended').on(table.id).where(sql`event_id is null or (job_id is null and file is null)`),
    check('pass_sheets_kind', sql`${table.kind} in ('badges', 'stickers', 'checkin-poster')`),
    check(
      'pass_sheets_paper',
      sql`${table.paper} in ('a4', 'letter', 'avery-l7160', 'avery-5163', 'badge-86x54')`,
    ),
    check('pass_sheets_sort', sql`${table.sort} in ('name', 'rsvp')`),
    check('pass_sheets_start', sql`${table.startAt} >= 1`),
    check('pass_sheets_whole', sql`num_nulls(${table.file}, ${table.size}, ${table.pages}) in (0, 3)`),
  ],
)
