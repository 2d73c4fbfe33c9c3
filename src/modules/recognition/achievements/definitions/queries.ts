import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, ascending } from '@/db/keyset'
import { complete, patched } from '@/db/rows'
import { achievementProgress, achievements } from '@/db/tables/achievements'
import { badges } from '@/db/tables/badges'
import type { AchievementRow } from '../queries'

export const AS_SORTED = ascending<AchievementRow>(
  [achievements.sortOrder, (row) => row.sortOrder],
  [achievements.key, (row) => row.key],
)

export const listDefinitions = (db: Db | Tx, after: After) => db.select().from(achievements).where(after)

export const countDefinitions = (db: Db | Tx) => db.$count(achievements)

export async function findDefinition(tx: Tx, key: string): Promise<AchievementRow | undefined> {
  const [found] = await tx.select().from(achievements).where(eq(achievements.key, key))
  return found
}

/** Returns undefined if the key is taken. */
export async function insertDefinition(
  tx: Tx,
  row: typeof achievements.$inferInsert,
): Promise<AchievementRow | undefined> {
  const [inserted] = await tx
    .insert(achievements)
    .values(complete(achievements, row))
    .onConflictDoNothing({ target: achievements.key })
    .returning()
  return inserted
}

const CHANGEABLE = [
  'name',
  'description',
  'icon',
  'color',
  'targetValue',
  'badgeSlug',
  'eventType',
  'conditions',
  'progressMode',
  'progressField',
  'hidden',
  'enabled',
  'sortOrder',
] as const satisfies (keyof AchievementRow)[]

export async function updateDefinition(
  tx: Tx,
  key: string,
  change: Partial<Pick<AchievementRow, (typeof CHANGEABLE)[number]>>,
): Promise<AchievementRow> {
  const [changed] = await tx
    .update(achievements)
    .set(patched(achievements, CHANGEABLE, change))
    .where(eq(achievements.key, key))
    .returning()
  return changed as AchievementRow
}

export async function deleteDefinition(tx: Tx, key: string): Promise<AchievementRow | undefined> {
  const [deleted] = await tx.delete(achievements).where(eq(achievements.key, key)).returning()
  return deleted
}

/** Locks the badge against deletion until the commit. */
export async function isPlatformBadge(tx: Tx, slug: string): Promise<boolean> {
  const found = await tx
    .select({ id: badges.id })
    .from(badges)
    .where(and(eq(badges.slug, slug), isNull(badges.groupId)))
    .for('share')
  return found.length > 0
}

const SLICE = 10_000

/** In slices: a single statement would exceed its timeout. */
export async function deleteProgress(tx: Tx, key: string, { unfinishedOnly }: { unfinishedOnly: boolean }) {
  for (;;) {
    const slice = tx
      .select({ userId: achievementProgress.userId })
      .from(achievementProgress)
      .where(
        and(
          eq(achievementProgress.achievementKey, key),
          unfinishedOnly ? isNull(achievementProgress.completedAt) : undefined,
        ),
      )
      .limit(SLICE)
    const { count } = await tx
      .delete(achievementProgress)
      .where(
        and(
          eq(achievementProgress.achievementKey, key),
          sql`${achievementProgress.userId} = any(array(${slice}))`,
        ),
      )
    if (count < SLICE) return
  }
}
