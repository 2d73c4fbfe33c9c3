import { sql } from 'drizzle-orm'
import {
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { at, pictureAddress, tsvector, uploadIndex } from './columns'
import { users } from './users'

export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    /**
     * No foreign key: rows of a deleted group are deleted in batches. A trigger checks the group of a new one, and every read
     * joins the group.
     */
    groupId: uuid('group_id').notNull(),
    title: text('title').notNull(),
    description: text('description'),
    startTime: at('start_time').notNull(),
    endTime: at('end_time'),
    /** The end, or three hours after the start without one. */
    overAt: at('over_at').notNull(),
    /** An IANA name. */
    timezone: text('timezone').notNull(),
    eventType: text('event_type', { enum: ['physical', 'online', 'hybrid'] })
      .notNull()
      .default('physical'),
    status: text('status', { enum: ['draft', 'published', 'cancelled'] })
      .notNull()
      .default('draft'),
    cancelReason: text('cancel_reason'),
    source: text('source', { enum: ['native', 'meetup', 'eventbrite', 'luma', 'ical'] })
      .notNull()
      .default('native'),
    platformEventUrl: text('platform_event_url'),
    onlineUrl: text('online_url'),
    photoUrl: pictureAddress('photo_url'),
    tags: text('tags').array().notNull().default([]),
    venueName: text('venue_name'),
    venueAddress: text('venue_address'),
    venueCity: text('venue_city'),
    venueState: text('venue_state'),
    venuePostalCode: text('venue_postal_code'),
    venueCountry: text('venue_country'),
    venueLatitude: doublePrecision('venue_latitude'),
    venueLongitude: doublePrecision('venue_longitude'),
    maxAttendees: integer('max_attendees'),
    /** Maintained by a trigger on rsvps, which also refuses a seat beyond the limit. */
    confirmedCount: integer('confirmed_count').notNull().default(0),
    upstreamRsvpCount: integer('upstream_rsvp_count'),
    rsvpCount: integer('rsvp_count')
      .notNull()
      .generatedAlwaysAs(sql`confirmed_count + coalesce(upstream_rsvp_count, 0)`),
    /** The last waitlist number assigned. */
    waitlistTail: integer('waitlist_tail').notNull().default(0),
    /** The iCalendar SEQUENCE: rises when time, place or status changes. */
    sequence: integer('sequence').notNull().default(0),
    publishedAt: at('published_at'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('events_by_start').on(table.startTime, table.id).where(sql`status <> 'draft'`),
    // Finds current events, however long ago they began.
    index('events_span')
      .using('gist', sql`tstzrange(${table.startTime}, ${table.overAt})`)
      .where(sql`status <> 'draft'`),
    index('events_by_rsvps').on(table.rsvpCount, table.id).where(sql`status <> 'draft'`),
    index('events_by_age').on(table.createdAt, table.id).where(sql`status <> 'draft'`),
    index('events_of_group').on(table.groupId, table.startTime, table.id),
    // Covers counting.
    index('events_by_end').on(table.overAt, table.groupId).where(sql`status = 'published'`),
    index('events_title_search').using('gin', sql`lower(${table.title}) gin_trgm_ops`),
    index('events_tags').using('gin', table.tags),
    index('events_city').on(sql`lower(${table.venueCity})`, table.startTime),
    uploadIndex('events_photo_upload', table.photoUrl),
    check('events_status', sql`${table.status} in ('draft', 'published', 'cancelled')`),
    check('events_type', sql`${table.eventType} in ('physical', 'online', 'hybrid')`),
    check('events_end_after_start', sql`${table.endTime} is null or ${table.endTime} > ${table.startTime}`),
    check(
      'events_over',
      sql`${table.overAt} = coalesce(${table.endTime}, ${table.startTime} + interval '3 hours')`,
    ),
    check('events_capacity', sql`${table.maxAttendees} is null or ${table.maxAttendees} >= 1`),
    check('events_confirmed', sql`${table.confirmedCount} >= 0`),
  ],
)

/**
 * The words of an event's title, description and venue, maintained by a trigger. A separate table, because an RSVP updates the
 * event's row and would index every word again.
 */
export const eventWords = pgTable(
  'event_words',
  {
    eventId: uuid('event_id')
      .primaryKey()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** In lower case, for substring search. */
    title: text('title').notNull(),
    words: tsvector('words').notNull(),
  },
  (table) => [
    index('event_words_search').using('gin', table.words),
    index('event_words_title').using('gin', sql`${table.title} gin_trgm_ops`),
  ],
)

/** One row per person and event, with any status. */
export const rsvps = pgTable(
  'rsvps',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text('status', { enum: ['confirmed', 'waitlisted', 'cancelled'] }).notNull(),
    rsvpAt: at('rsvp_at').notNull().defaultNow(),
    /** The position by order of joining; only while waiting. */
    waitlistNumber: integer('waitlist_number'),
    /** When and how often the status changed: maintained by a trigger, for the person's calendars. */
    changedAt: at('changed_at').notNull().defaultNow(),
    changes: integer('changes').notNull().default(0),
  },
  (table) => [
    unique('rsvps_once').on(table.eventId, table.userId),
    uniqueIndex('rsvps_line').on(table.eventId, table.waitlistNumber).where(sql`status = 'waitlisted'`),
    index('rsvps_by_status').on(table.eventId, table.status, table.rsvpAt, table.userId),
    index('rsvps_of_user').on(table.userId, table.rsvpAt, table.id),
    check('rsvps_status', sql`${table.status} in ('confirmed', 'waitlisted', 'cancelled')`),
    check('rsvps_waiting', sql`(${table.status} = 'waitlisted') = (${table.waitlistNumber} is not null)`),
  ],
)

export const checkinCodes = pgTable(
  'checkin_codes',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** Upper case. */
    code: text('code').notNull().unique(),
    label: text('label'),
    maxUses: integer('max_uses'),
    currentUses: integer('current_uses').notNull().default(0),
    expiresAt: at('expires_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('checkin_codes_event').on(table.eventId, table.createdAt, table.id),
    check(
      'checkin_codes_uses',
      sql`${table.currentUses} >= 0 and (${table.maxUses} is null or ${table.currentUses} <= ${table.maxUses})`,
    ),
  ],
)

/** A person without an account at one event, as entered by its staff: a name, an email address, or both. */
export const guests = pgTable(
  'guests',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    name: text('name'),
    /** Lower case. */
    email: text('email'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('guests_email_once').on(table.eventId, table.email).where(sql`email is not null`),
    index('guests_of_event').on(table.eventId, table.id),
    index('guests_by_age').on(table.createdAt, table.id),
    index('guests_by_email').on(table.email).where(sql`email is not null`),
    check('guests_named', sql`num_nonnulls(${table.name}, ${table.email}) >= 1`),
  ],
)

/** One row per person and event. Without a user it belongs to a guest, or to a guest whose data was erased. */
export const checkins = pgTable(
  'checkins',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    guestId: uuid('guest_id').references(() => guests.id, { onDelete: 'set null' }),
    codeId: uuid('code_id').references(() => checkinCodes.id, { onDelete: 'set null' }),
    method: text('method', { enum: ['link', 'qr', 'nfc', 'manual'] }).notNull(),
    checkedInAt: at('checked_in_at').notNull().defaultNow(),
  },
  (table) => [
    unique('checkins_once').on(table.eventId, table.userId),
    uniqueIndex('checkins_of_guest').on(table.guestId).where(sql`guest_id is not null`),
    check('checkins_person_or_guest', sql`num_nonnulls(${table.userId}, ${table.guestId}) <= 1`),
    // For the deletion of a code.
    index('checkins_code').on(table.codeId).where(sql`code_id is not null`),
    index('checkins_of_event').on(table.eventId, table.checkedInAt),
    index('checkins_of_user').on(table.userId, table.checkedInAt),
    check('checkins_method', sql`${table.method} in ('link', 'qr', 'nfc', 'manual')`),
  ],
)

/** Pending and sent notices to the guests of an event. */
export const eventNotices = pgTable('event_notices', {
  eventId: uuid('event_id')
    .primaryKey()
    .references(() => events.id, { onDelete: 'cascade' }),
  /** Time and place that guests know, from a move until its letters are written. */
  movedFrom: jsonb('moved_from').$type<Record<string, string | null>>(),
  /** Counts moves, so that one during the writing of letters is not lost. */
  moves: integer('moves').notNull().default(0),
  /** The start time that reminders are for. */
  remindedOf: at('reminded_of'),
})

/** Events with free seats for more waiting people than one transaction promotes. */
export const unfilledEvents = pgTable('unfilled_events', {
  eventId: uuid('event_id')
    .primaryKey()
    .references(() => events.id, { onDelete: 'cascade' }),
})
