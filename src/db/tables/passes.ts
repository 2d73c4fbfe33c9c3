import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at, bytes, pictureAddress, uploadIndex } from './columns'
import { users } from './users'

/** Designs of passes, made by administrators. */
export const passDesigns = pgTable(
  'pass_designs',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    imageUrl: pictureAddress('image_url'),
    modelUrl: pictureAddress('model_url'),
    themeColor: text('theme_color'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    uploadIndex('pass_designs_image_upload', table.imageUrl),
    uploadIndex('pass_designs_model_upload', table.modelUrl),
  ],
)

/**
 * A QR pass has an owner from the start, one per person; an NFC tag is minted blank and claimed later. A tag of a deleted account
 * has no owner and is inactive: its address is known to others, so it does not become blank again.
 */
export const passes = pgTable(
  'passes',
  {
    /** Lower case; printed in upper case. */
    id: text('id').primaryKey(),
    type: text('type', { enum: ['qrcode', 'nfc'] }).notNull(),
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    label: text('label'),
    designId: text('design_id').references(() => passDesigns.id, { onDelete: 'set null' }),
    action: text('action', { enum: ['profile', 'contact', 'follow'] })
      .notNull()
      .default('profile'),
    autoFollow: boolean('auto_follow').notNull().default(false),
    isActive: boolean('is_active').notNull().default(true),
    claimedAt: at('claimed_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('passes_qr').on(table.ownerId).where(sql`type = 'qrcode'`),
    index('passes_owner').on(table.ownerId, table.createdAt, table.id),
    index('passes_tags').on(table.createdAt, table.id).where(sql`type = 'nfc'`),
    index('passes_design').on(table.designId).where(sql`design_id is not null`),
    check('passes_id', sql`${table.id} ~ '^[2-9a-hjkmnp-z]{16}$'`),
    check('passes_type', sql`${table.type} in ('qrcode', 'nfc')`),
    check('passes_action', sql`${table.action} in ('profile', 'contact', 'follow')`),
    check('passes_qr_owned', sql`${table.type} <> 'qrcode' or ${table.ownerId} is not null`),
  ],
)

/**
 * Who met whom: the owner of a pass, and the visitor who tapped it first. An anonymous visitor is identified by the hash of a
 * cookie until sign-in. Each side may remove it for themselves; the row stays, so that the other side cannot restore it with
 * another tap.
 */
export const connections = pgTable(
  'connections',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    visitorId: uuid('visitor_id').references(() => users.id, { onDelete: 'cascade' }),
    strangerHash: bytes('stranger_hash'),
    /** The tapped pass; null after its deletion. */
    passId: text('pass_id').references(() => passes.id, { onDelete: 'set null', onUpdate: 'cascade' }),
    createdAt: at('created_at').notNull(),
    ownerRemovedAt: at('owner_removed_at'),
    visitorRemovedAt: at('visitor_removed_at'),
  },
  (table) => [
    uniqueIndex('connections_pair')
      .on(
        sql`least(${table.ownerId}, ${table.visitorId})`,
        sql`greatest(${table.ownerId}, ${table.visitorId})`,
      )
      .where(sql`visitor_id is not null`),
    uniqueIndex('connections_stranger')
      .on(table.strangerHash, table.ownerId)
      .where(sql`stranger_hash is not null`),
    index('connections_inbound').on(table.ownerId, table.createdAt, table.id),
    index('connections_outbound')
      .on(table.visitorId, table.createdAt, table.id)
      .where(sql`visitor_id is not null`),
    index('connections_pass').on(table.passId, table.createdAt, table.id),
    index('connections_expired').on(table.createdAt, table.id).where(sql`stranger_hash is not null`),
    check('connections_one_visitor', sql`num_nonnulls(${table.visitorId}, ${table.strangerHash}) = 1`),
    check('connections_others', sql`${table.ownerId} <> ${table.visitorId}`),
  ],
)

/** The number of anonymous connections of a pass: counting them would take longer than the tap. */
export const passStrangers = pgTable('pass_strangers', {
  passId: text('pass_id')
    .primaryKey()
    .references(() => passes.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
  kept: integer('kept').notNull(),
})
