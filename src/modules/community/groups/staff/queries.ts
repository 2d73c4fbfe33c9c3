import { and, eq, ne, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { refusals } from '@/core/refusals'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, ascending, type Rows } from '@/db/keyset'
import { demandQuota } from '@/db/quotas'
import { groupMembers, groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import type { StaffRole } from './role'

export type MemberRow = {
  id: string
  userId: string
  role: StaffRole
  createdAt: Date
  username: string | null
  name: string
  avatarUrl: string | null
  isPublic: boolean
}

const entry = {
  id: groupMembers.id,
  userId: groupMembers.userId,
  role: groupMembers.role,
  createdAt: groupMembers.createdAt,
  username: users.username,
  name: users.name,
  avatarUrl: users.avatarUrl,
  isPublic: users.isPublic,
}

export const OLDEST_FIRST = ascending<MemberRow>(
  [groupMembers.createdAt, (row) => row.createdAt],
  [groupMembers.id, (row) => row.id],
)

export const listMembers = (db: Db | Tx, groupId: string, after: After): Rows<MemberRow> =>
  db
    .select(entry)
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(and(eq(groupMembers.groupId, groupId), after))

export const countMembers = (db: Db | Tx, groupId: string) =>
  db.$count(groupMembers, eq(groupMembers.groupId, groupId))

/** Synced groups may have no owner yet. */
export const hasOwner = async (db: Db | Tx, groupId: string): Promise<boolean> =>
  (await db.$count(groupMembers, and(eq(groupMembers.groupId, groupId), is(groupMembers.role, 'owner')))) > 0

/** Whether a group has no owner but this person. */
export async function isLastOwner(tx: Tx, userId: string): Promise<boolean> {
  const owners = alias(groupMembers, 'owners')
  const others = tx
    .select({ one: sql`1` })
    .from(owners)
    .where(and(eq(owners.groupId, groupMembers.groupId), is(owners.role, 'owner'), ne(owners.userId, userId)))
  const alone = and(eq(groupMembers.userId, userId), is(groupMembers.role, 'owner'), notExists(others))
  return (await tx.select({ id: groupMembers.id }).from(groupMembers).where(alone).limit(1)).length > 0
}

/** Serializes staff changes, so that role checks hold until the commit. */
export const lockStaff = (tx: Tx, groupId: string) =>
  tx.select({ id: groups.id }).from(groups).where(eq(groups.id, groupId)).for('no key update')

export async function findMember(tx: Tx, groupId: string, memberId: string): Promise<MemberRow | undefined> {
  const [found] = await tx
    .select(entry)
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.id, memberId)))
  return found
}

export type MembershipRow = typeof groupMembers.$inferSelect

/** Returns undefined if the person already has a role. */
export async function insertMember(
  tx: Tx,
  row: typeof groupMembers.$inferInsert,
): Promise<MembershipRow | undefined> {
  const [inserted] = await tx
    .insert(groupMembers)
    .values(row)
    .onConflictDoNothing({ target: [groupMembers.groupId, groupMembers.userId] })
    .returning()
  return inserted
}

export const updateRole = (tx: Tx, memberId: string, role: StaffRole, isGiven: boolean) =>
  tx.update(groupMembers).set({ role, isGiven }).where(eq(groupMembers.id, memberId)).execute()

/** Ownership is granted without consent, so a quota limits it. */
export const demandQuotaForGift = (tx: Tx, userId: string) =>
  demandQuota(tx, 'groups', {
    parent: [users.id, userId],
    children: groupMembers,
    which: and(
      eq(groupMembers.userId, userId),
      is(groupMembers.role, 'owner'),
      eq(groupMembers.isGiven, sql`true`),
    ),
    full: (max) => refusals.ownerOfMany(max),
  })

export const deleteMember = (tx: Tx, memberId: string) =>
  tx.delete(groupMembers).where(eq(groupMembers.id, memberId)).execute()

export async function deleteMembership(
  tx: Tx,
  groupId: string,
  userId: string,
): Promise<MembershipRow | undefined> {
  const [deleted] = await tx
    .delete(groupMembers)
    .where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, userId)))
    .returning()
  return deleted
}
