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
 * Letters on their way. A row says which letter goes to whom and about what; its words are written when it is sent, so that
 * nothing in it is out of date and nothing personal lies here. One that is finished stays for a while as a note, so that
 * nobody is told of one thing twice.
 */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** The reader; null for a letter to an address that need not be anybody's. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Where it goes instead of the reader's own address. Gone once it is finished. */
    address: text('address'),
    letter: text('letter').notNull(),
    /** What it tells of: of one thing one letter goes to a person. */
    fact: text('fact').notNull(),
    /** What it is about. A later letter about the same takes the place of one that has not gone yet. */
    topic: text('topic'),
    /** What the letter needs to be written; gone once it is finished. */
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    /** The same for a letter that holds a secret, encrypted. */
    sealed: bytes('sealed'),
    /** What goes first, as `URGENCY` says: 0 somebody waits for it; of the others the lowest. */
    urgency: smallint('urgency').notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: at('created_at').notNull(),
    /** When it may be taken. For one that is being sent that is the end of its lease. */
    dueAt: at('due_at').notNull(),
    /** From when on it says nothing any more. */
    expiresAt: at('expires_at').notNull(),
    finishedAt: at('finished_at'),
    outcome: text('outcome', { enum: ['sent', 'unwanted', 'untrue', 'refused', 'expired'] }),
  },
  (table) => [
    uniqueIndex('mails_once').on(table.userId, table.letter, table.fact).where(sql`user_id is not null`),
    index('mails_due').on(table.urgency, table.dueAt, table.id).where(sql`finished_at is null`),
    // One letter about a thing waits for a person: whatever happens until it goes, it tells.
    uniqueIndex('mails_waiting')
      .on(table.userId, table.letter, table.topic)
      .where(sql`topic is not null and finished_at is null and attempts = 0`),
    index('mails_topic').on(table.userId, table.letter, table.topic).where(sql`topic is not null`),
    index('mails_finished').on(table.finishedAt, table.id),
    index('mails_failed').on(table.finishedAt).where(sql`outcome in ('refused', 'expired')`),
    check('mails_urgency', sql`${table.urgency} between -2 and 2`),
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

/** Kinds of mail that a person switched on or off; the others are as `MAIL_KINDS` says. */
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

/** What gathered letters tell of. It stays for a while after it was told, so that nobody is told of one thing twice. */
export const mailItems = pgTable(
  'mail_items',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    letter: text('letter').notNull(),
    /** The id of the thing. */
    item: text('item').notNull(),
    at: at('at').notNull(),
    /** The letter that tells of it; null while none has been begun. */
    mailId: uuid('mail_id'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.letter, table.item] }),
    index('mail_items_at').on(table.at, table.userId, table.letter, table.item),
  ],
)

/** Mailboxes that refused a mail for good. Only what somebody waits for is still tried there. */
export const refusingMailboxes = pgTable(
  'refusing_mailboxes',
  {
    /** A keyed hash. */
    mailbox: bytes('mailbox').primaryKey(),
    at: at('at').notNull(),
  },
  (table) => [index('refusing_mailboxes_at').on(table.at)],
)

/** What the demo would have mailed, encrypted: it may hold what signs somebody in. */
export const keptMails = pgTable(
  'kept_mails',
  {
    id: uuid('id').primaryKey(),
    /** Whose it is, as a keyed hash. */
    mailbox: bytes('mailbox'),
    sealed: bytes('sealed').notNull(),
    at: at('at').notNull(),
  },
  (table) => [
    index('kept_mails_at').on(table.at, table.id),
    index('kept_mails_mailbox').on(table.mailbox, table.at),
  ],
)

/** Changes of mail addresses: asked for, confirmed from the new address, and for a week to be undone from the old one. */
export const addressChanges = pgTable(
  'address_changes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    oldEmail: text('old_email'),
    newEmail: text('new_email').notNull(),
    /** The session that asked, until the change is confirmed: signing out there takes the question back. */
    sessionId: uuid('session_id'),
    confirmHash: bytes('confirm_hash').notNull().unique(),
    undoHash: bytes('undo_hash').notNull().unique(),
    createdAt: at('created_at').notNull(),
    /** Until when the new address may confirm. */
    expiresAt: at('expires_at').notNull(),
    confirmedAt: at('confirmed_at'),
    /** Until when the old address may undo it. */
    undoUntil: at('undo_until').notNull(),
    undoneAt: at('undone_at'),
  },
  (table) => [
    uniqueIndex('address_changes_asked')
      .on(table.userId)
      .where(sql`confirmed_at is null and undone_at is null`),
    index('address_changes_user').on(table.userId, table.createdAt),
    index('address_changes_end').on(table.undoUntil),
    // An address that can still be given back is nobody else's.
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

/** Exports of everything about a person. How far one has come is in its job; the file is `exports/<file>` in the storage. */
export const dataExports = pgTable(
  'data_exports',
  {
    id: uuid('id').primaryKey(),
    /** Null once the person is gone: then the object is taken out of the storage, and the row last. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The application that asked for it; null where the person did. What it is given is less, and ends with its grant. */
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
