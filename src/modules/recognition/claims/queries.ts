import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, ascending } from '@/db/keyset'
import { demandQuota } from '@/db/quotas'
import { complete } from '@/db/rows'
import { badgeAwards, badges, claimLinks } from '@/db/tables/badges'
import { groups } from '@/db/tables/groups'

export type LinkRow = typeof claimLinks.$inferSelect

/** A link with its badge, and this person's award, if any. */
export async function findOffer(db: Db | Tx, code: string, userId: string | null) {
  const [found] = await db
    .select({
      link: claimLinks,
      badge: badges,
      group: { name: groups.name, urlname: groups.urlname, photoUrl: groups.photoUrl },
      awardId: badgeAwards.id,
    })
    .from(claimLinks)
    .innerJoin(badges, eq(badges.id, claimLinks.badgeId))
    .leftJoin(groups, eq(groups.id, badges.groupId))
    .leftJoin(
      badgeAwards,
      and(eq(badgeAwards.badgeId, badges.id), userId === null ? sql`false` : eq(badgeAwards.userId, userId)),
    )
    .where(eq(claimLinks.code, code))
  return found
}

export type Offer = NonNullable<Awaited<ReturnType<typeof findOffer>>>

/** Returns false if the link is used up, expired or deleted. */
export async function countUse(tx: Tx, linkId: string, at: Date): Promise<boolean> {
  const used = await tx
    .update(claimLinks)
    .set({ currentUses: sql`${claimLinks.currentUses} + 1` })
    .where(
      and(
        eq(claimLinks.id, linkId),
        or(isNull(claimLinks.maxUses), lt(claimLinks.currentUses, claimLinks.maxUses)),
        or(isNull(claimLinks.expiresAt), gt(claimLinks.expiresAt, at)),
      ),
    )
    .returning({ id: claimLinks.id })
  return used.length > 0
}

const badgeIn = (db: Db | Tx, groupId: string | null, badgeId: string) =>
  db
    .select()
    .from(badges)
    .where(
      and(eq(badges.id, badgeId), groupId === null ? isNull(badges.groupId) : eq(badges.groupId, groupId)),
    )

/** `groupId` is null for platform badges. */
export const findBadge = async (db: Db | Tx, groupId: string | null, badgeId: string) =>
  (await badgeIn(db, groupId, badgeId))[0]

/** Locks the badge against deletion. */
export const lockBadgeKey = async (tx: Tx, groupId: string | null, badgeId: string) =>
  (await badgeIn(tx, groupId, badgeId).for('key share'))[0]

export const demandQuotaForLink = (tx: Tx, badgeId: string) =>
  demandQuota(tx, 'claimLinks', {
    parent: [badges.id, badgeId],
    children: claimLinks,
    which: eq(claimLinks.badgeId, badgeId),
  })

/** Returns undefined if the code is taken. */
export async function insertLink(tx: Tx, row: typeof claimLinks.$inferInsert): Promise<LinkRow | undefined> {
  const [inserted] = await tx
    .insert(claimLinks)
    .values(complete(claimLinks, row))
    .onConflictDoNothing({ target: claimLinks.code })
    .returning()
  return inserted
}

export const OLDEST_FIRST = ascending<LinkRow>(
  [claimLinks.createdAt, (row) => row.createdAt],
  [claimLinks.id, (row) => row.id],
)

export const listLinksOf = (db: Db | Tx, badgeId: string, after: After) =>
  db
    .select()
    .from(claimLinks)
    .where(and(eq(claimLinks.badgeId, badgeId), after))

export const countLinksOf = (db: Db | Tx, badgeId: string) =>
  db.$count(claimLinks, eq(claimLinks.badgeId, badgeId))

/** Holders keep the badges they claimed. */
export async function deleteLink(tx: Tx, groupId: string, linkId: string): Promise<boolean> {
  const ofGroup = tx.select({ id: badges.id }).from(badges).where(eq(badges.groupId, groupId))
  const deleted = await tx
    .delete(claimLinks)
    .where(and(eq(claimLinks.id, linkId), inArray(claimLinks.badgeId, ofGroup)))
    .returning({ id: claimLinks.id })
  return deleted.length > 0
}
