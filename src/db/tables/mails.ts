import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { sessions } from './credentials'
import { users } from './users'

/**
 * The mail queue. A row says which letter goes to whom about what; the text is rendered on sending, so that nothing is outdated
 * and nothing personal is stored. A finished row stays for a while to prevent duplicates.
 */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** The reader; null for an address without an account. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Replaces the reader's address. Cleared when finished. */
    address: text('address'),
    letter: text('letter').notNull(),
    /** The deduplication key: one letter per fact and person. */
    fact: text('fact').notNull(),
    /** A later letter with the same topic replaces one that has not been sent. */
    topic: text('topic'),
    /** What rendering needs. Cleared when finished. */
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    /** The same, encrypted, for a letter with a secret. */
    sealed: bytes('sealed'),
    /** The priority, as in `URGENCY`: 0 if a person waits for it; lowest first. */
    urgency: smallint('urgency').notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: at('created_at').notNull(),
    /** When it may be claimed; while being sent, the end of its lease. */
    dueAt: at('due_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    finishedAt: at('finished_at'),
    outcome: text('outcome', { enum: ['sent', 'unwanted', 'untrue', 'refused', 'expired'] }),
  },
  (table) => [
    uniqueIndex('mails_once').on(table.userId, table.letter, table.fact).where(sql`user_id is not null`),
    index('mails_due').on(table.urgency, table.dueAt, table.id).where(sql`finished_at is null`),
    // One unsent letter per person and topic: it covers everything until it is sent.
    uniqueIndex('mails_waiting')
      .on(table.userId, table.letter, table.topic)
      .where(sql`topic is not null and finished_at is null and attempts = 0`),
    index('mails_topic').on(table.userId, table.letter, table.topic).where(sql`topic is not null`),
    index('mails_finished').on(table.finishedAt, table.id),
    index('mails_failed').on(table.finishedAt).where(sql`outcome in ('refused', 'expired')`),
    check('mails_urgency', sql`${table.urgency} between -4 and 2`),
    check(
      'mails_outcome',
      sql`${table.outcome} in ('sent', 'unwanted', 'untrue', 'refused', 'expired') and ${table.finishedAt} is not null
        or ${table.outcome} is null and ${table.finishedAt} is null`,
    ),
    check(
      'mails_reader',
      sql`${table.userId} is not null or ${table.address} is not null or ${table.finishedAt} is not null`,
    ),
  ],
)

/** Kinds of mail that a person switched on or off; `MAIL_KINDS` has the defaults. */
export const mailSwitches = pgTable(
  'mail_switches',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    isOn: boolean('is_on').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind] }),
    index('mail_switches_on').on(table.kind, table.userId).where(sql`is_on`),
  ],
)

/** Items of digest letters. They stay for a while after sending, to prevent duplicates. */
export const mailItems = pgTable(
  'mail_items',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    letter: text('letter').notNull(),
    item: text('item').notNull(),
    at: at('at').notNull(),
    /** The letter that includes it; null while none is planned. */
    mailId: uuid('mail_id'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.letter, table.item] }),
    index('mail_items_at').on(table.at, table.userId, table.letter, table.item),
  ],
)

/** Mailboxes with a permanent failure. Only mail that a person waits for is still tried. */
export const refusingMailboxes = pgTable(
  'refusing_mailboxes',
  {
    /** A keyed hash. */
    mailbox: bytes('mailbox').primaryKey(),
    at: at('at').notNull(),
  },
  (table) => [index('refusing_mailboxes_at').on(table.at)],
)

/** Mail of the demo instead of sending, encrypted: it may hold sign-in links. */
export const keptMails = pgTable(
  'kept_mails',
  {
    id: uuid('id').primaryKey(),
    /** The mailbox as a keyed hash. */
    mailbox: bytes('mailbox'),
    sealed: bytes('sealed').notNull(),
    at: at('at').notNull(),
  },
  (table) => [
    index('kept_mails_at').on(table.at, table.id),
    index('kept_mails_mailbox').on(table.mailbox, table.at),
  ],
)

/** Changes of mail addresses: requested, confirmed from the new address, and undoable from the old one for a week. */
export const addressChanges = pgTable(
  'address_changes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    oldEmail: text('old_email'),
    newEmail: text('new_email').notNull(),
    /** The requesting session, until confirmation: signing out there cancels the change. */
    sessionId: uuid('session_id'),
    confirmHash: bytes('confirm_hash').notNull().unique(),
    undoHash: bytes('undo_hash').notNull().unique(),
    createdAt: at('created_at').notNull(),
    /** Deadline for the new address to confirm. */
    expiresAt: at('expires_at').notNull(),
    confirmedAt: at('confirmed_at'),
    /** Deadline for the old address to undo it. */
    undoUntil: at('undo_until').notNull(),
    undoneAt: at('undone_at'),
  },
  (table) => [
    uniqueIndex('address_changes_asked')
      .on(table.userId)
      .where(sql`confirmed_at is null and undone_at is null`),
    index('address_changes_user').on(table.userId, table.createdAt),
    index('address_changes_end').on(table.undoUntil),
    // Reserves an address while the change can be undone.
    index('address_changes_held')
      .on(sql`lower(${table.oldEmail})`)
      .where(sql`confirmed_at is not null and undone_at is null`),
    foreignKey({
      columns: [table.sessionId],
      foreignColumns: [sessions.id],
      name: 'address_changes_session',
    }).onDelete('set null'),
    index('address_changes_of_session').on(table.sessionId).where(sql`session_id is not null`),
  ],
)

/** Exports of everything about a person. The job has the progress; the file is `exports/<file>` in the storage. */
export const dataExports = pgTable(
  'data_exports',
  {
    id: uuid('id').primaryKey(),
    /** Null after account deletion: then the object is deleted from the storage, and the row last. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The requesting application; null for the person. It gets less, and only until its grant ends. */
    grantId: uuid('grant_id'),
    jobId: uuid('job_id'),
    file: uuid('file'),
    size: bigint('size', { mode: 'number' }),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    index('data_exports_user').on(table.userId, table.createdAt),
    uniqueIndex('data_exports_file').on(table.file),
    index('data_exports_expiry').on(table.expiresAt, table.id),
    index('data_exports_ended').on(table.id).where(sql`user_id is null`),
    check('data_exports_whole', sql`num_nulls(${table.file}, ${table.size}) in (0, 2)`),
  ],
)
