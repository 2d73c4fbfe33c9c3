import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { at } from './columns'
import { personalTokens, sessions } from './credentials'
import { oauthGrants } from './oauth'
import { users } from './users'

/** A resized picture: the object `files/<file>.<width>.<ending>`. */
export type SmallerPicture = {
  width: number
  contentType: string
  ending: string
  size: number
  sha256: string
}

/**
 * Uploaded files and pending uploads. A row goes from `requested` over `received` to `ready` or `refused`, and from any of these
 * to `removed`: then its objects are deleted from the storage, and the row last.
 */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    /** The public name; objects in the storage have other names. */
    key: text('key').notNull(),
    /** Null after account deletion. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** The credential that requested it: the upload address ends with it. */
    maker: text('maker', { enum: ['person', 'token', 'grant', 'session'] }).notNull(),
    madeByToken: uuid('made_by_token'),
    madeByGrant: uuid('made_by_grant'),
    madeBySession: uuid('made_by_session'),
    category: text('category').notNull(),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    declaredSize: integer('declared_size').notNull(),
    state: text('state', { enum: ['requested', 'received', 'ready', 'refused', 'removed'] })
      .notNull()
      .default('requested'),
    /** The object `incoming/<incoming>`: the unchecked bytes. */
    incoming: uuid('incoming'),
    /** The hash of the received bytes: a client may send them again if the answer was lost. */
    sentSha256: text('sent_sha256'),
    /** The object `files/<file>` that is served, with the size and hash of the row. */
    file: uuid('file'),
    size: integer('size'),
    sha256: text('sha256'),
    width: integer('width'),
    height: integer('height'),
    sizes: jsonb('sizes').$type<SmallerPicture[]>().notNull().default([]),
    /** Shown to the owner. */
    reason: text('reason'),
    /** A check holds the row only while this is the number it began with. */
    attempts: integer('attempts').notNull().default(0),
    /** When a worker may claim it; during a check the end of the lease. */
    nextCheckAt: at('next_check_at'),
    /** Since when the sweep has found no reference. */
    unusedSince: at('unused_since'),
    /** The deadline for sending it. */
    expiresAt: at('expires_at').notNull(),
    createdAt: at('created_at').notNull(),
    /** When the status last changed. */
    changedAt: at('changed_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.madeByToken],
      foreignColumns: [personalTokens.id],
      name: 'uploads_made_by_token',
    }).onDelete('set null'),
    foreignKey({
      columns: [table.madeByGrant],
      foreignColumns: [oauthGrants.id],
      name: 'uploads_made_by_grant',
    }).onDelete('set null'),
    foreignKey({
      columns: [table.madeBySession],
      foreignColumns: [sessions.id],
      name: 'uploads_made_by_session',
    }).onDelete('set null'),
    uniqueIndex('uploads_key').on(table.key),
    uniqueIndex('uploads_incoming').on(table.incoming),
    uniqueIndex('uploads_file').on(table.file),
    index('uploads_owner').on(table.ownerId, table.createdAt, table.id),
    index('uploads_of_token').on(table.madeByToken).where(sql`made_by_token is not null`),
    index('uploads_of_grant').on(table.madeByGrant).where(sql`made_by_grant is not null`),
    index('uploads_of_session').on(table.madeBySession).where(sql`made_by_session is not null`),
    index('uploads_due').on(table.nextCheckAt).where(sql`next_check_at is not null`),
    index('uploads_expired').on(table.expiresAt, table.id).where(sql`state = 'requested'`),
    index('uploads_unused').on(table.unusedSince, table.id).where(sql`unused_since is not null`),
    index('uploads_ended').on(table.changedAt, table.id).where(sql`state in ('refused', 'removed')`),
    check(
      'uploads_size',
      sql`${table.declaredSize} > 0 and ${table.declaredSize} <= 10485760 and ${table.size} > 0`,
    ),
    check(
      'uploads_state',
      sql`${table.state} in ('requested', 'received', 'ready', 'refused', 'removed')
        and (${table.state} <> 'received' or (${table.incoming} is not null and ${table.nextCheckAt} is not null))
        and (${table.state} <> 'ready' or (${table.file} is not null and ${table.size} is not null and ${table.sha256} is not null))
        and (${table.state} in ('requested', 'received') or ${table.nextCheckAt} is null)
        and (${table.state} = 'refused') = (${table.reason} is not null)`,
    ),
    check('uploads_owned', sql`${table.ownerId} is not null or ${table.state} = 'removed'`),
    check(
      'uploads_maker',
      sql`${table.maker} in ('person', 'token', 'grant', 'session')
        and (${table.madeByToken} is null or ${table.maker} = 'token')
        and (${table.madeByGrant} is null or ${table.maker} = 'grant')
        and (${table.madeBySession} is null or ${table.maker} = 'session')`,
    ),
  ],
)
