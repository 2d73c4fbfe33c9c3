import { and, eq } from 'drizzle-orm'
import type { Tx } from '@/db/client'
import { badgeAwards, type badges } from '@/db/tables/badges'
import { users } from '@/db/tables/users'

export type BadgeRow = typeof badges.$inferSelect
export type AwardRow = typeof badgeAwards.$inferSelect

/** Nothing when the person holds the badge already. A trigger fills in the rest and keeps the score. */
export async function insertAward(
  tx: Tx,
  row: Pick<AwardRow, 'id' | 'badgeId' | 'userId' | 'source' | 'awardedAt'>,
): Promise<AwardRow | undefined> {
  const [inserted] = await tx
    .insert(badgeAwards)
    .values(row)
    .onConflictDoNothing({ target: [badgeAwards.badgeId, badgeAwards.userId] })
    .returning()
  return inserted
}

/** The holder is locked first, like everywhere: an account that is being deleted takes its awards with it. */
export async function deleteAward(tx: Tx, badgeId: string, userId: string): Promise<AwardRow | undefined> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const [deleted] = await tx
    .delete(badgeAwards)
    .where(and(eq(badgeAwards.badgeId, badgeId), eq(badgeAwards.userId, userId)))
    .returning()
  return deleted
}
