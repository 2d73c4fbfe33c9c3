import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns'
import { groups } from './groups'
import { users } from './users'

const group = () =>
  uuid('group_id')
    .notNull()
    .references(() => groups.id, { onDelete: 'cascade' })

/** A single-use invitation to take over a group, stored as the SHA-256 of its token. */
export const groupClaimInvites = pgTable(
  'group_claim_invites',
  {
    id: uuid('id').primaryKey(),
    groupId: group(),
    hash: bytes('hash').notNull().unique(),
    /** Whether its user becomes an owner at once, without an administrator's decision. */
    autoApprove: boolean('auto_approve').notNull().default(false),
    expiresAt: at('expires_at'),
    usedAt: at('used_at'),
    usedBy: uuid('used_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('group_claim_invites_group').on(table.groupId),
    index('group_claim_invites_user').on(table.usedBy),
  ],
)

/** Requests to become an owner of a group. A decision is final. */
export const groupClaims = pgTable(
  'group_claims',
  {
    id: uuid('id').primaryKey(),
    groupId: group(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    notes: text('notes'),
    status: text('status', { enum: ['pending', 'approved', 'rejected'] })
      .notNull()
      .default('pending'),
    decidedAt: at('decided_at'),
    decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
    decisionNotes: text('decision_notes'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('group_claims_pending').on(table.groupId, table.userId).where(sql`status = 'pending'`),
    index('group_claims_age').on(table.createdAt, table.id),
    index('group_claims_user').on(table.userId),
    index('group_claims_decider').on(table.decidedBy),
    check('group_claims_status', sql`${table.status} in ('pending', 'approved', 'rejected')`),
    check('group_claims_decided', sql`(${table.status} = 'pending') = (${table.decidedAt} is null)`),
  ],
)
