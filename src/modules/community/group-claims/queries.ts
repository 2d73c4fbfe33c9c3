import { and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@/db/client'
import { is, isNot } from '@/db/comparisons'
import { type After, descending, type Rows } from '@/db/keyset'
import { complete } from '@/db/rows'
import { filters } from '@/db/statement-names'
import { groupClaimInvites, groupClaims } from '@/db/tables/group-claims'
import { groupMembers, groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'

export type InviteRow = typeof groupClaimInvites.$inferSelect
export type ClaimRow = typeof groupClaims.$inferSelect

export async function findInvite(db: Db | Tx, hash: Uint8Array) {
  const [found] = await db
    .select({
      id: groupClaimInvites.id,
      autoApprove: groupClaimInvites.autoApprove,
      expiresAt: groupClaimInvites.expiresAt,
      usedAt: groupClaimInvites.usedAt,
      group: { id: groups.id, name: groups.name, urlname: groups.urlname, photoUrl: groups.photoUrl },
    })
    .from(groupClaimInvites)
    .innerJoin(groups, eq(groups.id, groupClaimInvites.groupId))
    .where(eq(groupClaimInvites.hash, hash))
  return found
}

export type FoundInvite = NonNullable<Awaited<ReturnType<typeof findInvite>>>

/** Returns false if the invite was used or has expired. */
export async function useInvite(tx: Tx, id: string, userId: string, at: Date): Promise<boolean> {
  const used = await tx
    .update(groupClaimInvites)
    .set({ usedAt: at, usedBy: userId })
    .where(
      and(
        eq(groupClaimInvites.id, id),
        isNull(groupClaimInvites.usedAt),
        or(isNull(groupClaimInvites.expiresAt), gt(groupClaimInvites.expiresAt, at)),
      ),
    )
    .returning({ id: groupClaimInvites.id })
  return used.length > 0
}

export async function insertInvite(tx: Tx, row: typeof groupClaimInvites.$inferInsert): Promise<InviteRow> {
  const [inserted] = await tx.insert(groupClaimInvites).values(complete(groupClaimInvites, row)).returning()
  return inserted as InviteRow
}

/** Returns undefined if the person already has a pending claim on this group. */
export async function insertClaim(
  tx: Tx,
  row: Pick<ClaimRow, 'id' | 'groupId' | 'userId' | 'notes'>,
): Promise<ClaimRow | undefined> {
  const [inserted] = await tx
    .insert(groupClaims)
    .values(complete(groupClaims, row))
    .onConflictDoNothing()
    .returning()
  return inserted
}

const pendingOf = (groupId: string, userId: string) =>
  and(eq(groupClaims.groupId, groupId), eq(groupClaims.userId, userId), is(groupClaims.status, 'pending'))

export async function findPendingClaim(db: Db | Tx, groupId: string, userId: string) {
  const [found] = await db.select({ id: groupClaims.id }).from(groupClaims).where(pendingOf(groupId, userId))
  return found
}

/** The approved claim by which a person became an owner, if any. */
export async function findGrantedClaim(tx: Tx, groupId: string, userId: string) {
  const [found] = await tx
    .select({ id: groupClaims.id })
    .from(groupClaims)
    .where(
      and(
        eq(groupClaims.groupId, groupId),
        eq(groupClaims.userId, userId),
        is(groupClaims.status, 'approved'),
        isNotNull(groupClaims.decidedBy),
      ),
    )
    .orderBy(desc(groupClaims.decidedAt))
    .limit(1)
  return found
}

const deciders = alias(users, 'deciders')

const listed = (db: Db | Tx) =>
  db
    .select({
      claim: groupClaims,
      group: { id: groups.id, name: groups.name, urlname: groups.urlname },
      user: { id: users.id, username: users.username, name: users.name, avatarUrl: users.avatarUrl },
      decidedBy: { id: deciders.id, username: deciders.username },
    })
    .from(groupClaims)
    .innerJoin(groups, eq(groups.id, groupClaims.groupId))
    .innerJoin(users, eq(users.id, groupClaims.userId))
    .leftJoin(deciders, eq(deciders.id, groupClaims.decidedBy))

export type ListedClaim = Awaited<ReturnType<typeof listed>>[number]

export async function findClaim(db: Db | Tx, id: string): Promise<ListedClaim | undefined> {
  return (await listed(db).where(eq(groupClaims.id, id)))[0]
}

export const NEWEST_FIRST = descending<ListedClaim>(
  [groupClaims.createdAt, ({ claim }) => claim.createdAt],
  [groupClaims.id, ({ claim }) => claim.id],
)

export const listClaims = (
  db: Db | Tx,
  status: ClaimRow['status'] | undefined,
  after: After,
): Rows<ListedClaim> =>
  listed(db).where(and(filters(status === undefined ? undefined : eq(groupClaims.status, status)), after))

type Decision = { status: 'approved' | 'rejected' } & Pick<
  ClaimRow,
  'decidedAt' | 'decidedBy' | 'decisionNotes'
>

/** Returns false if the claim was decided or deleted. */
export async function decideClaim(tx: Tx, id: string, decision: Decision): Promise<boolean> {
  const decided = await tx
    .update(groupClaims)
    .set(decision)
    .where(and(eq(groupClaims.id, id), is(groupClaims.status, 'pending')))
    .returning({ id: groupClaims.id })
  return decided.length > 0
}

/** Approves pending claims of a person who became an owner another way. */
export const settleClaimsOf = (tx: Tx, groupId: string, userId: string, at: Date) =>
  tx.update(groupClaims).set({ status: 'approved', decidedAt: at }).where(pendingOf(groupId, userId))

/** Locks a user against suspension and deletion. */
export async function lockPerson(tx: Tx, id: string) {
  const [found] = await tx
    .select({ suspendedAt: users.suspendedAt })
    .from(users)
    .where(eq(users.id, id))
    .for('share')
  return found
}

/** Promotes an existing membership with a lower role. */
export async function raiseToOwner(tx: Tx, groupId: string, userId: string) {
  const [raised] = await tx
    .update(groupMembers)
    .set({ role: 'owner', isGiven: false })
    .where(
      and(
        eq(groupMembers.groupId, groupId),
        eq(groupMembers.userId, userId),
        isNot(groupMembers.role, 'owner'),
      ),
    )
    .returning({ id: groupMembers.id })
  return raised
}
